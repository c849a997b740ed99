"""Hidden checks for the character model: its parts with tiny sizes, and one run of 50 steps."""

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.optimizer import register_optimizer_step_pre_hook

from torchdojo.grading import built, check, mode_of, tensor

CONCEPTS = ("L10", "H03", "I12", "I14", "I20", "I21", "I23")

KEPT = {
    "evaluation_switches_and_returns": "mode and graph, worth a point though the number is right",
    "updates_are_those_of_adamw": "the losses themselves; the next three say what they consist of",
    "gradients_are_clipped": "one part of an update, said by itself",
    "matrices_decay": "one part of an update, said by itself",
    "windows_begin_at_all_places": "which windows are drawn, said by itself; the other check of training knows a single window",
    "later_tokens_change_nothing": "causality is the task, a cache is for full marks",
    "earlier_tokens_and_their_order_matter": "it says what attention doesn't pass on; the loss says only that something is missing",
}


class oracle:
    """Only what follows from the model that is passed in; everything else is judged."""

    def mean_loss(model, tokens):
        modes, losses = [(part, part.training) for part in model.modules()], []
        model.eval()
        with torch.no_grad():
            for start in range(0, len(tokens) - model.context, model.context):
                window = tokens[start : start + model.context + 1]
                losses.append(F.cross_entropy(model(window[None, :-1])[0], window[1:]).item())
        for part, mode in modes:
            part.training = mode
        return sum(losses) / len(losses)

    def train_model(model, tokens, held_out, steps, batch, lr, generator=None):
        names, warmup = dict(model.named_parameters()), max(1, steps // 10)
        decays = [{"params": [p], "weight_decay": 0.1 if p.dim() > 1 else 0.0} for p in names.values()]
        optimizer, losses, held_out_losses, states = torch.optim.AdamW(decays, lr=lr), [], [], []
        for k in range(steps + 1):
            if k % 10 == 0:
                held_out_losses.append(oracle.mean_loss(model, held_out))
                states.append({name: p.detach().clone() for name, p in names.items()})
            if k == steps:
                break
            after = max(1, steps - warmup)
            for group in optimizer.param_groups:
                group["lr"] = lr * ((k + 1) / warmup if k < warmup else math.cos(math.pi / 2 * (k - warmup) / after) ** 2)
            model.train()
            loss = F.cross_entropy(model(tokens[None, :-1])[0], tokens[1:])  # the text is a single window
            gradients = torch.autograd.grad(loss, list(names.values()))
            norm = sum(g.square().sum() for g in gradients).sqrt()
            for p, gradient in zip(names.values(), gradients, strict=True):
                p.grad = gradient * min(1.0, 1.0 / (norm.item() + 1e-6))
            optimizer.step()
            losses.append(loss.item())
        best = states[held_out_losses.index(min(held_out_losses))]
        with torch.no_grad():
            for name, p in names.items():
                p.copy_(best[name])
        return losses, held_out_losses

    def generate(model, prompt, count, generator=None):
        tokens, modes = prompt.tolist(), [(part, part.training) for part in model.modules()]
        model.eval()
        with torch.no_grad():
            for _ in range(count):
                seen = torch.tensor([tokens[-model.context :]])
                tokens.append(int(torch.multinomial(model(seen)[0, -1].softmax(0), 1, generator=generator)))
        for part, mode in modes:
            part.training = mode
        return torch.tensor(tokens)


class Table(nn.Module):
    """A bigram model whose weights depend on their places alone; notes what it sees, and in which state it is."""

    def __init__(self, vocab, context, scale=1.0):
        super().__init__()
        numbers = torch.arange(vocab * vocab, dtype=torch.float64) * 7 % 11 - 5
        self.weight, self.bias = nn.Parameter(numbers.reshape(vocab, vocab) / 8), nn.Parameter(numbers[:vocab] / 16)
        self.context, self.scale, self.seen, self.modes, self.graphs, self.states = context, scale, [], [], [], []

    def forward(self, tokens):
        self.seen.append(tokens.tolist())
        self.modes.append(mode_of(self))
        self.graphs.append(torch.is_grad_enabled())
        self.states.append(self.weight.detach().clone())
        return (self.weight[tokens] + self.bias) * self.scale


class Summing(nn.Module):
    """Sure that the next token is the sum of the last two, plus how many tokens it sees; notes what it sees."""

    def __init__(self, vocab, context):
        super().__init__()
        self.vocab, self.context, self.seen, self.modes, self.graphs = vocab, context, [], [], []

    def forward(self, tokens):
        self.seen.append(tokens.tolist())
        self.modes.append(mode_of(self))
        self.graphs.append(torch.is_grad_enabled())
        sums = tokens + F.pad(tokens, (1, 0))[:, :-1] + tokens.shape[1]
        return F.one_hot(sums % self.vocab, self.vocab) * 1000.0


class Even(nn.Module):
    """All tokens are equally likely."""

    context = 8

    def forward(self, tokens):
        return torch.zeros(*tokens.shape, 50)


def seeded(seed):
    """A generator for the learner's function."""
    return torch.Generator().manual_seed(seed)


def disturbed(model, rng):
    """The model in eval mode. Noise is added to its parameters, so that those that begin with 0 count as well."""
    with torch.no_grad():
        for p in model.parameters():
            p.add_(torch.randn(p.shape, generator=rng) / 2)
    return model.eval()


def ready(solution, vocab, rng, device, depth=2):
    """A tiny untrained model."""
    return disturbed(solution.CharModel(vocab, context=8, width=8, heads=2, depth=depth), rng).to(device)


def difference(model, vocab, rng):
    """How far the logits of two tokens differ; None if they have a wrong shape."""
    with torch.no_grad():
        logits = disturbed(model, rng)(torch.arange(4)[None])
    return (logits[0, 0] - logits[0, 3]).abs().max().item() if logits.shape == (1, 4, vocab) else None


def alike(gap):
    """What is wrong with the `difference` of a model, or None."""
    if gap is None:
        return "the logits of 4 tokens have a wrong shape"
    return "two different tokens at different positions have the same logits" if gap <= 1e-4 else None


def drawn(shape, vocab, rng, device):
    """Tokens on this device."""
    return torch.randint(vocab, shape, generator=rng).to(device)


LENGTHS = tensor("length", dtype="int64", low=0, high=4, layouts=False)


def watched_steps(model, run):
    """What the optimizer gets in each step: learning rates and weight decay by parameter, and the norm of all gradients."""
    steps, names = [], {id(p): name for name, p in model.named_parameters()}

    def note(optimizer, *_):
        by_name = {names.get(id(p), "another"): group for group in optimizer.param_groups for p in group["params"]}
        norm = sum(p.grad.square().sum() for p in model.parameters() if p.grad is not None)
        steps.append(({n: g["lr"] for n, g in by_name.items()}, {n: g["weight_decay"] for n, g in by_name.items()}, float(norm) ** 0.5))

    handle = register_optimizer_step_pre_hook(note)
    try:
        run()
    finally:
        handle.remove()
    return steps


@check(points=5, tokens=LENGTHS, steps=[4, 1, 12], batch=[2, 3], lr=[0.25, 0.1], minimum=3)
def updates_are_those_of_adamw(solution, tokens, steps, batch, lr):
    """Losses match training with AdamW on next tokens; the text is a single window."""
    model = Table(5, len(tokens) - 1).to(tokens.device)
    losses, _ = solution.train_model(model, tokens, tokens, steps, batch, lr, seeded(1))
    return {"losses": losses}


@check(points=1, steps=[1, 12, 25], lr=[0.5], devices=False)
def the_learning_rate_is_scheduled(solution, steps, lr):
    """The learning rate warms up and then follows a cosine, for all parameters."""
    model, text = Table(5, 3), torch.tensor([0, 1, 2, 3])
    found = watched_steps(model, lambda: solution.train_model(model, text, text, steps, 2, lr, seeded(1)))
    return {"learning rates": [rates for rates, _, _ in found]}


@check(points=1, scale=[8.0, 0.125], devices=False)
def gradients_are_clipped(solution, scale):
    """In an update the gradients have a total norm of at most 1."""
    model, text = Table(5, 3, scale), torch.tensor([4, 0, 1, 4])
    found = watched_steps(model, lambda: solution.train_model(model, text, text, 1, 2, 0.1, seeded(1)))
    return {"norm of the gradients": [norm for _, _, norm in found]}


@check(points=1, steps=[1, 3], devices=False)
def matrices_decay(solution, steps):
    """Parameters with two or more axes have a weight decay of 0.1, the others 0."""
    model, text = Table(5, 3), torch.tensor([0, 1, 2, 3])
    found = watched_steps(model, lambda: solution.train_model(model, text, text, steps, 2, 0.1, seeded(1)))
    return {"weight decay": [decay for _, decay, _ in found]}


@check(points=1, steps=[25, 9, 10, 0], devices=False)
def the_held_out_text_is_evaluated(solution, steps):
    """The held-out text is evaluated before the first step and after every 10 steps."""
    model, text, held_out = Table(5, 3), torch.tensor([0, 1, 2, 3]), torch.tensor([4, 0, 1, 2])
    _, losses = solution.train_model(model, text, held_out, steps, 2, 0.0, seeded(1))
    at = [k for k, rows in enumerate(model.seen) if rows[0][0] == 4]
    return {"held-out losses": losses, "updates before each evaluation": [k - n for n, k in enumerate(at)]}


# The held-out loss falls and rises again, or only rises.
@check(points=2, lr=[0.2, 0.3], held_out=[[4, 0, 1, 1, 0, 0, 1, 0, 1], [2, 3, 4] * 3], devices=False)
def the_best_weights_come_back(solution, lr, held_out):
    """At the end the model has the weights with the lowest held-out loss."""
    model, text, held_out = Table(5, 8), torch.tensor([0, 1] * 4 + [0]), torch.tensor(held_out)
    _, losses = solution.train_model(model, text, held_out, 60, 2, lr, seeded(1))
    return {"losses": losses, "weights": model.weight.detach(), "states": [w for w, rows in zip(model.states, model.seen, strict=True) if rows[0][0] == held_out[0]]}


@the_best_weights_come_back.judge
def _(seen):
    losses, states = seen["losses"], seen["states"]
    if len(losses) != len(states) or not max(losses) - min(losses) > 0.1:
        return f"there are {len(losses)} held-out losses, from {min(losses, default=0):.2f} to {max(losses, default=0):.2f}, of {len(states)} evaluations"
    best = losses.index(min(losses))
    if (seen["weights"] - states[best]).abs().max() > 1e-9:
        return f"the lowest held-out loss is number {best} of 0 to {len(losses) - 1}, and the model has other weights afterwards"


@check(points=2, tokens=LENGTHS, context=[2, 3], minimum=4)
def the_loss_covers_the_text(solution, tokens, context):
    """mean_loss() returns the mean loss over windows that follow each other."""
    return {"loss": solution.mean_loss(Table(5, context).to(tokens.device), tokens)}


@check(points=1, training=[True, False], devices=False, beside=True)
def evaluation_switches_and_returns(solution, training):
    """mean_loss() runs in evaluation mode without a graph, and puts the mode back."""
    model = Table(5, 3).train(training)
    loss = solution.mean_loss(model, torch.tensor([0, 1, 2, 3]))
    return loss, {"mode": "train" if "train" in model.modes else "eval", "gradients are recorded": any(model.graphs), "mode afterwards": mode_of(model)}


@check(points=1, training=[True, False], devices=False, beside=True)
def writing_switches_and_returns(solution, training):
    """generate() runs in evaluation mode without a graph, and puts the mode back."""
    model = Summing(11, 4).train(training)
    tokens = solution.generate(model, torch.tensor([3]), 1)
    return tokens, {"mode": "train" if "train" in model.modes else "eval", "gradients are recorded": any(model.graphs), "mode afterwards": mode_of(model)}


@check(points=1, training=[False, True], devices=False, beside=True)
def each_step_is_in_training_mode(solution, training):
    """train_model() makes each step in training mode, whatever mode the model was in."""
    model, text, held_out = Table(5, 3).train(training), torch.tensor([0, 1, 2, 3]), torch.tensor([4, 0, 1, 2])
    losses, _ = solution.train_model(model, text, held_out, 12, 2, 0.0, seeded(1))
    calls = zip(model.modes, model.graphs, model.seen, strict=True)
    modes = {mode for mode, graph, rows in calls if graph and rows[0][0] != 4}  # an evaluation has no graph, or the held-out text
    return losses, {"modes of the steps": sorted(modes)}


@check(points=1, sizes=[[9, 3], [7, 1], [12, 5]], random=True, devices=False)
def windows_begin_at_all_places(solution, sizes):
    """The model reads `context` neighboring tokens at a time, from all positions of the text."""
    length, context = sizes
    model = Table(length + 1, context)
    solution.train_model(model, torch.arange(length), torch.full((context + 1,), length), 40, 6, 0.01, seeded(1))
    return [rows for rows in model.seen if rows[0][0] != length]  # the held-out text consists of a token of its own


@windows_begin_at_all_places.judge
def _(seen, sizes):
    length, context = sizes
    rows = [row for batch in seen for row in batch]
    if not rows or {len(row) for row in rows} != {context} or {len(batch) for batch in seen} != {6}:
        shapes = ", ".join(sorted({f"({len(batch)}, {len(row)})" for batch in seen for row in batch})) or "no tokens"
        return f"with batch=6 and a context of {context}, the model read {shapes}; wanted shape (6, {context})"
    broken = [row for row in rows if row != list(range(row[0], row[0] + context))]
    if broken:
        return f"the model read {broken[0]}, which is no piece of the text 0, 1, 2, ..."
    if all(len({row[0] for row in batch}) == 1 for batch in seen):
        return f"in each of {len(seen)} steps, all windows began at the same token"
    missing = sorted(set(range(length - context)) - {row[0] for row in rows})
    if missing:
        return f"none of {len(rows)} windows began at token {missing[0]} of {length}, where one with {context + 1} tokens fits"


@check(points=1, steps=[5], random=True, devices=False)
def the_generator_draws_the_windows(solution, steps):
    """The same seed draws the same windows, whatever the global generator did."""
    state, runs = torch.get_rng_state(), []
    for seed in (1, 1, 2):
        model = Table(31, 2)
        solution.train_model(model, torch.arange(30), torch.full((3,), 30), steps, 4, 0.01, seeded(seed))
        runs.append([rows for rows in model.seen if rows[0][0] != 30])
        torch.rand(3)  # somebody else draws
    torch.set_rng_state(state)
    return runs


@the_generator_draws_the_windows.judge
def _(runs):
    if runs[0] != runs[1]:
        return "two generators with the same seed drew different windows"
    if runs[0] == runs[2]:
        return "two generators with different seeds drew the same windows"


TEXT = [0, 0, 1, 0, 2, 1, 1, 2, 2]  # each token is followed by each token once


# A bigram model stays at 1.10.
@check(points=3, text=[TEXT], random=True, devices=False)
def learns_more_than_pairs(solution, text):
    """After 50 steps the held-out loss is lower than any bigram model's."""
    tokens, default = torch.tensor(text).repeat(6), solution.CharModel(3).context
    model = solution.CharModel(3, context=6, width=32, heads=4, depth=1)
    solution.train_model(model, tokens, tokens.roll(4), 50, 16, 0.02, seeded(1))
    windows = tokens.roll(4).unfold(0, 7, 1)
    with torch.no_grad():
        logits = model.eval()(windows[:, :-1])
    sums = logits.sum(-1)
    loss = F.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten()).item()
    return {"loss": loss, "contexts": [default, model.context], "sums of logits": [sums.min().item(), sums.max().item()]}


