"""`torchdojo update`: update the folder that `torchdojo init` created to the installed version."""

from __future__ import annotations

import click

from torchdojo.commands import init
from torchdojo.common.errors import UsageError
from torchdojo.course.answers import is_self_study
from torchdojo.course.exercise import find_dojo


@click.command()
def command() -> None:
    """Update the exercises that `init` created. Your work is kept."""
    root = find_dojo().root
    if not is_self_study(root):
        raise UsageError(f"{root} was not made by `torchdojo init`; use git to update it")
    raise SystemExit(init.run(str(root)))
