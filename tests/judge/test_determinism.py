"""The same submission, the same record: again, at the same time as others, in another order, in another process.

More of the same, by hand: PYTHONPATH=tests/helpers python tests/judge/test_determinism.py 20 [submission ...] grades each of tests/submissions 20 times, alone
and two at a time, and says how many different records there were.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import torch
from tiny_dojo import DOUBLE, RIGHT, TOTAL, make_dojo, make_submission

if sys.platform != "linux":
    pytest.skip("workers are forked on Linux only", allow_module_level=True)

from torchdojo import cli
from torchdojo.course.exercise import Dojo
from torchdojo.explain.records import grade_submission
from torchdojo.judge.oracle import Oracle
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.opening import open_submission
from torchdojo.worker.reproducible import ALIKE, STARTED

pytestmark = pytest.mark.timeout(600)
ROOT = Path(__file__).resolve().parents[2]
SUBMISSIONS = ROOT / "tests" / "submissions"

# Right, wrong, and all that could differ from run to run.
SAMPLES = {
    "right": RIGHT[DOUBLE],
    "wrong": "def double(x):\n    return x * 3\n",
    "raises with an address": "def double(x):\n    raise ValueError(object())\n",
    "prints addresses and paths": "import warnings\nwarnings.warn('here')\ndef double(x):\n    print(object(), double, __file__)\n    return x * 2\n",
    "a warning at import": "PATTERN = '\\d'\ndef double(x):\n    return x * 2\n",
    "order of a set": "WORDS = list({'alpha', 'beta', 'gamma', 'delta'})\ndef double(x):\n    print(WORDS)\n    return x * (2 + WORDS.index('beta'))\n",
    "unfilled memory": "import torch\ndef double(x):\n    return torch.empty(x.shape, dtype=x.dtype)\n",
    "system random": "import os\ndef double(x):\n    return x * (2 + os.urandom(1)[0] % 2)\n",
    "system random at import": "import os\nLUCKY = os.urandom(1)[0] % 2\ndef double(x):\n    return x * (2 + LUCKY)\n",
    "number of the process": "import os\ndef double(x):\n    return x * (2 + os.getpid() // 2 % 2)\n",
    "clock": "import time\ndef double(x):\n    return x * 2 + time.time_ns() % 3\n",
    "unseeded generator": "import random\nR = random.Random()\ndef double(x):\n    return x * 2 + R.random()\n",
    "unseeded torch": "import torch\ndef double(x):\n    torch.seed()\n    return x * 2 + torch.rand(())\n",
    "seeded chance": "import torch\ndef double(x):\n    return x * 2 + torch.rand(())\n",
    "raises now and then": "import os\ndef double(x):\n    if os.urandom(1)[0] % 2:\n        raise ValueError\n    return x * 2\n",
    "exits": "import os\ndef double(x):\n    os._exit(3)\n",
    "counts its calls": "n = 0\ndef double(x):\n    global n\n    n += 1\n    return x * (2 if n < 20 else 3)\n",
}
FLAKY = [
    "system random",
    "system random at import",
    "number of the process",
    "clock",
    "unseeded generator",
    "unseeded torch",
    "raises now and then",
]
CHANGES = "the same call, repeated with the same input and the same seed, gave another answer"
RAISES = "one call works, and another call with the same input raises ValueError at line 4: raise ValueError."


def record_of(zygote, dojo, folder, order, oracle=None) -> str:
    """The record of a submission as text, without times, its exercises in the order of the dojo."""
    submission, exercises = open_submission(folder, dojo)
    found = {}
    for _, exercise, check in grade_submission(zygote, submission, order(exercises), oracle or Oracle()):
        facts = {k: v for k, v in vars(check).items() if k != "seconds"}
        found.setdefault(exercise.id, []).append(facts)
    return json.dumps({e.id: found[e.id] for e in exercises}, indent=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_record_in_any_order_and_with_any_oracle(zygote, dojo, tmp_path, name):
    """Five times: new workers, a used or unused oracle, exercises forward and backward."""
    folder = make_submission(tmp_path, double=SAMPLES[name], total=RIGHT[TOTAL])
    used = Oracle()
    backwards = [record_of(zygote, dojo, folder, lambda e: e[::-1], oracle) for oracle in (used, used, None)]
    forwards = [record_of(zygote, dojo, folder, lambda e: e, oracle) for oracle in (used, None)]
    assert len({*backwards, *forwards}) == 1
    if name in FLAKY:
        assert (RAISES if "raises" in name else CHANGES) in forwards[0]
        assert '"score": 2' not in forwards[0]


@pytest.mark.slow
def test_memory_that_nobody_filled_reads_the_same_however_often(zygote, dojo, tmp_path):
    """Freed blocks are in a different order each time; none of them may be returned unfilled."""
    folder = make_submission(tmp_path, double=SAMPLES["unfilled memory"], total=RIGHT[TOTAL])
    oracle = Oracle()
    assert len({record_of(zygote, dojo, folder, lambda e, n=n: e[:: 1 - n % 2 * 2], oracle) for n in range(40)}) == 1


def commands(root, folder, times, at_once) -> list[str]:
    """The output of `torchdojo grade --json`, several times, so many at a time; without times."""
    words = ["-m", "torchdojo", "grade", str(folder), "--json"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONHASHSEED"} | {"OMP_NUM_THREADS": "1"}
    found = []
    for _ in range(0, times, at_once):
        running = [
            subprocess.Popen([sys.executable, *words], cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
            for _ in range(at_once)
        ]
        found += [process.communicate()[0] for process in running]
    return [without_seconds(text) for text in found]


def without_seconds(text: str) -> str:
    record = json.loads(text)
    for exercise in record["exercises"]:
        for check in exercise["checks"]:
            assert check.pop("seconds") >= 0
    return json.dumps(record, indent=1)


@pytest.mark.slow
def test_the_same_record_from_the_command_alone_and_under_load(tmp_path):
    """In separate processes, two at a time, while something else keeps the processors busy."""
    root = make_dojo(tmp_path / "dojo")
    texts = "\n\n".join(
        SAMPLES[name].replace("double", name.replace(" ", "_")) for name in ("order of a set", "prints addresses and paths")
    )
    double = f"{texts}\n\ndef double(x):\n    order_of_a_set(x)\n    return prints_addresses_and_paths(x)\n"
    folder = make_submission(tmp_path / "s", double=double, total=SAMPLES["unfilled memory"].replace("double", "total"))
    alone = commands(root, folder, 2, 1)
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        busy = commands(root, folder, 2, 2)
    finally:
        for process in load:
            process.kill()
            process.wait()
    assert len({*alone, *busy}) == 1
    assert "alpha" in alone[0] and "0x..." in alone[0]


NUMBERS = """
import torch
F, a = torch.nn.functional, torch.linspace(-3, 3, 65 * 33).reshape(65, 33)
for x in a, a.double(), a.bfloat16():
    found = [x @ x.T, x.exp(), x.abs().log(), x.tanh(), x.softmax(1), x.var(1), x.sum(), F.gelu(x), F.layer_norm(x, x.shape[1:])]
    found += [F.conv2d(x[None, None], x[:3, :3][None, None]), torch.randn(40, generator=torch.Generator().manual_seed(0), dtype=x.dtype)]
    print([f.double().flatten().tolist() for f in found])
