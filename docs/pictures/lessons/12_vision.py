"""The pictures of 12_vision."""

import torch
from drawn import reference
from svg import GRAY, MINT, ROSE, SAND, SKY, Drawing


def axes() -> Drawing:
    """A picture with a red row, as a file stores it, and with channels first."""
    d, width, height = Drawing(), 62, 26
    image = torch.zeros(4, 6, 3, dtype=torch.uint8)
    image[1, :, 0] = 255
    rows = [[" ".join(map(str, pixel)) for pixel in row] for row in image.tolist()]
    fill = [[ROSE if pixel[0] else GRAY for pixel in row] for row in image.tolist()]
    d.grid(0, 30, rows, fill=fill, width=width, height=height, size=12, title="(height, width, channels)")
    colors = reference("12_vision/intro1").to_channels_first(image)
    left = 6 * width + 60
    d.line([(left - 48, 82), (left - 12, 82)], arrow=True)
    d.text(left - 30, 68, "/ 255", size=12)
    for k, (channel, color) in enumerate(zip(colors, (ROSE, MINT, SKY), strict=True)):
        x, y = left + 34 * k, 30 + 36 * k
        for i, row in enumerate(channel.tolist()):
            for j, value in enumerate(row):
                d.box(x + 24 * j, y + 20 * i, 24, 20, f"{value:g}", fill=color, size=12)
    d.text(left + 106, 16, "(channels, height, width)")
    return d


def unfold() -> Drawing:
    """An image, its windows as columns, and the kernel times the columns."""
    d, cell = Drawing(), 30
    image, kernel = torch.arange(1.0, 13).reshape(1, 1, 3, 4), torch.tensor([[[[1.0, 0.0], [0.0, 1.0]]]])
    result = reference("12_vision/ex01").conv2d_by_unfold(image, kernel)[0, 0]
    show = lambda rows: [[f"{v:g}" for v in row] for row in rows]  # noqa: E731
    marked = [[MINT if i < 2 and j < 2 else SAND for j in range(4)] for i in range(3)]
    d.grid(0, 30, show(image[0, 0].tolist()), fill=marked, width=cell, height=cell, title="image")
    columns = torch.nn.functional.unfold(image, (2, 2))[0].tolist()
    left = 4 * cell + 48
    d.grid(left, 60, show(kernel.flatten(1).tolist()), fill=SKY, width=cell, height=cell, title="kernel")
    d.text(left + 4 * cell + 14, 75, "@", size=18)
    left += 4 * cell + 28
    d.line([(4 * cell + 8, 112), (left - 8, 112)], arrow=True)  # past the kernel
    d.text(2 * cell + left / 2, 126, "F.unfold", size=12)
    d.grid(left, 30, show(columns), fill=[[MINT] + [SAND] * 5] * 4, width=cell, height=cell, title="windows")
    d.text(left + 6 * cell + 16, 75, "=", size=18)
    left += 6 * cell + 32
    d.grid(left, 45, show(result.tolist()), fill=GRAY, width=cell, height=cell, title="result")
    return d


def pooling() -> Drawing:
    """The windows of an image in their colors, and their maxima and means."""
    d, cell = Drawing(), 32
    image = torch.tensor([[[[1.0, 8, 2, 0, 5], [3, 4, 7, 6, 9], [2, 0, 3, 1, 4], [5, 1, 4, 4, 0]]]])
    colors = [[SAND, MINT], [SKY, ROSE]]
    fill = [[colors[i // 2][j // 2] if j < 4 else GRAY for j in range(5)] for i in range(4)]
    pool = reference("12_vision/ex03")
    show = lambda t: [[f"{v:g}" for v in row] for row in t[0, 0].tolist()]  # noqa: E731
    d.grid(0, 30, show(image), fill=fill, width=cell, height=cell, title="image")
    d.line([(5 * cell + 10, 30 + 2 * cell), (5 * cell + 44, 30 + 2 * cell)], arrow=True)
    for k, (name, result) in enumerate((("maxima", pool.max_pool(image, 2)[0]), ("means", pool.average_pool(image, 2)))):
        d.grid(5 * cell + 60 + 110 * k, 30 + cell, show(result), fill=colors, width=cell + 8, height=cell, title=name, size=13)
    return d


def residual() -> Drawing:
    """The two ways through a block, with the layers of the reference."""
    d, width, height = Drawing(), 96, 30
    block = reference("12_vision/ex05").ResidualBlock(3, 8, 2)
    names = [name for name, _ in block.named_children() if name != "shortcut"]
    names.insert(2, "relu")
    d.text(0, 0, "x", bold=True)
    y = 20.0
    for name in names:
        d.line([(0, y - 8), (0, y + 10)], arrow=True)
        d.box(-width / 2, y + 12, width, height, name, fill=MINT if name == "relu" else SKY if "conv" in name else SAND, round=4)
        y += height + 22
    d.line([(0, y - 8), (0, y + 10)], arrow=True)
    d.dot(0, y + 22, radius=12, hollow=True)
    d.text(0, y + 22, "+", size=18)
    side, middle = 190.0, y / 2
    d.line([(12, 0), (side, 0), (side, middle - 34)], arrow=True)
    d.box(side - 75, middle - 32, 150, 64, fill="", dashed=True)
    d.text(side, middle - 20, "shortcut", bold=True, size=13)
    d.text(side, middle, "empty, or " + type(block.shortcut[0]).__name__ + " 1 \u00d7 1", size=12)
    d.text(side, middle + 18, "with stride, and a norm", size=12)
    d.line([(side, middle + 32), (side, y + 22), (14, y + 22)], arrow=True)
    d.line([(0, y + 36), (0, y + 54)], arrow=True)
    d.box(-width / 2, y + 56, width, height, "relu", fill=MINT, round=4)
    return d
