"""The engine as one wheel, made from what is installed: no build tools, no network, the same bytes every time."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from importlib import metadata
from pathlib import Path

import torchdojo
from torchdojo.common import toml
from torchdojo.common.errors import UsageError

PACKAGE = Path(torchdojo.__file__).resolve().parent
LEFT_OUT = ("__pycache__", "content")  # `content` holds the exercises of a wheel for self-learners
TEMPLATES = "layouts"  # of courses and exercises, with a solved one: not for students


def name() -> str:
    return f"torchdojo-{torchdojo.__version__}-py3-none-any.whl"


def engine(*, templates: bool = False) -> bytes:
    """The wheel's bytes. templates: with those of `torchdojo new` and `course`, for staff.

    Raises UsageError when nothing says what the package needs.
    """
    left_out = {*LEFT_OUT} if templates else {*LEFT_OUT, TEMPLATES}
    headers, entry_points = _from_project() or _from_installation()
    info = f"torchdojo-{torchdojo.__version__}.dist-info"
    files = {
        f"torchdojo/{f.relative_to(PACKAGE).as_posix()}": f.read_bytes()
        for f in sorted(PACKAGE.rglob("*"))
        if f.is_file() and not f.is_symlink() and not left_out & set(f.relative_to(PACKAGE).parts) and f.suffix != ".pyc"
    }
    files[f"{info}/METADATA"] = f"{headers}Version: {torchdojo.__version__}\n".encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: torchdojo\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = entry_points.encode()
    files[f"{info}/RECORD"] = "".join([*(_recorded(k, v) for k, v in files.items()), f"{info}/RECORD,,\n"]).encode()
    return zipped(files)


def _from_project() -> tuple[str, str] | None:
    """Metadata and entry points as a checkout's pyproject.toml says them now; an editable installation may be older."""
    file = PACKAGE.parent / "pyproject.toml"
    if not file.is_file():
        return None
    project = toml.loads(file.read_text(encoding="utf-8"))["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    for extra, wanted in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"]
        for needed in wanted:
            name, _, condition = needed.partition(";")
            marks = f"({condition.strip()}) and " if condition else ""
            lines.append(f"Requires-Dist: {name.strip()} ; {marks}extra == '{extra}'")
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    points = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in named.items()) for group, named in groups.items()]
    return "\n".join(lines) + "\n", "\n".join(points)


def _from_installation() -> tuple[str, str]:
    """Metadata without the long description, and entry points, of the installed package."""
    try:
        installed = metadata.distribution("torchdojo")
    except metadata.PackageNotFoundError:
        raise UsageError("torchdojo is not installed here, so its dependencies are unknown; pip install it and try again") from None
    text = (installed.read_text("METADATA") or installed.read_text("PKG-INFO") or "").replace("\r\n", "\n")
    dropped = ("Version:", "Description-", "License-File:")
    kept = (line for line in text.partition("\n\n")[0].splitlines() if not line.startswith(dropped))
    return "\n".join(kept) + "\n", installed.read_text("entry_points.txt") or ""


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
