"""Generalized Biped Walking Control (Coros, Beaudoin and van de Panne 2010)."""
