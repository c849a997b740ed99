"""All that there is to say about devices, in one command: python benchmarks/devices.py [NAME ...]

    speed        sim against the CPU: 1,000 steps of a 1-16-1 network, a small CNN, install()    (any machine)
    opinfo       PyTorch's operator database on every accelerator at hand against the CPU        (any machine)
    programs     tests/device_programs on every device at hand                                   (any machine)
    mixed        every call of the database with one tensor left on the CPU, sim against cuda    (cuda)
    tests        the tests that are marked cuda, with the claims of sim made of cuda             (cuda)
    tolerances   measured errors of this machine's GPU, and the tolerances that follow           (cuda)
    graders      pytest graders --submission reference --device cuda                             (cuda)
    verify       torchdojo verify --device cuda                                                  (cuda)

Without a name it runs all that this machine can. A GPU machine needs torch 2.10 or newer with CUDA, `pip install -e
".[dev]"`, and about half an hour. Exit code 1 if a part fails. docs/simulated-device.md holds the figures.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from amount import TINY, amount, missed

ROOT = Path(__file__).resolve().parent.parent
TESTS = str(ROOT / "tests" / "helpers")
sys.path.insert(0, TESTS)
MLP_LIMIT, CNN_LIMIT, INSTALL_LIMIT = 8.0, 2.5, 0.050  # ratios, ratios, processor seconds
ROUNDS = amount(3, tiny=1)
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1"}  # as it is before `speed` installs sim, which hides CUDA


def command(*words: str, shown: str = "") -> bool:
    """Run Python with these words, its output passed on; did it end with 0?"""
    print("$", shown or f"python {' '.join(words)}", flush=True)
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=ENVIRONMENT, check=False).returncode == 0


# ------------------------------------------------------------------ speed
def mlp(place: str, optimizer: str, steps: int) -> float:
    """Processor seconds of training a 1-16-1 network."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1)).to(place)
    x = torch.linspace(-3, 3, 64)[:, None].to(place)
    y, opt = x.sin(), getattr(torch.optim, optimizer)(model.parameters(), lr=0.01)
    start = time.process_time()
    for _ in range(steps):
        opt.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        opt.step()
    return time.process_time() - start


def cnn(place: str, steps: int) -> float:
    """Processor seconds of training two convolutions and a linear layer on 32 images of 28 by 28."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    parts = [nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    model = nn.Sequential(*parts, nn.Flatten(), nn.Linear(16 * 49, 10)).to(place)
    x, y = torch.randn(32, 1, 28, 28).to(place), torch.arange(32).remainder(10).to(place)
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    start = time.process_time()
    for _ in range(steps):
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
    return time.process_time() - start


def ratio(work: Callable[..., float], *settings: object) -> float:
    """sim against the CPU, in turns; the best round of each."""
    rounds = [(work("cpu", *settings), work("sim", *settings)) for _ in range(ROUNDS)]
    return min(there for _, there in rounds) / min(here for here, _ in rounds)


def speed() -> bool:
    import torch

    from torchdojo import sim

    torch.set_num_threads(1)
    start = time.process_time()
    sim.install()
    installing = time.process_time() - start
    mlp("cpu", "SGD", 10), mlp("sim", "SGD", 10), cnn("cpu", 2), cnn("sim", 2)  # the first steps import things
    found = {
        "1,000 steps of a 1-16-1 network, SGD": (ratio(mlp, "SGD", amount(1000, tiny=5)), MLP_LIMIT),
        "1,000 steps of a 1-16-1 network, Adam": (ratio(mlp, "Adam", amount(1000, tiny=5)), None),
        "small CNN, SGD": (ratio(cnn, amount(40, tiny=1)), CNN_LIMIT),
    }
    for name, (times, limit) in found.items():
        print(f"{name:40} {times:5.1f} times the CPU" + (f"  (at most {limit:g})" if limit else ""))
    print(f"{'install()':40} {installing * 1000:5.0f} ms of processor time  (at most {INSTALL_LIMIT * 1000:.0f})")
    return not missed(installing > INSTALL_LIMIT or any(limit is not None and times > limit for times, limit in found.values()))


# ------------------------------------------------------------------ everything else has commands of its own
def accelerators() -> list[str]:
    from torchdojo import sim
    from torchdojo.sandbox.devices import at_hand

    return list(dict.fromkeys([*([] if sim.why_not() else ["sim"]), *at_hand(None)[1:]]))


def opinfo() -> bool:
    sweeps = [(what, device) for device in accelerators() for what in ("agreement", "mixed")]
    return all([command("tests/helpers/opinfo_sweep.py", what, device) for what, device in sweeps])


def programs() -> bool:
    return command("tests/helpers/device_bank.py", *accelerators())


def mixed() -> bool:
    return command("tests/helpers/opinfo_sweep.py", "mixed", "sim", "cuda")


def tests() -> bool:
    return command("-m", "pytest", "-q", "-m", "cuda", "tests")


def tolerances() -> bool:
    return command("benchmarks/tolerances.py", "--write")


def graders() -> bool:
    words = ("graders", "--submission", "reference", "--device", "cuda")
    return command("-m", "pytest", "-q", *words, shown=f"pytest {' '.join(words)}")


def verify() -> bool:
    words = ("verify", "--device", "cuda")
    return command("-m", "torchdojo", *words, shown=f"torchdojo {' '.join(words)}")


EVERYWHERE, WITH_CUDA = amount([speed, opinfo, programs], tiny=[speed]), [mixed, tests, tolerances, graders, verify]


def main(names: list[str]) -> int:
    parts = {part.__name__: part for part in [*EVERYWHERE, *WITH_CUDA]}
    unknown = [name for name in names if name not in parts]
    if unknown:
        print(f"devices.py: {unknown[0]} is none of {', '.join(parts)}", file=sys.stderr)
        return 2
    cuda = not TINY and "cuda" in accelerators()
    chosen = [parts[name] for name in names] or [*EVERYWHERE, *(WITH_CUDA if cuda else [])]
    needs = [part.__name__ for part in chosen if part in WITH_CUDA]
    if needs and not cuda:
        print(f"devices.py: {needs[0]} needs a CUDA device, and PyTorch finds none here", file=sys.stderr)
        return 2
    short = []
    for part in chosen:
        print(f"\n== {part.__name__}", flush=True)
        if not part():
            short.append(part.__name__)
    if not cuda and not names:
        print(f"\nNo CUDA device here: {', '.join(part.__name__ for part in WITH_CUDA)} wait for one.")
    print("\nfailed: " + ", ".join(short) if short else "\nall passed")
    return 1 if short else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
