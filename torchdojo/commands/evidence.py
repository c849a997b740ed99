"""`torchdojo evidence [EXERCISE]`: print what is verified about a learner's file, for a tutor or an assistant."""

from __future__ import annotations

import json

import click

from torchdojo.commands.hint import one_exercise
from torchdojo.course.exercise import find_dojo
from torchdojo.course.stubs import handed_out
from torchdojo.learner.evidence import check_allowed, evidence_of, text_of
from torchdojo.learner.memory import Memory
from torchdojo.learner.standing import Looker


@click.command()
@click.argument("exercise", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(exercise: str | None, as_json: bool) -> None:
    """Print what is verified about your file, for a tutor or an assistant. Without solutions and unseen hints."""
    raise SystemExit(run(exercise, as_json=as_json))


def run(wanted: str | None, *, as_json: bool = False) -> int:
    """Print the evidence. Raises UsageError."""
    dojo = handed_out(find_dojo())
    check_allowed(dojo)
    exercise = one_exercise(dojo, wanted)
    looker = Looker(dojo, Memory(dojo.root))
    click.echo(f"checking exercises/{exercise.id}.py ...", err=True)
    try:
        evidence = evidence_of(dojo, exercise, looker)
    finally:
        looker.close()
    click.echo(json.dumps(evidence.data()) if as_json else text_of(evidence))
    return 0
