"""The pictures of 09_data."""

import copy

import torch
from drawn import reference
from svg import CELL, GRAY, MINT, ROSE, SAND, SKY, Drawing

from torchdojo import LoaderWorker


def batch() -> Drawing:
    """Sentences of three lengths, the padded batch, and its mask."""
    d = Drawing()
    sentences = [torch.tensor(s) for s in ([5, 6, 7], [8], [2, 9])]
    padded, mask, _ = reference("09_data/ex04").collate_padded([(s, 0) for s in sentences])
    for i, s in enumerate(sentences):
        d.grid(0, i * CELL, [s.tolist()], title="samples" if i == 0 else "")
    d.line([(112, 1.5 * CELL), (168, 1.5 * CELL)], arrow=True)
    d.text(140, 1.5 * CELL - 12, "collate", size=12)
    real = mask.tolist()
    d.grid(180, 0, padded.tolist(), fill=[[SKY if r else GRAY for r in row] for row in real], title="batch (3, 3)")
    d.grid(
        330,
        0,
        [["T" if r else "F" for r in row] for row in real],
        fill=[[MINT if r else ROSE for r in row] for row in real],
        title="mask (3, 3)",
    )
    return d


def workers() -> Drawing:
    """Numbers that two workers draw in three epochs: from a generator in the dataset, and from the global one."""
    d = Drawing()

    def drawn(generator: torch.Generator | None) -> list[list[int]]:
        epochs = []
        for _ in range(3):
            base_seed = int(torch.randint(10**9, ()))
            row = []
            for k in range(2):
                own = copy.deepcopy(generator)
                with LoaderWorker(k, of=2, seed=base_seed):
                    row += [int(torch.randint(100, (), generator=own)) for _ in range(2)]
            epochs.append(row)
        return epochs

    for k, (title, generator) in enumerate(
        (("a generator in the dataset", torch.Generator().manual_seed(0)), ("the global generator", None))
    ):
        torch.manual_seed(k)
        x, epochs = 90 + 300 * k, drawn(generator)
        values = [value for row in epochs for value in row]
        colors = {v: SAND if values.count(v) > 1 else SKY for v in values}
        d.text(x + 2 * CELL + 5, -40, title, bold=True)
        for worker in range(2):
            left = x + worker * (2 * CELL + 10)
            rows = [row[2 * worker : 2 * worker + 2] for row in epochs]
            d.grid(left, 0, rows, fill=[[colors[v] for v in row] for row in rows], title=f"worker {worker}")
        for i in range(3):
            d.text(x - 10, (i + 0.5) * CELL, f"epoch {i}", size=13, anchor="end")
    return d


def buckets() -> Drawing:
    """Twelve samples in batches of four: in a random order, and in buckets of similar lengths."""
    d, unit = Drawing(), 15
    generator = torch.Generator().manual_seed(1)
    lengths = torch.randint(1, 13, (12,), generator=generator).tolist()
    order = torch.randperm(12, generator=generator).tolist()
    ways = (
        ("random batches", [order[i : i + 4] for i in (0, 4, 8)]),
        ("buckets", reference("09_data/bonus2").bucket_batches(lengths, 4, generator)),
    )
    for k, (title, batches) in enumerate(ways):
        left, wasted = 300 * k, 0
        for b, indices in enumerate(batches):
            longest = max(lengths[i] for i in indices)
            for row, i in enumerate(indices):
                y = b * (4 * unit + 14) + row * unit
                d.box(left, y, lengths[i] * unit, unit)
                if lengths[i] < longest:
                    d.box(left + lengths[i] * unit, y, (longest - lengths[i]) * unit, unit, fill=GRAY)
                wasted += longest - lengths[i]
        d.text(left, -16, f"{title}: {wasted} tokens of padding", anchor="start")
    for x, color, words in ((0, SKY, "tokens"), (110, GRAY, "padding")):
        d.box(x, 232, 18, 14, fill=color)
        d.text(x + 26, 239, words, size=13, anchor="start")
    return d
