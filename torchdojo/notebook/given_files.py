"""The cell of a notebook that writes the files that come with the chapter."""

from __future__ import annotations

from base64 import b85decode
from pathlib import Path

from torchdojo.course.given import NAME


def lay_out(files: dict[str, str], packed: dict[str, str] | None = None) -> None:
    """Write files into `given/` beside the notebook, where `import given.NAME` finds them.

    files: path in it to text. packed: path to other content, in base85.
    """
    contents = {path: text.encode() for path, text in files.items()}
    contents |= {path: b85decode(text) for path, text in (packed or {}).items()}
    for path, content in contents.items():
        target = Path(NAME) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print(f"{NAME}/: {', '.join(contents)}")