@learns_more_than_pairs.judge
def _(seen):
    if seen["contexts"] != [32, 6]:
        return f"CharModel(3) has the context {seen['contexts'][0]}, and CharModel(3, context=6) has {seen['contexts'][1]}"
    if all(abs(total - 1) < 1e-3 for total in seen["sums of logits"]):
        return "the logits of each position sum to 1, as probabilities do", "", "CharModel"
    if not seen["loss"] <= 0.8:
        return f"the mean loss is {seen['loss']:.2f} after 50 steps, wanted at most 0.8; the best bigram model has {math.log(3):.2f}", "", "train_model"


@check(points=2, shape=[[2, 6], [1, 8]], random=True)
def later_tokens_change_nothing(solution, shape, rng, device):
    """The logits of a position don't depend on later tokens."""
    model, tokens = ready(solution, 9, rng, device), drawn(shape, 9, rng, device)
    other = tokens.clone()
    other[:, -2:] = (tokens[:, -2:] + 1) % 9
    with torch.no_grad():
        logits, changed, short = model(tokens), model(other), model(tokens[:, :-2])
    gaps, begun = (logits - changed).abs(), logits[:, :-2]
    return {
        "shape": list(logits.shape),
        "on the device": logits.device.type == device.type,
        "earlier": gaps[:, :-2].max().item(),
        "last": gaps[:, -2:].max().item(),
        "shape without them": list(short.shape),
        "without them": (begun - short).abs().max().item() if begun.shape == short.shape else 0.0,
    }


