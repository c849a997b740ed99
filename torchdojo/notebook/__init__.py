"""Notebooks of the chapters: built from lessons and stubs, synced with the files, checked and graded.

`check` and `lay_out` are what a notebook's cells import; everything else serves `torchdojo notebook`.
May import `learner` and below; start with `build`.
"""

from __future__ import annotations

from torchdojo.notebook.check import check
from torchdojo.notebook.given_files import lay_out

__all__ = ["check", "lay_out"]
