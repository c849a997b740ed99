"""How much each channel counts, read from luma.txt."""

from pathlib import Path

WEIGHTS = [float(line) for line in Path(__file__).with_name("luma.txt").read_text().split()]