@later_tokens_change_nothing.judge
def _(seen, shape):
    if seen["shape"] != [*shape, 9]:
        return f"tokens of shape {tuple(shape)} gave logits of shape {tuple(seen['shape'])}; vocab is 9"
    if not seen["on the device"]:
        return "the logits are not on the device of the model"
    if seen["last"] <= 1e-3:
        return "other last tokens changed nothing in their logits"
    if seen["earlier"] > 1e-3:
        return "a later token changed an earlier logit", "The model sees the future: in training it copies the next character, and it can't do that when it writes."
    if seen["shape without them"] != [shape[0], shape[1] - 2, 9]:
        return f"tokens of shape {(shape[0], shape[1] - 2)} gave logits of shape {tuple(seen['shape without them'])}; vocab is 9"
    if seen["without them"] > 1e-3:
        return "the logits of the first tokens change if two tokens follow"


@check(points=1, shape=[[2, 6], [1, 8]], random=True, devices=False)
def earlier_tokens_and_their_order_matter(solution, shape, rng, device):
    """The last logits depend on the first token, and on the order of those before the last."""
    model, tokens = ready(solution, 9, rng, device, depth=1), torch.arange(shape[1]).repeat(shape[0], 1)
    other, swapped = tokens.clone(), tokens.clone()
    other[:, 0] = 8
    swapped[:, :2] = tokens[:, :2].flip(1)
    with torch.no_grad():
        logits, first, order = (model(t)[:, -1] for t in (tokens, other, swapped))
    return {"by the first": (logits - first).abs().amax(1).tolist(), "by the order": (logits - order).abs().amax(1).tolist()}


