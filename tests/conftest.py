"""Fixtures that are shared because they are dear: one process that forks workers, one toy dojo."""

import os
import sys

import pytest
from tiny_dojo import make_dojo

from torchdojo import sim

if sim.why_not() is None:
    sim.install()  # must come before the first backward of the process, and the tests of the lessons run many

SECRET = "a-token-of-the-grader"


@pytest.fixture(scope="session")
def zygote():
    """One warm process for the whole test session, started while the environment holds a secret."""
    if sys.platform != "linux":
        pytest.skip("workers are forked on Linux only")
    from torchdojo.launch import Zygote

    os.environ["TORCHDOJO_TEST_SECRET"] = SECRET
    found = Zygote(fresh=True)
    yield found
    found.close()


@pytest.fixture(scope="session")
def dojo(tmp_path_factory):
    """The toy dojo, as the engine sees it. Nobody writes to it."""
    from torchdojo.exercise import Dojo

    return Dojo(make_dojo(tmp_path_factory.mktemp("dojo")))