print(torch.linalg.svdvals(a), torch.cdist(a, a + 1).tolist())
"""
OLDER = ({"MKL_ENABLE_INSTRUCTIONS": "AVX2"}, {"MKL_ENABLE_INSTRUCTIONS": "SSE4_2"})


@pytest.mark.slow
def test_numbers_are_rounded_as_on_an_older_processor():
    """PyTorch, MKL and oneDNN are set to use the oldest kernels, whatever the processor supports."""
    words, environment = [sys.executable, "-c", NUMBERS], os.environ | {"OMP_NUM_THREADS": "1"} | ALIKE
    found = [subprocess.run(words, env=environment | older, capture_output=True, check=True).stdout for older in ({}, *OLDER)]
    assert len(found[0]) > 10_000
    assert len({hashlib.sha256(text).hexdigest() for text in found}) == 1


@pytest.mark.slow
def test_workers_and_what_they_are_compared_with_round_alike(zygote, dojo, tmp_path):
    """In its own zygote, and in one that is forked from the command; the tests use the same settings."""
    double = "import os, torch\ndef double(x):\n    print(torch.backends.cpu.get_cpu_capability(), os.getenv('MKL_CBWR'))\n    return x * 2\n"
    folder = make_submission(tmp_path, double=double, total=RIGHT[TOTAL])
    for record in (record_of(zygote, dojo, folder, lambda e: e), commands(dojo.root, folder, 1, 1)[0]):
        assert "DEFAULT COMPATIBLE" in record
    assert torch.backends.cpu.get_cpu_capability() == "DEFAULT"


UNFILLED = """
import random, torch
from torchdojo.worker import warm
warm.fill_new_memory()
random.seed(1)
for _ in range(30_000):
    tensors = [torch.ones(random.randrange(1, 300)) for _ in range(random.randrange(1, 12))]
    pieces = [bytes(random.randrange(500, 3000)) for _ in range(random.randrange(1, 12))]
    random.shuffle(tensors)
    del tensors, pieces
    assert torch.empty(random.randrange(1, 80), dtype=torch.float64).isnan().all()
"""


@pytest.mark.slow
def test_what_nobody_filled_is_nan_however_much_was_freed():
    """glibc would keep freed blocks and return them unfilled, one in ten thousand."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"} | STARTED
    subprocess.run([sys.executable, "-c", UNFILLED], cwd=ROOT, env=environment, check=True)


def test_a_command_that_judges_starts_itself_again(monkeypatch):
    """With the variables that must be set from the start; once."""
    started = []
    monkeypatch.setattr(os, "execve", lambda file, words, environment: started.append(environment))
    for name in STARTED:
        monkeypatch.delenv(name, raising=False)
    cli.start_alike()
    assert len(started) == 1 and STARTED.items() <= started[0].items()
    for name, value in STARTED.items():
        monkeypatch.setenv(name, value)
    cli.start_alike()
    assert len(started) == 1


def by_hand(times: int, names: list[str]) -> None:
    for name in names or sorted(path.name for path in SUBMISSIONS.iterdir() if path.is_dir()):
        alone = commands(ROOT, SUBMISSIONS / name, times, 1)
        together = commands(ROOT, SUBMISSIONS / name, times, 2)
        print(
            f"{name}: {len(alone)} times alone and {len(together)} two at a time: {len({*alone, *together})} different records",
            flush=True,
        )
    with tempfile.TemporaryDirectory() as folder:
        zygote, dojo = Zygote(fresh=True), Dojo(make_dojo(Path(folder, "dojo")))
        for name, text in SAMPLES.items():
            path = make_submission(Path(folder, name), double=text, total=RIGHT[TOTAL])
            records = {record_of(zygote, dojo, path, lambda e: random.sample(e, len(e))) for _ in range(times)}
            print(f"{name}: {times} times in any order: {len(records)} different records", flush=True)
        zygote.close()


if __name__ == "__main__":
    by_hand(int(sys.argv[1]), sys.argv[2:])