@earlier_tokens_and_their_order_matter.judge
def _(seen):
    if min(seen["by the first"]) <= 1e-4:
        return "another first token changed nothing in the last logits"
    if min(seen["by the order"]) <= 1e-4:
        return "the first two tokens in reverse order changed nothing in the last logits"


@check(points=1, width=[8, 12], random=True, devices=False)
def each_block_has_its_own_parameters(solution, width, rng):
    """The number of parameters grows with width and depth."""
    sizes = {"this": (width, 1), "one more block": (width, 2), "twice as wide": (2 * width, 1)}
    models = {name: solution.CharModel(5, 4, w, 2, depth) for name, (w, depth) in sizes.items()}
    counts = {name: sum(p.numel() for p in model.parameters()) for name, model in models.items()}
    return counts | {"difference": difference(models["this"], 5, rng)}


@each_block_has_its_own_parameters.judge
def _(seen):
    for name, change in (("one more block", "depth=2 in place of 1"), ("twice as wide", "twice the width")):
        if not seen[name] > seen["this"]:
            return f"with {change}, the model has {seen[name]:,} parameters, and it had {seen['this']:,}"
    return alike(seen["difference"])


@check(points=1, shape=[[2, 5]], random=True, devices=False)
def gradients_reach_all_parameters(solution, shape, rng, device):
    """A backward pass gives every parameter a gradient."""
    model, tokens = ready(solution, 9, rng, device), drawn(shape, 9, rng, device)
    model.train()(tokens).square().sum().backward()
    return [name for name, p in model.named_parameters() if p.grad is None]


