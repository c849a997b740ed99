"""Import what workers will need, once, before they are forked (`worker.warm.imports` has the list)."""

from __future__ import annotations

from torchdojo.course.exercise import Exercise
from torchdojo.sandbox.devices import GPUS

MANY = 4  # submissions, from which on everything is imported ahead for their workers


def extras_for(exercises: list[Exercise], devices: list[str] | None = None) -> list[str]:
    """What the workers' process should have imported: the simulated device; what gradients and optimizers need if a grader's
    text uses them. What is not ready and is needed, every worker imports for itself."""
    extras = ["sim"] if devices is None or "sim" in devices else []
    extras += ["gpu"] * any(name in GPUS for name in devices or ())
    texts = [e.grader.read_text(encoding="utf-8") for e in exercises]
    used = {"grad": "grad", "torch.optim": "optim", "adopted": "adopted"}
    return extras + [extra for name, extra in used.items() if any(name in text for text in texts)]


def extras_for_many(exercises: list[Exercise], devices: list[str], submissions: int) -> list[str]:
    """What every worker of a class should find ready. The 800 modules behind optimizers take a second, once; a worker that
    imports them itself (set_default_device is enough) takes it for each submission. A few submissions do without."""
    if submissions < MANY or any(name in GPUS for name in devices):  # with a GPU each worker imports everything itself
        return extras_for(exercises, devices)
    texts = [e.grader.read_text(encoding="utf-8") for e in exercises]
    used = [extra for extra, name in (("plots", "matplotlib"), ("adopted", "adopted")) if any(name in text for text in texts)]
    return ["sim"] * ("sim" in devices) + ["optim"] + used
