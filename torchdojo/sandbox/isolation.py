"""Which locks work on this machine, which are missing, and how to get them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchdojo.common import temporary
from torchdojo.common.errors import UsageError

if TYPE_CHECKING:
    from torchdojo.sandbox.linux import Zygote

# Most valuable first. A separate user for each worker is not listed, because only root can set that up.
FACILITIES = {
    "limits": "on Linux only: use a virtual machine, WSL2 or a container",
    "seccomp": "it needs a Linux kernel with seccomp filters, on x86-64 or aarch64",
    "landlock": "it needs Linux 5.13 or newer with Landlock switched on (lsm=landlock,...)",
    "namespaces": "run as root, or allow them: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
}


def missing(layers: list[str]) -> list[str]:
    """The facilities that a worker with these layers lacks; [] when nothing is known because no worker was needed."""
    on = {layer.partition("-")[0] for layer in layers}
    return [name for name in FACILITIES if name not in on] if on else []


def text(layers: list[str]) -> str:
    """The layers around the workers in words; plain words where there is hardly one."""
    if layers == ["process"]:
        return "a separate process only (no file or network protection on this platform)"
    lacking = missing(layers)
    return ", ".join(layers) + (f"; missing on this machine: {', '.join(lacking)}" if lacking else "")


def require(zygote: Zygote) -> None:
    """Start a worker and end it. Raises UsageError, in one line, when it lacks one of the facilities."""
    empty = temporary.folder("empty")
    empty.chmod(0o755)
    worker = zygote.worker(empty)
    worker.close()
    empty.rmdir()
    lacking = missing(worker.layers)
    if lacking:
        what = " and ".join(lacking)
        raise UsageError(f"--require-isolation: {what} missing on this machine ({FACILITIES[lacking[0]]}); nothing was graded")