@gradients_reach_all_parameters.judge
def _(missed):
    if missed:
        return f"after a backward pass, {len(missed)} parameters have no gradient, {missed[0]} for instance"


PROMPT = built(lambda case: torch.tensor([case.rng.randrange(11) for _ in range(case.rng.randint(1, 9))]))


@check(points=8, prompt=PROMPT, count=[3, 1, 9, 0], context=[4, 2, 20], aliasing="any", devices=False)
def the_last_logits_give_the_next_token(solution, prompt, count, context):
    """Each new token is drawn from the last logits of the last `context` tokens."""
    model = Summing(11, context)
    return {"tokens": solution.generate(model, prompt, count), "what the model saw": model.seen}


@check(points=1, count=[20, 30], random=True, devices=False)
def the_generator_writes_the_text(solution, count):
    """The same seed writes the same text, whatever the global generator did."""
    state, texts = torch.get_rng_state(), []
    for seed in (1, 1, 2):
        texts.append(solution.generate(Even(), torch.tensor([7]), count, seeded(seed)).tolist())
        torch.rand(3)  # somebody else draws
    torch.set_rng_state(state)
    return texts


@the_generator_writes_the_text.judge
def _(texts):
    first, same, other = texts
    if first != same:
        return "two generators with the same seed wrote different texts"
    if first == other:
        return "two generators with different seeds wrote the same text, with a model for which all tokens are equally likely"


