"""What lesson, stubs and graders of 09_data say about workers is what a DataLoader with real workers does."""

from __future__ import annotations

import ast
import contextlib
import io
import random
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info

from torchdojo import LoaderWorker
from torchdojo.course.exercise import Dojo, Exercise, import_trusted
from torchdojo.explain import programs
from torchdojo.judge.oracle import Oracle
from torchdojo.learner.symptom import programs_of
from torchdojo.verify.lessons import FENCE
from torchdojo.verify.trusted import Trusted

ROOT = Path(__file__).resolve().parents[2]
DOJO = Dojo(ROOT)
LESSON = (ROOT / "exercises/09_data/README.md").read_text(encoding="utf-8")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="forked workers need no importable dataset"),
]
persistence = pytest.mark.parametrize("persistent", [False, True], ids=["new workers", "persistent workers"])


def real(data: Any, persistent: bool, epochs: int = 3, batch_size: int = 2, **options: Any) -> list[list[Any]]:
    """The batches of each epoch of a loader with two real workers."""
    loader: Any = DataLoader(
        data, batch_size, num_workers=2, persistent_workers=persistent, multiprocessing_context="fork", collate_fn=list, **options
    )
    return [list(loader) for _ in range(epochs)]


def exercise(name: str) -> Exercise:
    return next(e for e in DOJO.exercises if e.id == f"09_data/{name}")


class Draws(Dataset[Any]):
    """An item says which worker made it, the seed there, and what each of the global generators draws."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, i: int) -> list[Any]:
        info = get_worker_info()
        drawn = [torch.rand(()).item(), random.random(), numpy.random.random()]
        return [info.id, info.num_workers, info.seed, torch.initial_seed(), *drawn] if info else drawn


@persistence
def test_a_loader_worker_draws_what_a_real_worker_draws(persistent: bool) -> None:
    """Id, seed, and the numbers of PyTorch and Python; NumPy's seed follows from PyTorch's in a way of its own."""
    torch.manual_seed(3)
    for epoch in zip(*real(Draws(), persistent), strict=True):
        _, _, seed, *_ = epoch[0][0]
        worker = LoaderWorker(epoch[0][0][0], of=2, seed=seed - epoch[0][0][0])
        for batch in epoch:
            if batch[0][2] != seed:
                worker, seed = LoaderWorker(batch[0][0], of=2, seed=batch[0][2] - batch[0][0]), batch[0][2]
            with worker:
                assert [item[:-1] for item in batch] == [Draws()[i][:-1] for i in range(2)]


def test_all_global_generators_have_a_seed_of_their_own_in_each_worker_and_epoch() -> None:
    """As the lesson says."""
    items = [item for epoch in real(Draws(), False) for batch in epoch for item in batch]

    for column in (4, 5, 6):
        assert len({item[column] for item in items}) == len(items)


def test_outside_nothing_has_changed_after_a_loader_worker() -> None:
    """Neither random numbers nor get_worker_info()."""
    torch.manual_seed(1), random.seed(1), numpy.random.seed(1)
    want = Draws()[0]
    torch.manual_seed(1), random.seed(1), numpy.random.seed(1)
    with pytest.raises(ZeroDivisionError), LoaderWorker(0, of=2):
        Draws()[0], 1 / 0

    assert Draws()[0] == want and get_worker_info() is None


# ------------------------------------------------------------------ the lesson
@pytest.fixture(scope="module")
def lesson() -> dict[str, Any]:
    """The names of the lesson's section, with what it shows under `shown`."""
    section = LESSON[LESSON.index("## Random numbers in workers") : LESSON.index("## Streams and workers")]
    blocks = FENCE.findall(section)
    names: dict[str, Any] = {"torch": torch, "Dataset": Dataset, "shown": [text for kind, text in blocks if kind == "text"]}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        for kind, code in blocks:
            if kind == "python":
                exec(compile(code, "README.md", "exec"), names)
    return names


@persistence
def test_a_generator_in_the_dataset_gives_what_the_lesson_shows(lesson: dict[str, Any], persistent: bool) -> None:
    """Number by number, with real workers."""
    data = lesson["Flips"](torch.Generator().manual_seed(0))

    assert real(data, persistent) == ast.literal_eval(lesson["shown"][0].splitlines()[persistent])


@persistence
def test_the_global_generator_gives_other_numbers_each_time(lesson: dict[str, Any], persistent: bool) -> None:
    """All batches of all epochs differ."""
    found = [str(batch) for epoch in real(lesson["Flips"](), persistent) for batch in epoch]

    assert len(set(found)) == len(found)


