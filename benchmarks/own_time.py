"""A pytest plugin (`-p own_time`): the processor time of the test functions alone, written to the file $OWN_TIME."""

import os
import time
from pathlib import Path

import pytest

spent = 0.0


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call():
    global spent
    start = time.process_time()
    try:
        return (yield)
    finally:
        spent += time.process_time() - start


def pytest_unconfigure():
    Path(os.environ["OWN_TIME"]).write_text(str(spent))
