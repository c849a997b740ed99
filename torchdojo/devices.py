"""Which devices checks run on: the CPU, and the simulated accelerator where this PyTorch can have it."""

from __future__ import annotations

from torchdojo.exercise import UsageError

KNOWN = ("cpu", "sim")


def asked_for(wanted: str | None) -> list[str] | None:
    """The devices that `--device cpu,sim` names, the CPU first; None when nothing was asked for. Does not import PyTorch.

    Raises UsageError for a name that is not known.
    """
    if wanted is None:
        return None
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    unknown = [name for name in names if name not in KNOWN]
    if unknown or not names:
        named = unknown[0] if unknown else repr(wanted)
        raise UsageError(f"--device: {named} is not a device for grading; there are {', '.join(KNOWN)}")
    return list(dict.fromkeys(["cpu", *names]))


def at_hand(names: list[str] | None) -> list[str]:
    """The devices to use: those asked for, by default all at hand. Raises UsageError for one that is asked for in vain."""
    from torchdojo import sim

    problem = sim.why_not()
    if names is None:
        return ["cpu"] if problem else ["cpu", "sim"]
    if "sim" in names and problem:
        raise UsageError(f"--device sim: {problem}; use --device cpu")
    return names
