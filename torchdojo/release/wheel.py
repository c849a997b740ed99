"""The engine as one wheel, made from what is installed: no build tools, no network, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from importlib import metadata
from pathlib import Path

import torchdojo
from torchdojo.exercise import UsageError

PACKAGE = Path(torchdojo.__file__).resolve().parent
LEFT_OUT = ("__pycache__", "content")  # `content` holds the exercises of a wheel for self-learners


def name() -> str:
    return f"torchdojo-{torchdojo.__version__}-py3-none-any.whl"


def engine() -> bytes:
    """The wheel's bytes. Raises UsageError when the package runs without having been installed."""
    try:
        installed = metadata.distribution("torchdojo")
    except metadata.PackageNotFoundError:
        raise UsageError("torchdojo is not installed here, so its needs are unknown; pip install -e . and try again") from None
    info = f"torchdojo-{torchdojo.__version__}.dist-info"
    files = {
        f"torchdojo/{f.relative_to(PACKAGE).as_posix()}": f.read_bytes()
        for f in sorted(PACKAGE.rglob("*"))
        if f.is_file() and not f.is_symlink() and not set(LEFT_OUT) & set(f.relative_to(PACKAGE).parts) and f.suffix != ".pyc"
    }
    files[f"{info}/METADATA"] = _headers(installed).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: torchdojo\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = (installed.read_text("entry_points.txt") or "").encode()
    files[f"{info}/RECORD"] = "".join([*(_recorded(k, v) for k, v in files.items()), f"{info}/RECORD,,\n"]).encode()
    return zipped(files)


def _headers(installed: metadata.Distribution) -> str:
    """The metadata without the long description, and with the version of the code that is packed."""
    text = (installed.read_text("METADATA") or installed.read_text("PKG-INFO") or "").replace("\r\n", "\n")
    dropped = ("Version:", "Description-", "License-File:")
    kept = (line for line in text.partition("\n\n")[0].splitlines() if not line.startswith(dropped))
    return "\n".join([*kept, f"Version: {torchdojo.__version__}"]) + "\n"


def _recorded(path: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def zipped(files: dict[str, bytes], executable: tuple[str, ...] = ()) -> bytes:
    """A zip archive that depends on nothing but its content."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            info.external_attr = (0o100755 if path in executable else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            archive.writestr(info, data)
    return out.getvalue()
