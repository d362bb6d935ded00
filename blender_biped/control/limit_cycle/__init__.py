"""Limit-cycle control (Laszlo 1996; Laszlo, van de Panne and Fiume 1996): a cycle of poses, balanced step by step."""
