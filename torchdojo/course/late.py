"""What lateness costs: the table `[tool.torchdojo.late]` of a course. Without it, lateness costs nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

DAY = 86_400  # seconds


@dataclass(frozen=True)
class LateRule:
    """percent_per_day: of the student's points, for each started day; free_days: started days that cost nothing;
    cutoff_days: started days after which nothing counts, None for no end."""

    percent_per_day: float = 0.0
    free_days: int = 0
    cutoff_days: int | None = None

    def kept(self, seconds: float) -> float:
        """The share of the points that remains, from 0 to 1, for a submission that is `seconds` late."""
        days = math.ceil(seconds / DAY)
        if self.cutoff_days is not None and days > self.cutoff_days:
            return 0.0
        return max(0.0, 1.0 - self.percent_per_day / 100 * max(0, days - self.free_days))

    def words(self) -> str:
        """'minus 10% of the points per started day, 1 day free, no points after 5 days'"""
        parts = [f"minus {self.percent_per_day:g}% of the points per started day"] if self.percent_per_day else []
        parts += [f"{_days(self.free_days)} free"] if self.free_days else []
        parts += [f"no points after {_days(self.cutoff_days)}"] if self.cutoff_days is not None else []
        return ", ".join(parts)


def _days(n: int) -> str:
    return f"{n} day{'' if n == 1 else 's'}"


def late_rule(table: Any) -> LateRule | None:
    """The rule of a table; None without one. Raises ValueError that says which key is wrong, and what belongs there."""
    if table is None:
        return None
    keys = ("percent_per_day", "free_days", "cutoff_days")
    if not isinstance(table, dict) or not table.keys() & {"percent_per_day", "cutoff_days"}:
        raise ValueError("late needs percent_per_day = 10, cutoff_days = 7, or both")
    if unknown := sorted(table.keys() - set(keys)):
        raise ValueError(f"late.{unknown[0]} is not known; there are {', '.join(keys)}")
    percent, free, cutoff = table.get("percent_per_day"), table.get("free_days", 0), table.get("cutoff_days")
    if percent is not None and (not isinstance(percent, int | float) or isinstance(percent, bool) or not 0 < percent <= 100):
        raise ValueError("late.percent_per_day is a number above 0, at most 100")
    for key, days in (("free_days", free), ("cutoff_days", 0 if cutoff is None else cutoff)):
        if not isinstance(days, int) or isinstance(days, bool) or not 0 <= days <= 10_000:
            raise ValueError(f"late.{key} is a whole number of days")
    return LateRule(float(percent or 0), free, cutoff)
