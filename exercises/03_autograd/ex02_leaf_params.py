"""Autograd 2 of 10: initial parameters that can collect gradients.

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

    Values, name by name in the order of the dict:
        a name that ends in "bias"  zeros; nothing is drawn
        any other name              scale * torch.randn with that name's shape, drawn from generator

    Rules:
        result    same names, same order; each value has the requested shape
        dtype     a floating dtype; None means torch's default dtype
        each one  is_leaf is True, requires_grad is True, .grad is None

    An nn.Parameter is fine, too.

    Example:
        >>> params = make_params({"w": (2, 3), "bias": (3,)}, torch.Generator().manual_seed(0))
        >>> params["bias"]
        tensor([0., 0., 0.], requires_grad=True)
        >>> params["w"].shape, params["w"].is_leaf
        (torch.Size([2, 3]), True)

    Pitfall:
        torch.randn(3, requires_grad=True) * 0.1 is the result of a multiplication, not a leaf: it gets no .grad.

    For full marks:
        * the results are on the given device (None means the CPU), and are leaves there too. The generator lives
          on the CPU: draw on the CPU in the final dtype, then move
        * torch's global random state is not touched
    """
    raise NotImplementedError("03_autograd/ex02_leaf_params: write make_params()")
