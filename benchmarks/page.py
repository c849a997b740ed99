"""The class's page for 500 students by 80 exercises: python benchmarks/page.py [STUDENTS EXERCISES]

Prints the size of the page, the processor seconds to read the journal and to write it, and, where there is a Chromium, the time
that it takes to open the page from disk until it is laid out, less that of an empty page.
"""

from __future__ import annotations

import gc
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from amount import amount
from synthetic import make

from torchdojo.classroom.gradebook import gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.reports.many import html

FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --dump-dom"


def opened(browser: str, page: Path, folder: Path) -> float:
    """Wall seconds from the start of the browser to its end; the least of three."""
    found = []
    for n in range(amount(3, tiny=1)):
        begin = time.perf_counter()
        command = [browser, *FLAGS.split(), f"--user-data-dir={folder / f'profile{n}'}", page.as_uri()]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=120)
        found.append(time.perf_counter() - begin)
    return min(found)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="torchdojo-page-") as name:
        folder = Path(name)
        make(folder / "grades", *(map(int, sys.argv[1:]) if sys.argv[1:] else amount((500, 80), tiny=(3, 2))))
        gc.disable()  # as the command does
        begin = time.process_time()
        journal = Journal(folder / "grades")
        book = gradebook(journal, folder / "grades")
        read = time.process_time() - begin
        begin = time.process_time()
        text = html.write(book, {})
        wrote = time.process_time() - begin
        page, empty = folder / "report.html", folder / "empty.html"
        page.write_text(text, encoding="utf-8")
        empty.write_text("<!doctype html><title>nothing</title>")
        print(f"{len(book.students)} students by {len(book.exercises)} exercises: {page.stat().st_size / 1e6:.2f} MB")
        print(f"processor seconds: {read:.2f} to read the journal, {wrote:.2f} to write the page")
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        if browser:
            pairs = [(opened(browser, page, folder), opened(browser, empty, folder)) for _ in range(amount(2, tiny=1))]
            more = statistics.fmean(p - e for p, e in pairs)
            print(f"opening it: {more:.2f} s more than an empty page, {min(p for p, _ in pairs):.2f} s in all")


if __name__ == "__main__":
    main()
