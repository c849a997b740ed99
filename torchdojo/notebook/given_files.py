"""The cell of a notebook that writes the files that come with the chapter."""

from __future__ import annotations

from pathlib import Path

from torchdojo.course.given import NAME


def lay_out(files: dict[str, str | bytes]) -> None:
    """Write files into `given/` beside the notebook, where `import given.NAME` finds them. files: path in it to content."""
    for path, content in files.items():
        target = Path(NAME) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    print(f"{NAME}/: {', '.join(files)}")
