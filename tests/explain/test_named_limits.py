"""An error that a limit of grading causes is explained by that limit, whose name its text doesn't have."""

import pytest

from torchdojo.explain.limits import explain_limit
from torchdojo.wire.outcome import Raised

ALLOCATE = "[enforce fail at alloc_cpu.cpp:119] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 8000000000 bytes."
NOT_PERMITTED = "[Errno 1] Operation not permitted"
CAUSED = {
    "memory": (Raised("MemoryError"), "It asked for more memory than there is: 2 GB may be used."),
    "memory for a tensor": (Raised("RuntimeError", ALLOCATE), "It asked for 8.0 GB of memory, which is more than there is"),
    "a large file": (Raised("OSError", "[Errno 27] File too large"), "Your code wrote a file of more than 16 MB"),
    "much output": (Raised("OSError", "[Errno 27] File too large", limit="printed"), "Your code printed more than 16 MB."),
    "large files": (Raised("OSError", "[Errno 28] No space left on device"), "Your code wrote more than 32 MB of files"),
    "many files": (Raised("OSError", "[Errno 28] No space left on device: 'a'"), "Your code wrote more than 4,096 files"),
    "open files": (Raised("OSError", "[Errno 24] Too many open files: 'a'"), "Your code has too many files open: at most 64."),
    "threads": (Raised("RuntimeError", "can't start new thread"), "Your code has too many threads running: at most 64."),
    "a program": (Raised("PermissionError", NOT_PERMITTED, code="run = subprocess.run(['ls'])"), "Your code can't start programs"),
    "a worker of a loader": (Raised("PermissionError", NOT_PERMITTED, within="popen_fork.py _launch"), "Your code can't start programs"),
    "the network": (Raised("PermissionError", NOT_PERMITTED, within="socket.py __init__"), "There is no network here."),
    "another file": (Raised("PermissionError", "[Errno 13] Permission denied: '/root/a'"), "Your code may not read or write this file."),
    "another call": (Raised("PermissionError", NOT_PERMITTED, code="os.nice(-1)"), "The system refuses this call"),
    "a closed file": (Raised("ValueError", "I/O operation on closed file."), "A file was used after it was closed"),
}


@pytest.mark.parametrize("name", CAUSED)
def test_a_limit_is_named(name):
    raised, said = CAUSED[name]
    assert (explain_limit(raised) or "nothing").startswith(said)


@pytest.mark.parametrize("raised", [Raised("ValueError", "my own words"), Raised("FileNotFoundError", "[Errno 2] No such file: 'a'")])
def test_other_errors_are_no_limit(raised):
    assert explain_limit(raised) is None
