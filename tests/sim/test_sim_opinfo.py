"""PyTorch's own operator database as the oracle of the simulated device: every operator, five samples of each.

The database changes settings of the process that imports it; see opinfo_sweep.py, which also runs by itself.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rotation import part

from torchdojo import sim

EVERY = part([*range(12)])  # every twelfth operator, or all
pytestmark = [
    pytest.mark.slow,
    pytest.mark.every_run,
    pytest.mark.skipif(sim.why_not() is not None, reason=str(sim.why_not())),
    pytest.mark.skipif(importlib.util.find_spec("expecttest") is None, reason="PyTorch's operator database needs expecttest"),
    pytest.mark.timeout(240),
]

# What differs from the CPU, and what a GPU does there.
DIFFERENT = {
    "sparse.sampled_addmm": "sparse tensors are not simulated",
    "sparse.mm.reduce": "sparse tensors are not simulated",
    "to_sparse": "sparse tensors are not simulated",
    "tensor_split": "sections as a tensor have to be on the CPU; CUDA raises the same error",
}
# Operators that may see two devices without an error; CUDA lets each of them pass as well.
SILENT = {
    "broadcast_tensors": "only shapes meet",
    "expand_as": "the other tensor gives its shape only",
    "view_as": "the other tensor gives its shape only",
    "reshape_as": "the other tensor gives its shape only",
    "resize_as_": "the other tensor gives its shape only",
    "atleast_1d": "the tensors never meet",
    "atleast_2d": "the tensors never meet",
    "atleast_3d": "the tensors never meet",
    "narrow": "the start is read as a number",
    **dict.fromkeys(("as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"), "one tensor is copied into a copy of another"),
    "index_put": "indices may be on the CPU",
    "_unsafe_masked_index": "indices may be on the CPU",
    "_unsafe_masked_index_put_accumulate": "indices may be on the CPU",
    "nn.functional.ctc_loss": "lengths belong on the CPU, and PyTorch fetches targets itself",
    "nn.functional.batch_norm": "an empty batch is answered before any kernel is asked",
}


@pytest.fixture(scope="module")
def swept() -> dict:
    """The results of both sweeps, as data."""
    script = Path(__file__).parents[1] / "helpers" / "opinfo_sweep.py"
    done = subprocess.run(
        [sys.executable, str(script), "both", "sim", "--json", f"--every={EVERY[0]}/{12 // len(EVERY)}"],
        capture_output=True, text=True, check=False, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_every_operator_agrees_with_the_cpu_forward_and_backward(swept):
    """Shapes, dtypes, values, gradients; random operators by shape and dtype."""
    found = swept["agreement"]

    assert set(found["wrong"]) == set(DIFFERENT) & set(found["operators"]), found["wrong"]
    assert len(found["operators"]) > 50 * len(EVERY)


def test_one_tensor_left_on_the_cpu_raises(swept):
    """At least 95 of 100 calls of all operators; CUDA allows the others."""
    outcomes = swept["mixed"]
    silent = {name.partition(", sample")[0] for name, said in outcomes.items() if said == "silent"}
    raised = sum(said == "device error" for said in outcomes.values())

    assert silent <= set(SILENT)
    assert raised + sum(said == "silent" for said in outcomes.values()) == len(outcomes), "an error that does not speak of devices"
    assert len(outcomes) > 100 * len(EVERY)
    if len(EVERY) > 1:
        assert raised / len(outcomes) >= 0.95
