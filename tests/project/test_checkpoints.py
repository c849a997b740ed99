"""The checkpoints that exercises come with: small, plain tensors, and what the course says of them."""

import sys
from pathlib import Path

import pytest
import torch
import warm

ROOT = Path(__file__).resolve().parents[2]
LARGEST = {"diary.pt": 130_000, "shapes.pt": 60_000}  # bytes
KNOWS = """
import sys
sys.path[:0] = sys.argv[1:]
from ex12_new_shapes import ShapeNet, predict_shapes
from given.shapes import OLD, checkpoint, draw_shapes
import torch
saved = checkpoint()
model = ShapeNet(len(OLD), saved["mean"], saved["std"])
model.load_state_dict({name: value.float() if value.is_floating_point() else value for name, value in saved["weights"].items()})
images, labels = draw_shapes(OLD, 1000, torch.Generator().manual_seed(100))
print((predict_shapes(model, images) == labels).float().mean().item())
"""


def test_each_checkpoint_is_small_and_has_tensors_and_plain_data_alone():
    files = {file.name: file for file in ROOT.glob("exercises/*/given/*.pt")}

    assert files.keys() == LARGEST.keys()
    for name, file in files.items():
        assert file.stat().st_size <= LARGEST[name]
        torch.load(file, weights_only=True)


@pytest.mark.skipif(sys.platform != "linux", reason="one platform is enough")
def test_the_network_of_the_last_chapter_knows_its_shapes():
    """Unseen ones: 98 % of them, when it was written."""
    done = warm.python("-c", KNOWS, ROOT / "reference/12_vision", ROOT / "exercises/12_vision", cwd=ROOT)

    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0.95
