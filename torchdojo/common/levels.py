"""How much of a hidden check a learner may be told: the names of the levels, from nothing to everything."""

from __future__ import annotations

LEVELS = ("none", "title", "gap", "full")
DEFAULT = "gap"
