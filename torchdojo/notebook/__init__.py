"""Notebooks of the chapters: built from lessons and stubs, synced with the files, checked and graded.

`check` is what a notebook's check cells import; everything else serves `torchdojo notebook`.
May import `learner` and below; start with `build`.
"""

from __future__ import annotations

from torchdojo.notebook.check import check

__all__ = ["check"]
