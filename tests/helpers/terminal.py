"""A program in a pseudo-terminal, and the screen that its user sees."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pyte
import warm


class Terminal:
    """Runs a command with a terminal of its own; `screen` holds what is on it. One that begins with -m or -c is forked, see `warm`."""

    def __init__(self, command, *, cwd, columns=80, lines=24, environment=None):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.ours, theirs = os.openpty()
        self._size(theirs, columns, lines)
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs  # kept open: its settings are looked at when the program has ended
        clean = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTEST_ADDOPTS")}
        environment = clean | {"TERM": "xterm-256color", "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"} | (environment or {})
        if command[0] in ("-m", "-c") and sys.platform == "linux":
            self.process = warm.Process(command, cwd=cwd, env=environment, streams=[theirs] * 3, terminal=True, children=True)
            return
        self.process = subprocess.Popen(
            [sys.executable, *command] if command[0] in ("-m", "-c") else command,
            cwd=cwd,
            env=environment,
            **{"stdin": theirs, "stdout": theirs, "stderr": theirs},
            preexec_fn=_own_terminal,
        )

    def _size(self, fd, columns, lines):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self._size(self.ours, columns, lines)
        self.screen.resize(lines, columns)

    def type(self, keys):
        os.write(self.ours, keys.encode())

    def read(self, seconds=0.01):
        """Read the program's output so far. Returns whether there was any."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.ours, 1 << 16)
        except OSError:
            return False
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def wait_for(self, wanted, seconds=40):
        """Read until a text is on the screen; returns the screen."""
        end = time.monotonic() + seconds
        while wanted not in self.text():
            assert time.monotonic() < end, f"{wanted!r} did not come:\n{self.text()}"
            if not self.read() and self.process.poll() is not None and not self.read():
                assert wanted in self.text(), f"{wanted!r} did not come before the end ({self.process.returncode}):\n{self.text()}"
        return self.text()

    def wait(self, seconds=40):
        """Read until the program has ended; returns its exit code."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, f"still running:\n{self.text()}"
            self.read()
        while self.read():
            pass
        return self.process.returncode

    def restored(self):
        """Is the terminal as it was: settings, main screen, cursor shown?"""
        same = termios.tcgetattr(self.theirs) == self.before
        alternate = self.raw.rfind(b"\x1b[?1049l") >= self.raw.rfind(b"\x1b[?1049h")
        return same, alternate, self.raw.rfind(b"\x1b[?25h") >= self.raw.rfind(b"\x1b[?25l")

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


def _own_terminal():
    """A session of its own, with this terminal as the controlling one: Ctrl-C typed into it becomes a signal."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
