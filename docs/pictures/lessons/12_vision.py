"""The pictures of 12_vision."""

import torch
from drawn import reference
from svg import BLUE, GRAY, MINT, ORANGE, ROSE, SAND, SKY, Drawing


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
    for k, (channel, color) in enumerate(zip(colors, (ROSE, MINT, SKY), strict=True)):
        x, y = left + 34 * k, 30 + 36 * k
        for i, row in enumerate(channel.tolist()):
            for j, value in enumerate(row):
                d.box(x + 24 * j, y + 20 * i, 24, 20, f"{value:g}", fill=color, size=12)
    d.text(left + 106, 16, "(channels, height, width)")
    return d


def positions() -> Drawing:
    """Where a kernel of 3 fits into 8 pixels in steps of 2, without and with padding."""
    d, cell = Drawing(), 30
    count = reference("12_vision/intro2").output_size
    for top, padding in ((0, 0), (190, 1)):
        d.text(-14 - cell * padding, top + cell / 2, f"padding {padding}", anchor="end", size=13)
        frame = [GRAY] * padding
        colors = [*frame, *[SAND] * 8, *frame]
        d.grid(-cell * padding, top, [["0" * (c == GRAY) for c in colors]], fill=[colors], width=cell, height=cell)
        fits = count(8, 3, stride=2, padding=padding)
        for k in range(fits + 1):
            start = cell * (2 * k - padding)
            if k < fits:
                d.grid(start, top + cell * (1.4 + k), [[""] * 3], fill=MINT, width=cell, height=0.7 * cell)
            elif not padding:
                d.grid(start, top + cell * (1.4 + k), [[""] * 3], fill="", width=cell, height=0.7 * cell)
                d.text(start + 3 * cell + 12, top + cell * (1.75 + k), "sticks out", anchor="start", color=ORANGE, size=13)
        d.text(8 * cell + 100, top + cell / 2, f"{fits} positions", anchor="start", color=BLUE)
    return d
