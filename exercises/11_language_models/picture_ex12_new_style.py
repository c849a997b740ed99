"""The losses of your model on both held-out texts, and how it goes on writing in each style."""

import textwrap

import torch
from given.lighthouse import DIARY, DIARY_HELD_OUT, TELEGRAMS, TELEGRAMS_HELD_OUT, decode, diary_writer, encode
from matplotlib.figure import Figure


def written(model, prompt, count):
    """The prompt and the `count` characters that the model finds most likely after it."""
    tokens = encode(prompt)
    for _ in range(count):
        with torch.no_grad():
            tokens = torch.cat([tokens, model(tokens[None, -model.context :])[0, -1:].argmax(-1)])
    return decode(tokens)


def draw(solution):
    """40 steps with both texts, then 120 characters in each style, before and after."""
    torch.manual_seed(0)
    model, prompts = diary_writer(), ("On Friday the ", "friday stop ")
    pages = {"before": [written(model, prompt, 120) for prompt in prompts]}
    solution.add_adapters(model, 4, 8.0)
    old, new = (encode(DIARY), encode(DIARY_HELD_OUT)), (encode(TELEGRAMS), encode(TELEGRAMS_HELD_OUT))
    losses = solution.teach(model, old, new, 40, 8, 0.01, torch.Generator().manual_seed(0))
    pages["after"] = [written(model, prompt, 120) for prompt in prompts]

    figure = Figure(figsize=(13, 4), layout="constrained")
    curve, *columns = figure.subplots(1, 3)
    for name, color, values in zip(("diary", "telegrams"), ("tab:blue", "tab:red"), losses, strict=True):
        curve.plot(range(0, 10 * len(values), 10), values, color=color, label=f"{name}, held out")
    curve.set(xlabel="step", ylabel="loss", ylim=(0, None), title="loss")
    curve.legend()
    for axes, (title, texts) in zip(columns, pages.items(), strict=True):
        axes.axis("off")
        axes.set_title(f"what it writes {title}")
        page = "\n\n".join(textwrap.fill(" ".join(text.split()), 38) for text in texts)
        axes.text(0, 1, page, va="top", family="monospace", fontsize=9)
    return figure
