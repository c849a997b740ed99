"""Autograd 2 of 10: starting parameters that can collect gradients.

Difficulty 2 of 5, about 8 minutes.
"""

import torch


def make_params(
    shapes: dict[str, tuple[int, ...]],
    generator: torch.Generator,
    scale: float = 0.1,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> dict[str, torch.Tensor]:
    """Return one fresh leaf tensor that requires grad for each name in shapes.

    Values:
        - A name that ends in "bias" is all zeros and draws nothing from the generator.
        - Every other name is scale * randn: normal numbers from generator, times scale. Draw them name by
          name, in the order of the dict, one call of torch.randn with that name's shape.
        - The generator lives on the CPU: draw on the CPU in the final dtype, then move to the device.

    Rules:
        result     same names, same order; each value has the shape asked for
        dtype      a floating dtype; None means torch's default dtype
        device     where the results live; None means the CPU
        each one   is_leaf is True, requires_grad is True, .grad is None
        memory     no two results share memory

    A torch.nn.Parameter is as welcome as a plain tensor.

    Edge cases:
        - An empty dict gives an empty dict. Shapes may be () or contain 0.
        - torch's global random state is not touched, and shapes is not changed.

    Example:
        >>> params = make_params({"w": (2, 3), "bias": (3,)}, torch.Generator().manual_seed(0))
        >>> params["bias"]
        tensor([0., 0., 0.], requires_grad=True)
        >>> params["w"].shape, params["w"].is_leaf
        (torch.Size([2, 3]), True)

    Pitfall:
        torch.randn(3, requires_grad=True) * 0.1 is the result of a multiplication, not a leaf: backward fills
        the .grad of the tensor before the multiplication, which nobody can reach any more.
    """
    raise NotImplementedError("03_autograd/ex02_leaf_params: write make_params()")
