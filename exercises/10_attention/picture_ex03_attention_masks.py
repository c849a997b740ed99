"""What each token of a sentence reads: without a mask, and with each of the masks."""

import torch
from matplotlib.figure import Figure

WORDS = ["the", "cat", "saw", "the", "dog", "run", "(pad)", "(pad)"]


def draw(solution):
    """Four attention maps: a row for each query, a column for each key; the darker, the more is read."""
    table = torch.randn(len(WORDS), 16, generator=torch.Generator().manual_seed(3))
    vectors = torch.stack([table[WORDS.index(word)] for word in WORDS])  # equal words have equal vectors
    scores = (vectors @ vectors.T / 16**0.5)[None]
    real = torch.tensor([[word != "(pad)" for word in WORDS]])
    everything = torch.ones_like(real)
    masks = {
        "no mask": solution.attention_mask(everything, False),
        "causal": solution.attention_mask(everything, True),
        "padding": solution.attention_mask(real, False),
        "causal and padding": solution.attention_mask(real, True),
    }

    figure = Figure(figsize=(11, 3.4), layout="constrained")
    for axis, (name, mask) in zip(figure.subplots(1, 4), masks.items(), strict=True):
        weights = solution.masked_softmax(scores, mask)[0]
        axis.imshow(weights, cmap="Greys", vmin=0, vmax=1)
        axis.set_title(name)
        axis.set_xlabel("key")
        axis.set_xticks(range(len(WORDS)), WORDS, rotation=90)
        axis.set_yticks(range(len(WORDS)), WORDS)
    figure.axes[0].set_ylabel("query")
    return figure
