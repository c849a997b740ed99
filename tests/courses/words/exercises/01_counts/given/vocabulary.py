"""The words of the course and how often each occurs. The data are in frequencies.csv."""

from pathlib import Path

import numpy as np

_rows = np.loadtxt(Path(__file__).with_name("frequencies.csv"), delimiter=",", dtype=str)
WORDS: list[str] = _rows[:, 0].tolist()
COUNTS: list[int] = _rows[:, 1].astype(int).tolist()
