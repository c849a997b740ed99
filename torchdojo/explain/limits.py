"""What a limit of grading means for the learner: memory, files, output, threads, processes, the network.

Graded code runs locked in (`sandbox.locks.lockdown`). What it may not do reaches it as an error of the system, whose text names no limit.
"""

from __future__ import annotations

import re

from torchdojo.limits import MIB
from torchdojo.sandbox.locks.lockdown import Limits
from torchdojo.wire.outcome import Raised

ALLOWED = Limits()
PROCESSES = "subprocess|_posixsubprocess|popen_|multiprocessing|synchronize|connection|forkserver|resource_tracker|process|dataloader"
NETWORK = "socket|ssl|urllib|http|requests|ftplib|smtplib|hub"
STARTS = r"\b(Popen|subprocess|fork\w*|spawn\w*|exec[lv]\w*|posix_spawn|multiprocessing|Process|Pool|ProcessPoolExecutor|num_workers|pty)\b"


def explain_limit(raised: Raised) -> str | None:
    """Which limit an error (as data: type, text, code, within ...) comes from, and what to do; None for an error of another kind."""
    text, kind, code = raised.text, raised.type, raised.code
    number = re.search(r"\[Errno (-?\d+)\]|error: (?:code )?(\d+)\)?$", text)
    errno = int(number[1] or number[2]) if number else None
    if kind == "MemoryError" or errno == 12 or re.search("allocate memory|not enough memory|bad_alloc|out of memory", text):
        return _memory(text)
    if errno == 27 or re.search(r"^\d+ requested and \d+ written$|inline_container.*unexpected pos", text):
        return _too_large(raised.limit == "printed")
    if errno in (28, 122):
        named = f"more than {ALLOWED.scratch_files:,} files" if re.search(r": ['\"]", text) else "more than 32 MB of files"
        return f"Your code wrote {named}, which is the limit here. Write less, or delete what you no longer need."
    if errno == 24:
        return f"Your code has too many files open: at most {ALLOWED.open_files}. Close each one: with open(...) as file."
    if re.search("can't start new thread|[Tt]hread creation failed|pthread_create", text):
        return f"Your code has too many threads running: at most {ALLOWED.threads}. Wait for the earlier ones with join(), or do without."
    if "shared memory" in text or "/psm_" in text or "shared_memory" in raised.within:
        return "Memory can't be shared with other processes here, and none may be started. Keep the tensor as it is."
    if re.search("name resolution|no internet connection|Name or service not known|Network is unreachable", text):
        return NO_NETWORK
    if kind == "PermissionError" or errno in (1, 13):
        return _refused(text, code, raised.within)
    if errno == 9 or "closed file" in text:
        return "A file was used after it was closed: don't close sys.stdout, sys.stderr or files that are not yours."
    return None


NO_NETWORK = "There is no network here. Put what the code needs into the file, or take it from the arguments."


def _memory(text: str) -> str:
    asked = re.search(r"tried to allocate (\d+) bytes", text)
    much = f"{int(asked[1]) / 1e9:,.1f} GB of memory, which is" if asked and int(asked[1]) >= 1e8 else ""
    most = f"{ALLOWED.memory // (1024 * MIB)} GB may be used"
    said = f"It asked for {much} more than there is" if much else "It asked for more memory than there is"
    return f"{said}: {most}. Print the shapes in between, and look for one that is too large."


def _too_large(printed: bool) -> str:
    most = f"{ALLOWED.file_bytes // MIB} MB"
    if printed:
        return f"Your code printed more than {most}. Remove the output."
    return f"Your code wrote a file of more than {most}, which is the limit here. Write less."


def _refused(text: str, code: str, within: str) -> str | None:
    if re.search(STARTS, code) or re.search(PROCESSES, within):
        return "Your code can't start programs or processes here: no subprocess, fork, multiprocessing, or num_workers. Do the work in the function itself."
    if re.search(rf"\b({NETWORK})\b", code) or re.search(NETWORK, within):
        return NO_NETWORK
    if re.search(r": ['\"]", text) and "[Errno 13]" in text:
        return "Your code may not read or write this file. It may use the exercise's own folder and temporary files (tempfile)."
    return "The system refuses this call while code is graded. Leave it out; the exercise doesn't need it."
