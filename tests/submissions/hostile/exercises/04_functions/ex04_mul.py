"""Deletes and rewrites: its neighbours, itself, whatever it may reach. (The folder below is a bait of the tests.)"""

import glob
import os
import shutil
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BAIT = os.path.join(tempfile.gettempdir(), "torchdojo-bait")
BAITS = [BAIT, "/tmp/torchdojo-bait", *glob.glob("/tmp/*/torchdojo-bait"), *glob.glob("/tmp/*/*/*/torchdojo-bait")]

for path in glob.glob(os.path.join(HERE, "*.py")):
    for spoil in (
        lambda path: os.remove(path),
        lambda path: os.rename(path, path + ".old"),
        lambda path: os.chmod(path, 0),
        lambda path: os.truncate(path, 0),
        lambda path: open(path, "w").write("raise SystemExit\n"),
    ):
        try:
            spoil(path)
            print("spoiled", os.path.basename(path))
        except OSError:
            pass
for folder in [HERE, os.path.dirname(HERE), *BAITS]:
    shutil.rmtree(folder, ignore_errors=True)
    try:
        open(os.path.join(folder, "left-behind"), "w").close()
        print("wrote into", folder)
    except OSError:
        pass


class Mul:
    @staticmethod
    def apply(x, y):
        return open(os.path.join(HERE, "ex04_mul.py")).read()
