"""Write the checkpoint of 12_vision/ex12: python docs/checkpoints/shapes.py

The reference's network learns the five OLD shapes from 6,000 images, and is saved in float16. The images are the same on every
machine. The checkpoint may differ in its last digits, so run this only if the images or the network change.
"""

import sys
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "exercises/12_vision"), str(ROOT / "reference/12_vision")]
from ex12_new_shapes import ShapeNet, learn_shapes  # noqa: E402
from given.shapes import OLD, draw_shapes  # noqa: E402


def saved(count: int, epochs: tuple[int, int]) -> dict:
    """What the file has, after so many epochs with a large learning rate and with a small one."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(12)
    training, held_out = (draw_shapes(OLD, n, generator) for n in (count, 1000))
    pixels = training[0] / 255
    model = ShapeNet(len(OLD), pixels.mean().item(), pixels.std().item())
    for n, lr in zip(epochs, (0.01, 0.001), strict=True):
        shares = learn_shapes(model, training, held_out, n, 32, lr, generator)
    print(f"{shares[-1]:.1%} of held-out images are right")
    weights = {name: value.half() if value.is_floating_point() else value for name, value in model.state_dict().items()}
    return {"mean": model.mean, "std": model.std, "weights": weights}


if __name__ == "__main__":
    torch.save(saved(6000, (10, 4)), ROOT / "exercises/12_vision/given/shapes.pt")
