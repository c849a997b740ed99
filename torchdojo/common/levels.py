"""The reveal levels: how much of a hidden check a learner may see, from nothing to everything."""

from __future__ import annotations

LEVELS = ("none", "title", "gap", "full")
DEFAULT = "gap"
