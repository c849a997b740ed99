"""Remember what explanations find out about a submission: each thing is computed once in a session."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from torchdojo.judge.session import Session

P = ParamSpec("P")
R = TypeVar("R")


def remembered(function: Callable[Concatenate[Session, P], R]) -> Callable[Concatenate[Session, P], R]:
    """The function, called once for the same session and further arguments."""

    @functools.wraps(function)
    def call(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (function, *args)
        if key not in session.remembered:
            session.remembered[key] = function(session, *args, **kwargs)
        return cast(R, session.remembered[key])

    return call
