"""Hidden checks for NoisySignals and seed_worker: the noise by itself, in workers, and what the three generators draw there."""

import copy
import random

import numpy as np
import torch
from seeding import seeded

from torchdojo.grading import LoaderWorker, check, size, tensor

CONCEPTS = ("A06", "K08", "K12")

KEPT = {
    "workers_draw_different_noise": "one of two repairs, worth points without the other",
    "a_loader_with_both_has_new_noise": "the symptom itself, gone only with both repairs",
}
BASE = 2**40  # loaders draw seeds of 63 bits


class oracle:
    """The formula with the global generator; what workers draw is for the judges."""

    class NoisySignals:
        def __init__(self, signals, noise):
            self.signals, self.noise = signals, noise

        def __len__(self):
            return len(self.signals)

        def __getitem__(self, i):
            drawn = torch.stack([torch.randn((), dtype=self.signals.dtype) for _ in self.signals[i]])
            return torch.add(self.signals[i], drawn, alpha=self.noise)

    def seed_worker(worker_id):
        random.seed(f"python {torch.initial_seed()}")
        np.random.seed([torch.initial_seed() % 1000, torch.initial_seed() // 1000 % 1000])


@check(points=1, signals=tensor("samples time"), n=size("samples"), dtype=["float64", "float16", "float32"], minimum=1, devices=False)
def without_noise_the_signals_come(solution, signals, n, dtype, rng):
    """With noise=0 each item is its signal, in the dtype of the signals."""
    with seeded(rng):
        data = solution.NoisySignals(signals.to(getattr(torch, dtype)), 0.0)
        return {"length": len(data), "items": [data[i].clone() for i in range(n)]}


@check(points=2, noise=[0.5, 2.0], devices=False)
def the_noise_has_the_right_size(solution, noise, rng):
    """Each element of an item gets its own normally distributed noise."""
    with seeded(rng):
        signals = torch.full((2, 3000), 5.0, dtype=torch.float64)
        data = solution.NoisySignals(signals, noise)
        parts = [data[i].double() - 5 for i in (0, 1, 0)]
        found = {"mean": parts[0].mean().item(), "std": parts[0].std().item(), "largest": parts[0].abs().max().item()}
        return found | {"new": not torch.equal(parts[0], parts[2]), "signals as before": bool((signals == 5).all())}


@the_noise_has_the_right_size.judge
def _(seen, noise):
    if not abs(seen["std"] - noise) < 0.1 * noise:
        return f"with noise={noise}, the noise has a standard deviation of {seen['std']:.2f} over 3000 elements"
    if not abs(seen["mean"]) < 0.2 * noise:
        return f"with noise={noise}, the noise has a mean of {seen['mean']:.2f} over 3000 elements, wanted about 0"
    if not seen["largest"] > 2.5 * noise:
        return f"of 3000 elements none has a noise above {seen['largest']:.2f}, so it is not normally distributed"
    if not seen["new"]:
        return "a second request had the same noise as the first"
    return None if seen["signals as before"] else "signals were changed"


def in_workers(call, prepare, persistent, seed):
    """What each of two workers draws, epoch by epoch. call() makes the function that draws; a new worker begins with prepare(k)."""
    found, workers = [], []
    for epoch in range(3):
        if not (workers and persistent):
            workers = [(LoaderWorker(k, 2, seed + 10 * epoch), k) for k in range(2)]
            calls = [call() for _ in workers]
        for (worker, k), draw in zip(workers, calls, strict=True):
            with worker:
                if epoch == 0 or not persistent:
                    prepare(k)
                found.append(draw())
    return found


def equal_draws(seen):
    """Which of the draws of two workers in three epochs are the same, in words, or None."""
    if any(seen[k] == seen[k + 1] for k in (0, 2, 4)):
        return "both workers drew the same numbers in an epoch"
    if any(seen[k] == seen[k + step] for step in (2, 4) for k in range(6 - step)):
        return "a worker drew the same numbers in two epochs"
    return "a worker drew the numbers that the other one drew in another epoch" if len({str(s) for s in seen}) < 6 else None


def requests(data):
    """A function that makes a worker's copy of the data, and asks it twice for an item."""

    def start():
        own = copy.deepcopy(data)
        return lambda: [own[i].tolist() for i in (0, 1)]

    return start


@check(points=3, persistent=[False, True], seed=[BASE + 4, BASE + 99], devices=False)
def workers_draw_different_noise(solution, persistent, seed, rng):
    """Two workers of a DataLoader, and two epochs of one worker, have different noise."""
    with seeded(rng):
        data = solution.NoisySignals(torch.zeros(2, 4), 1.0)
        return in_workers(requests(data), lambda k: None, persistent, seed)


@workers_draw_different_noise.judge
def _(seen):
    return equal_draws(seen)


DRAWS = {
    "torch": lambda: torch.rand(3).tolist(),
    "Python": lambda: [random.random() for _ in range(3)],
    "NumPy": lambda: np.random.random(3).tolist(),
}


@check(points=3, name=["torch", "Python", "NumPy"], seed=[BASE + 4, 2**33 - 5], devices=False)
def generators_are_seeded_anew(solution, name, seed, rng):
    """After seed_worker the global generators draw other numbers in each worker and epoch."""
    with seeded(rng):
        return in_workers(lambda: DRAWS[name], solution.seed_worker, False, seed)


@generators_are_seeded_anew.judge
def _(seen, name):
    why = equal_draws(seen)
    return f"after seed_worker, with {name}: {why}" if why else None


@check(points=1, persistent=[False, True], seed=[BASE + 4], devices=False)
def a_loader_with_both_has_new_noise(solution, persistent, seed, rng):
    """With seed_worker as worker_init_fn, the noise is different in each worker and epoch."""
    with seeded(rng):
        data = solution.NoisySignals(torch.zeros(2, 4), 1.0)
        return in_workers(requests(data), solution.seed_worker, persistent, seed)


@a_loader_with_both_has_new_noise.judge
def _(seen):
    return equal_draws(seen)


@check(points=1, star=True, seed=[3, 11], devices=False)
def the_seed_decides_about_the_noise(solution, seed, rng):
    """After the same torch.manual_seed the same noise comes again; after another seed, other noise."""
    with seeded(rng):
        found = []
        for s in (seed, seed, seed + 1):
            torch.manual_seed(s)
            found.append(requests(solution.NoisySignals(torch.zeros(2, 4), 1.0))()())
        return found


@the_seed_decides_about_the_noise.judge
def _(runs):
    if runs[0] != runs[1]:
        return "the same requests gave different items after the same torch.manual_seed"
    return "the same requests gave the same items after two different seeds" if runs[0] == runs[2] else None
