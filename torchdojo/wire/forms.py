"""The plain data in which a worker describes a run. `worker` writes it; the trusted side takes only what `outcome` makes of it."""

from __future__ import annotations

from typing import Any, TypedDict


class RaisedData(TypedDict, total=False):
    """A Raised as it travels."""

    type: str
    text: str
    line: int
    code: str
    where: str
    missing: str
    shadowed: str
    hidden: str
    within: str
    limit: str
    todo: bool


class ParamData(TypedDict):
    """A ParamNote as it travels."""

    value: Any
    grad: Any
    kept: dict[str, Any]


class MakerData(TypedDict):
    """How an object was made, as it travels: the call without its name."""

    args: list[Any]
    kwargs: dict[str, Any]
    names: list[str]
    grads: list[Any]


class CallData(TypedDict, total=False):
    """A CallNote as it travels. made: None where the learner's own code made the object."""

    name: str
    args: list[Any]
    kwargs: dict[str, Any]
    names: list[str]
    grads: list[Any]
    strides: list[list[int] | None]
    method: str
    makes: bool
    made: MakerData | None
    raised: RaisedData
    returned: Any
    gradient: Any
    thing: int
    params: list[ParamData]
    left: list[ParamData]
    learns: list[bool]
    numbers: dict[str, Any]
    numbers_left: dict[str, Any]
    settings: list[str]


class OutcomeData(TypedDict, total=False):
    """An Outcome as it travels; a key is missing where there is nothing to report. It has a value or an error."""

    value: Any
    raised: RaisedData
    changed: list[str]
    marked: list[str]
    shares: list[list[str]]
    state: list[str]
    operations: list[str]
    warned: list[str]
    random: bool
    calls: list[CallData]
