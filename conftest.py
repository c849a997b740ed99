"""Marks the root of the dojo for pytest; the work is done by the torchdojo plugin."""
