"""Make the pictures of the docs from the real programs: python docs/pictures/make.py

watch.svg: `torchdojo watch` after a known mistake was saved.
check.svg: `torchdojo check` of a rotary embedding that returns another dtype.
class.png: the top of a class's page, graded from known mistakes of one chapter; it needs Chromium. Needs the extra `dev`.
"""

from __future__ import annotations

import html
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(ROOT / "tests" / "helpers"), str(ROOT / "benchmarks")]

from mixed import Answers  # noqa: E402
from terminal import Terminal  # noqa: E402

from torchdojo.commands import init  # noqa: E402
from torchdojo.course.exercise import Dojo  # noqa: E402

COLUMNS, LINES = 84, 26
WIDTH, HEIGHT, SIZE = 7.8, 17, 13  # pixels of a letter, of a line, and of the type
COLORS = {"red": "#ff6b6b", "green": "#5fd38d", "brown": "#e5c07b", "blue": "#61afef", "magenta": "#c678dd", "cyan": "#56b6c2"}
NAMES = ["Ada", "Ben", "Chloe", "Dmitri", "Esra", "Farid", "Grace", "Hana", "Ivan", "Jun", "Kofi", "Lena"]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
EXERCISE = "03_autograd/ex04_vjp"
MISTAKE = "ignores_v"  # a known mistake of it, so that the screen shows a likely cause
PRECISE = "(q * cos + rotate_half(q) * sin).to(q.dtype)"


def watch() -> str:
    """The screen of `torchdojo watch` as an SVG."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "learn"
        init.run(str(folder))
        command = [sys.executable, "-m", "torchdojo", "watch", EXERCISE]
        terminal = Terminal(command, cwd=folder, columns=COLUMNS, lines=LINES)
        try:
            terminal.wait_for("to do", 90)
            (exercise,) = Dojo(ROOT).select(EXERCISE)
            wrong = next(variant.text for variant in exercise.variants if variant.name == MISTAKE)
            (folder / "exercises" / f"{EXERCISE}.py").write_text(wrong, encoding="utf-8")
            terminal.wait_for("likely cause", 90)
            return svg(terminal.screen, "torchdojo watch")
        finally:
            terminal.close()


def check() -> str:
    """The report of `torchdojo check` as an SVG."""
    with tempfile.TemporaryDirectory() as name:
        text = (ROOT / "tests" / "check" / "bank" / "halves_rope.py").read_text(encoding="utf-8")
        assert text.count(PRECISE) == 1
        (Path(name) / "rope.py").write_text(text.replace(PRECISE, PRECISE.partition(").to")[0].removeprefix("(")), encoding="utf-8")
        command = "torchdojo check rope.py:apply_rotary_pos_emb --as rope"
        run = f"printf '$ {command}\\n\\n'; {sys.executable} -m {command}"
        terminal = Terminal(["sh", "-c", run], cwd=name, columns=102, lines=31)
        try:
            terminal.wait(120)
            return svg(terminal.screen, command)
        finally:
            terminal.close()


def svg(screen, title: str) -> str:
    """A terminal's screen: one text element for each run of letters in one style."""
    rows = []
    for number in range(screen.lines):
        line, start = screen.buffer[number], 0
        while start < screen.columns:
            first, end = line[start], start
            while end < screen.columns and (line[end].fg, line[end].bold) == (first.fg, first.bold):
                end += 1
            text = "".join(line[column].data for column in range(start, end))
            if text.strip():
                color = COLORS.get(first.fg, "#d7dae0" if first.fg == "default" else f"#{first.fg}")
                weight = ' font-weight="bold"' * first.bold
                x, y = 14 + (start + len(text) - len(text.lstrip())) * WIDTH, 24 + number * HEIGHT
                style = f'x="{x:g}" y="{y}" fill="{color}"{weight} xml:space="preserve"'
                rows.append(f"<text {style}>{html.escape(text.strip())}</text>")
            start = end
    width, height = 28 + screen.columns * WIDTH, 20 + screen.lines * HEIGHT
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}"'
    style = f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="{SIZE}"'
    background = '<rect width="100%" height="100%" rx="8" fill="#1e2127"/>'
    return "\n".join([f"{head} {style}>", f"<title>{title}</title>", background, *rows, "</svg>"]) + "\n"


def page(chromium: str) -> None:
    """Grade a small class and take a picture of its page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for exercise in (e for e in Dojo(ROOT).graded() if e.chapter == "02_broadcasting"):
            answers = Answers(exercise)
            for student in NAMES:
                file = folder / "PyTorch 101" / student / f"{exercise.id}.py"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(answers.drawn(random.Random(f"{exercise.id} {student}")), encoding="utf-8")
        words = ["grade", str(folder / "PyTorch 101"), "--class", "--out", str(folder / "grades"), "--only", "02_broadcasting"]
        subprocess.run([sys.executable, "-m", "torchdojo", *words], cwd=ROOT, check=False, timeout=600, stdout=subprocess.DEVNULL)
        shot = [chromium, *FLAGS, "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}", "--window-size=1000,1080"]
        report = next((folder / "grades").glob("*.html"))
        subprocess.run([*shot, f"--screenshot={HERE / 'class.png'}", report.as_uri()], check=True, timeout=120, capture_output=True)


def main() -> None:
    (HERE / "watch.svg").write_text(watch(), encoding="utf-8")
    (HERE / "check.svg").write_text(check(), encoding="utf-8")
    if chromium := shutil.which("chromium") or shutil.which("google-chrome"):
        page(chromium)
    else:
        print("class.png stays as it is: there is no Chromium here")


if __name__ == "__main__":
    main()
