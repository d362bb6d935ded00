"""SIMBICON: Simple Biped Locomotion Control (Yin, Loken and van de Panne 2007)."""
