"""The page of `torchdojo alike`: for each group of alike answers the files side by side. For the staff alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from torchdojo.classroom.alike import Group
from torchdojo.common.plain_text import clean, one_line


def page(groups: list[Group], answers: Mapping[str, Mapping[str, str]]) -> str:
    """A self-contained page without scripts. answers: source by exercise and student; none of it is markup."""
    import jinja2  # only reports need it

    loader = jinja2.FileSystemLoader(Path(__file__).with_name("many") / "page")
    environment = jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, autoescape=True, trim_blocks=True)
    shown = [(g.exercise, [(one_line(s), clean(answers[g.exercise][s])) for s in g.students]) for g in groups]
    return environment.get_template("alike.html").render(groups=shown)