def test_a_seeded_generator_of_the_loader_makes_workers_reproducible(lesson: dict[str, Any]) -> None:
    """With generator=, what workers draw can be repeated, whatever else is drawn."""
    torch.manual_seed(5)
    one, same, other = (real(lesson["Flips"](), False, generator=torch.Generator().manual_seed(s)) for s in (0, 0, 1))

    assert one == same != other


def test_a_persistent_worker_does_not_see_a_later_change() -> None:
    """Its copy is from the first epoch; a new worker has a new copy."""

    class Epoch(Draws):
        number = 0

        def __getitem__(self, i: int) -> Any:
            return self.number

    for persistent, want in ((True, [0, 0]), (False, [0, 1])):
        data, found = Epoch(), []
        loader: Any = DataLoader(data, 4, num_workers=1, persistent_workers=persistent, multiprocessing_context="fork", collate_fn=list)
        for data.number in range(2):
            found.append(next(iter(loader))[0])
        assert found == want


# ------------------------------------------------------------------ the exercises
def simulated(name: str, check: str, make: Any, key: str) -> bool:
    """Does the grader's check accept this module?"""
    graded = exercise(name)
    session = Trusted(Oracle(0, devices=["cpu"]), make, key)
    return session.verdict(graded, next(c for c in graded.grading.checks if c.name == check)).status == "passed"


def independent(found: list[list[Any]]) -> bool:
    """Do workers and epochs differ? Each epoch has one batch of each worker."""
    batches = [str(batch) for epoch in found for batch in epoch]
    return len(set(batches)) == len(batches)


def modules(name: str) -> dict[str, Any]:
    """How to make the reference and each variant."""
    graded = exercise(name)
    made = {v.name: (lambda v=v: programs.overlaid(graded, v)) for v in graded.variants}
    return {"reference": lambda: import_trusted(graded.reference, graded.stem), **made}


class Left(Dataset[Any]):
    """The left pixel of the same image, 40 requests in a batch: 1 if it is mirrored."""

    def __init__(self, data: Any):
        self.data = data

    def __len__(self) -> int:
        return 80

    def __getitem__(self, i: int) -> Any:
        return self.data[i % 8][0].flatten().tolist()


# One can't be made as the others are; the rest aren't about flips of the left and the right pixel.
@pytest.mark.parametrize("name", [n for n in modules("ex08_augmented_images") if n not in ("TakesAGenerator", "WritesIntoTheData", "ReversesTheChannels", "UpsideDown", "CountsTheBatchAxis")])
def test_the_check_of_augmented_images_agrees_with_real_workers(name: str) -> None:
    """It accepts those whose workers and epochs differ with real workers, new and persistent, and no others."""
    make = modules("ex08_augmented_images")[name]
    torch.manual_seed(0)
    images = torch.arange(2.0).expand(8, 1, 1, 2).clone()
    truth = all(independent(real(Left(make().AugmentedImages(images, torch.arange(8), True)), p, 2, 40)) for p in (False, True))

    assert simulated("ex08_augmented_images", "workers_decide_independently", make, name) == truth


# The tensor that one of them changes in place goes to the main process, where both have it from then on.
@pytest.mark.parametrize("name", [n for n in modules("ex10_worker_noise") if n != "writes_into_the_signals"])
def test_the_checks_of_worker_noise_agree_with_real_workers(name: str) -> None:
    """With and without seed_worker."""
    module = modules("ex10_worker_noise")[name]()

    def differ(**options: Any) -> bool:
        try:
            return all(independent(real(module.NoisySignals(torch.zeros(4, 3), 1.0), p, **options)) for p in (False, True))
        except Exception as error:
            return not re.search("seed must be|Seed must be", str(error))

    for check, options in (("workers_draw_different_noise", {}), ("a_loader_with_both_has_new_noise", {"worker_init_fn": module.seed_worker})):
        assert simulated("ex10_worker_noise", check, lambda: module, name) == differ(**options), check


def test_the_symptom_of_worker_noise_is_gone_after_the_repair() -> None:
    """Its program, run with the reference."""
    (program,) = programs_of(exercise("ex10_worker_noise").stub.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "repaired"}
    exec(compile(exercise("ex10_worker_noise").reference.read_text(encoding="utf-8"), "reference", "exec"), names)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(program.code, names)

    numbers = re.findall(r"-?\d+\.\d+", printed.getvalue())
    assert len(numbers) == 8 and len(set(numbers)) >= 7