@check(points=2, star=True, sizes=[[1] * 6, [3, 1, 4], [7, 1]], random=True)
def a_cache_changes_no_logits(solution, sizes, rng, device):
    """With a cache, pieces of a sequence have the same logits as the whole sequence."""
    model, tokens, cache = ready(solution, 7, rng, device), drawn((2, sum(sizes)), 7, rng, device), []
    with torch.no_grad():
        whole, pieces = model(tokens), [model(piece, cache) for piece in tokens.split(sizes, dim=1)]
    found = torch.cat(pieces, dim=1)
    gaps = [] if found.shape != whole.shape else (found - whole).abs().amax(dim=(0, 2)).tolist()
    return {"shape": list(found.shape), "gaps": gaps, "two sequences": (whole[0] - whole[1]).abs().max().item()}


@a_cache_changes_no_logits.judge
def _(seen, sizes):
    if seen["shape"] != [2, sum(sizes), 7]:
        return f"pieces of {sizes} tokens gave logits of shape {tuple(seen['shape'])} in all; wanted {(2, sum(sizes), 7)}"
    if seen["two sequences"] <= 1e-3:
        return "two different sequences have the same logits"
    wrong = [t for t, gap in enumerate(seen["gaps"]) if gap > 1e-3]
    if wrong:
        return f"in pieces of {sizes} tokens, the logits of position {wrong[0]} are not those of the whole sequence"


@check(points=1, star=True, vocab=[40], random=True, devices=False)
def begins_with_a_guess(solution, vocab, rng, device):
    """Before training, the loss is about that of a uniform guess."""
    tokens = drawn((16, 33), vocab, rng, device)
    with torch.no_grad():
        model = solution.CharModel(vocab).eval()
        loss = F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten()).item()
    return {"loss": loss, "difference": difference(model, vocab, rng)}


@begins_with_a_guess.judge
def _(seen, vocab):
    if not seen["loss"] <= math.log(vocab) + 1:
        return f"the loss of an untrained model is {seen['loss']:.2f}; with vocab={vocab}, a guess has {math.log(vocab):.2f}"
    return alike(seen["difference"])
