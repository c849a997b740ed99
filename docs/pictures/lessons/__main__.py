"""Draw the pictures of the lessons: python docs/pictures/lessons

The functions of 03_autograd.py draw the pictures in exercises/03_autograd/pictures/, each the one of its name.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from drawn import drawn, file_of

for name, svg in drawn().items():
    file = file_of(name)
    file.parent.mkdir(exist_ok=True)
    if not file.exists() or file.read_text(encoding="utf-8") != svg:
        file.write_text(svg, encoding="utf-8")
        print(f"{name}: written")
