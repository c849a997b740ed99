"""The losses of your model on both parts of the story beside a bigram model's, what it writes, and which characters it looks at."""

import textwrap

import torch
from given.story import CHARACTERS, HELD_OUT, TRAINING, bigram_loss, decode, encode
from matplotlib.figure import Figure

READ = "the lamp burns all night."


def influence(model, tokens):
    """How much the prediction at each position changes if one of the characters is replaced by another one."""
    other = tokens.repeat(len(tokens), 1)
    other.fill_diagonal_(encode("x").item())
    with torch.no_grad():
        before, after = model(tokens[None]).softmax(-1), model(other).softmax(-1)
    return (after - before).abs().sum(-1).T / 2  # a row for each prediction, a column for each replaced character


def draw(solution):
    """200 steps of training, then 300 characters, then what each prediction depends on."""
    torch.manual_seed(0)
    text, held_out, generator = encode(TRAINING), encode(HELD_OUT), torch.Generator().manual_seed(0)
    model = solution.CharModel(len(CHARACTERS))
    losses, held_out_losses = solution.train_model(model, text, held_out, 200, 8, 0.01, generator)
    written = decode(solution.generate(model, encode("On Monday "), 300, generator))

    figure = Figure(figsize=(13, 4), layout="constrained")
    curve, page, reads = figure.subplots(1, 3)
    best = min(range(len(held_out_losses)), key=held_out_losses.__getitem__)
    curve.plot(losses, color="tab:red", alpha=0.4, label="training text")
    curve.plot(range(0, 10 * len(held_out_losses), 10), held_out_losses, color="tab:blue", label="held-out text")
    curve.plot(10 * best, held_out_losses[best], "o", color="tab:blue", label=f"best: step {10 * best}")
    curve.axhline(bigram_loss(text, held_out, len(CHARACTERS)), color="0.5", linestyle="--", label="bigram model, held-out text")
    curve.set(xlabel="step", ylabel="loss", ylim=(0, None), title="loss")
    curve.legend()
    page.axis("off")
    page.set_title("what it writes")
    page.text(0, 1, textwrap.fill(" ".join(written.split()), 40), va="top", family="monospace", fontsize=9)
    reads.imshow(influence(model.eval(), encode(READ)), cmap="Greys", vmin=0, vmax=1)
    reads.set_title("which characters it looks at")
    reads.set(xlabel="replaced character", ylabel="prediction after")
    reads.set_xticks(range(len(READ)), READ, family="monospace")
    reads.set_yticks(range(len(READ)), READ, family="monospace")
    return figure
