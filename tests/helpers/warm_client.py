"""`python -IS warm_client.py SOCKET WORD...`: run `python WORD...` in a process that `warm` forks, with these streams, and end as it ends.

Options of Python other than -m and -c are for Python itself: then it is started.
"""

import json
import os
import signal
import socket
import sys

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ask(address, job, streams):
    """Ask the process with PyTorch to fork. Returns a connection that sends the new process's id, and its wait status at its end."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    data = json.dumps(job).encode()
    socket.send_fds(connection, [len(data).to_bytes(8, "big")], streams)
    connection.sendall(data)
    return connection


def status_of(answers):
    """The wait status; SIGKILL's if the process with PyTorch is gone."""
    return int(answers.readline() or signal.SIGKILL)


def main(address, *words):
    if not words or (words[0].startswith("-") and words[0] not in ("-m", "-c")):
        os.execv(sys.executable, [sys.executable, *words])
    job = {"words": words, "cwd": os.getcwd(), "env": dict(os.environ), "terminal": False, "ahead": True}  # noqa: PTH109 (pathlib takes longer than all this)
    connection = ask(address, job | {"executable": address.removesuffix("socket") + "python"}, [0, 1, 2])
    for number in FORWARDED:
        signal.signal(number, lambda number, _: connection.sendall(bytes([number])))
    answers = connection.makefile("r")
    answers.readline()  # its process id
    status = status_of(answers)
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL) if os.WTERMSIG(status) != signal.SIGKILL else None
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
