"""Hidden checks for the project: adapters, what a step reads and changes, what is kept and merged, and one run of 40 steps."""

import copy

import torch
from given.lighthouse import CHARACTERS, DIARY, DIARY_HELD_OUT, TELEGRAMS, TELEGRAMS_HELD_OUT, Writer, diary_writer, encode
from torch import nn
from torch.nn.utils import parametrize

from torchdojo.grading import check, shares_memory

CONCEPTS = ("L18", "L19", "L28")

KEPT = {
    "starts_as_it_was": "the start, worth a point without anything learned",
    "only_adapters_are_trained": "what adapters are for, said by itself",
    "every_adapter_learns": "an error in the training steps, told before 40 of them run",
}


class oracle:
    """Weights that are put together in each call, and the plainest possible steps."""

    class Change(nn.Module):
        def __init__(self, weight, rank, alpha):
            super().__init__()
            self.alpha = alpha
            self.a = nn.Parameter(torch.linspace(1, 2, rank * weight.shape[1]).reshape(rank, -1).to(weight))
            self.b = nn.Parameter(torch.zeros(weight.shape[0], rank).to(weight))

        def forward(self, weight):
            return weight + sum(self.b[:, r, None] * self.a[r] for r in range(len(self.a))) * self.alpha / len(self.a)

    def add_adapters(model, rank, alpha):
        for p in model.parameters():
            p.requires_grad = False
        for layer in [m for m in model.modules() if isinstance(m, nn.Linear)]:
            parametrize.register_parametrization(layer, "weight", oracle.Change(layer.weight, rank, alpha))

    def teach(model, old, new, steps, batch, lr, generator=None):
        opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr)
        losses = [], []
        for k in range(steps + 1):
            if k % 10 == 0:
                for curve, texts in zip(losses, (old, new), strict=True):
                    curve.append(model.mean_loss(texts[1]))
            if k < steps:
                rows = []
                for text, _ in [old] * batch + [new] * batch:
                    i = int(torch.randint(len(text) - model.context, (), generator=generator))
                    rows.append(text[i : i + model.context + 1])
                rows = torch.stack(rows)
                opt.zero_grad()
                nn.functional.cross_entropy(model(rows[:, :-1]).transpose(1, 2), rows[:, 1:]).backward()
                opt.step()
        return losses

    def adapters_alone(model):
        return {name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}

    def without_adapters(model):
        result = copy.deepcopy(model)
        for name, layer in list(result.named_modules()):
            if parametrize.is_parametrized(layer, "weight"):
                plain = nn.Linear(layer.in_features, layer.out_features, layer.bias is not None).to(layer.weight)
                plain.load_state_dict({"weight": layer.weight, **({} if layer.bias is None else {"bias": layer.bias})})
                result.set_submodule(name, plain)
        return result


def placed(params, start=0):
    """Fill parameters with numbers that depend on their places alone."""
    with torch.no_grad():
        for k, p in enumerate(params, start):
            p.copy_((((torch.arange(p.numel()) * 7 + 3 * k) % 11 - 5) / 10).reshape(p.shape))


def tiny():
    """A small model."""
    model = Writer(context=6, width=8, heads=2, depth=2)
    placed(model.parameters())
    model.own = list(model.parameters())
    return model


def learners(model):
    """What is trained."""
    return [p for p in model.parameters() if p.requires_grad]


def adapters(model):
    """What is trained and was not there before."""
    return [p for p in learners(model) if all(p is not q for q in model.own)]


def adapted(solution, rank, alpha, filled=True):
    """A tiny model whose adapters have learned something."""
    model = tiny()
    solution.add_adapters(model, rank, alpha)
    if filled:
        placed(adapters(model), 5)
    return model


HOW_MANY = "how many numbers the model has besides its own"


def count(model):
    return sum(p.numel() for p in model.parameters()) - sum(p.numel() for p in model.own)


READ = (torch.arange(18) * 5 % len(CHARACTERS)).reshape(3, 6)
SETTINGS = [(2, 8.0), (1, 0.5), (3, 3.0)]


class Table(nn.Module):
    """A bigram model of 40 tokens that notes what it reads while gradients are recorded."""

    def __init__(self):
        super().__init__()
        self.weight, self.context, self.seen = nn.Parameter(torch.zeros(40, 40, dtype=torch.float64)), 3, []
        placed([self.weight])

    def forward(self, tokens):
        if torch.is_grad_enabled():
            self.seen += tokens.reshape(-1, tokens.shape[-1]).tolist()
        return self.weight[tokens]

    @torch.no_grad()
    def mean_loss(self, tokens):
        return nn.functional.cross_entropy(self.weight[tokens[:-1]], tokens[1:]).item()


def numbers(first, count=10):
    """A text that is these numbers, one after the other."""
    return torch.arange(first, first + count)


def four_texts():
    """The old text has the tokens 0 to 9, the new one 10 to 19; the held-out texts go from 20 and from 30 on."""
    return (numbers(0), numbers(20)), (numbers(10), numbers(30))


def seeded(seed):
    return torch.Generator().manual_seed(seed)


@check(points=1, setting=SETTINGS, devices=False, random=True)
def starts_as_it_was(solution, setting):
    """With new adapters the model gives the same logits as before."""
    model = adapted(solution, *setting, filled=False)
    return {"logits": model(READ).detach(), HOW_MANY: count(model)}


@check(points=3, rank=[2, 1, 3], devices=False, random=True)
def only_adapters_are_trained(solution, rank):
    """Two matrices for each linear layer are trained, and nothing else."""
    model = adapted(solution, rank, 4.0)
    shapes = sorted(tuple(sorted(p.shape)) for p in learners(model))
    return {"shapes of what is trained": shapes, "how many numbers are frozen": sum(p.numel() for p in model.parameters() if not p.requires_grad)}


@check(points=2, setting=SETTINGS, devices=False, random=True)
def the_change_is_scaled(solution, setting):
    """Each layer computes with its weight and alpha / rank times the product of b and a."""
    model = adapted(solution, *setting)
    with torch.no_grad():
        for p in adapters(model):
            p.fill_(0.25)
    return {"logits": model(READ).detach()}


@check(points=2, steps=[4], devices=False, random=True)
def every_adapter_learns(solution, steps):
    """After some steps each a and b has changed, and the frozen parameters have not."""
    model, text = adapted(solution, 2, 8.0, filled=False), torch.arange(60) * 7 % len(CHARACTERS)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    zeros = not any(p.any() for p in learners(model))
    solution.teach(model, (text, text), (text.flip(0), text), steps, 3, 0.01, seeded(1))
    moved = [(p.requires_grad, not torch.equal(p, before[name])) for name, p in model.named_parameters()]
    return {
        "adapters that stayed as they were": sum(learns and not changed for learns, changed in moved),
        "frozen parameters that changed": sum(changed and not learns for learns, changed in moved),
        "all adapters start as zeros": zeros,
    }


@check(points=3, steps=[4, 1], batch=[3, 2], devices=False, random=True)
def both_texts_are_read(solution, steps, batch):
    """Each step reads `batch` windows of either text, and nothing of the held-out texts."""
    model = Table()
    solution.teach(model, *four_texts(), steps, batch, 0.01, seeded(1))
    return model.seen


@both_texts_are_read.judge
def _(seen, steps, batch):
    pieces = [row for row in seen if row != list(range(row[0], row[0] + 3))]
    if pieces:
        return f"with a context of 3 the model read {pieces[0]}, which is no piece of a text of consecutive numbers"
    for text, first, wanted in (("old", 0, steps * batch), ("new", 10, steps * batch), ("old held-out", 20, 0), ("new held-out", 30, 0)):
        count = sum(first <= row[0] < first + 10 for row in seen)
        if count != wanted:
            return f"in {steps} steps with batch={batch} the model trained on {count} windows of the {text} text, wanted {wanted}"


@check(points=2, steps=[20, 9, 0], devices=False, random=True)
def held_out_losses_are_told(solution, steps):
    """The losses on both held-out texts are those before the first step and after every 10 steps."""
    model, (old, new) = Table(), four_texts()
    before = [model.mean_loss(text) for _, text in (old, new)]
    losses = solution.teach(model, old, new, steps, 3, 0.1, seeded(1))
    after = [model.mean_loss(text) for _, text in (old, new)]
    close = lambda x, y: abs(x - y) < 1e-9  # noqa: E731
    seen = {}
    for name, curve, first, last in zip(("old", "new"), losses, before, after, strict=True):
        seen[f"how many losses on the {name} held-out text"] = len(curve)
        seen[f"the first loss on the {name} held-out text is that before training"] = close(curve[0], first)
        seen[f"the last loss on the {name} held-out text is that after step {steps // 10 * 10}"] = close(curve[-1], last) or steps == 9
    seen["the losses on the two held-out texts are exchanged"] = close(losses[0][0], before[1]) and close(losses[1][0], before[0])
    return seen


@check(points=1, steps=[20, 11], devices=False)
def adam_shrinks_nothing(solution, steps):
    """Adam moves what has a gradient and shrinks nothing; what the held-out texts need has none here."""
    model, old, new = Table(), (numbers(0, 4), numbers(20)), (numbers(10, 4), numbers(30))
    return {"held-out losses": list(solution.teach(model, old, new, steps, 2, 0.1, seeded(1)))}


# Over 7 seeds the reference ended between 0.90 and 1.03 for the telegrams, and between 0.35 and 0.40 for the diary; without rehearsal above 1.6.
@check(points=4, seed=[1], seconds=30, devices=False, random=True)
def learns_without_forgetting(solution, seed):
    """After 40 steps the held-out losses are at most 1.3 for the telegrams and 0.8 for the diary."""
    model = diary_writer()
    solution.add_adapters(model, 4, 8.0)
    old, new = (encode(DIARY), encode(DIARY_HELD_OUT)), (encode(TELEGRAMS), encode(TELEGRAMS_HELD_OUT))
    solution.teach(model, old, new, 40, 8, 0.01, seeded(seed))
    return {"diary": model.mean_loss(old[1]), "telegrams": model.mean_loss(new[1])}


@learns_without_forgetting.judge
def _(seen):
    if not seen["telegrams"] <= 1.3:
        return f"the loss on the held-out telegrams is {seen['telegrams']:.2f} after 40 steps, wanted at most 1.3", "", "teach"
    if not seen["diary"] <= 0.8:
        return f"the loss on the held-out diary is {seen['diary']:.2f} after 40 steps, wanted at most 0.8", "", "teach"


@check(points=2, setting=SETTINGS, devices=False, random=True)
def adapters_alone_bring_the_style_back(solution, setting):
    """What is kept has the adapters alone, and a fresh model with adapters continues from it."""
    model = adapted(solution, *setting)
    kept = solution.adapters_alone(model)
    placed(adapters(model), 1)  # it learns on
    fresh = adapted(solution, *setting, filled=False)
    fresh.load_state_dict(kept, strict=False)
    return {"how many numbers are kept": sum(value.numel() for value in kept.values()), "logits": fresh(READ).detach() - adapted(solution, *setting)(READ).detach()}


@check(points=3, setting=SETTINGS, devices=False, random=True)
def merged_equals_unmerged(solution, setting):
    """The plain model gives the same logits, and has the names that the model had before."""
    model = adapted(solution, *setting)
    learned = count(model)
    merged = solution.without_adapters(model)
    close = torch.allclose(merged(READ), model(READ), rtol=0, atol=1e-3)  # of float32; merging rounds the weights
    return {"names": list(merged.state_dict()), "the logits are the same": close, HOW_MANY: learned}


@check(points=1, setting=SETTINGS, devices=False, random=True)
def merging_leaves_the_model_alone(solution, setting):
    """After merging, even twice, the model is as before, and the plain model has its own memory."""
    model = adapted(solution, *setting)
    before = model(READ).detach()
    first, second = solution.without_adapters(model), solution.without_adapters(model)
    return {
        "the model gives the same logits as before": torch.equal(model(READ), before),
        "a second plain model is like the first": torch.equal(first(READ), second(READ)),
        HOW_MANY: count(model),
        "memory is shared": any(shares_memory(p, q) for p in first.parameters() for q in model.parameters()),
    }


@check(points=1, star=True, steps=[5], random=True, devices=False)
def the_generator_draws_the_windows(solution, steps):
    """The same seed draws the same windows, whatever the global generator did."""
    state, runs = torch.get_rng_state(), []
    for seed in (1, 1, 2):
        model = Table()
        solution.teach(model, *four_texts(), steps, 4, 0.01, seeded(seed))
        runs.append(model.seen)
        torch.rand(3)  # somebody else draws
    torch.set_rng_state(state)
    return runs


@the_generator_draws_the_windows.judge
def _(runs):
    if runs[0] != runs[1]:
        return "two generators with the same seed drew different windows"
    if runs[0] == runs[2]:
        return "two generators with different seeds drew the same windows"


@check(points=1, star=True, about_device=True, double=[True, False], random=True, beside=True)
def adapters_follow_their_layer(solution, double, device):
    """a and b have the dtype and the device of the layer's weight, and teach() runs there."""
    model = (tiny().double() if double else tiny()).to(device)
    model.own = list(model.parameters())
    solution.add_adapters(model, 1, 1.0)
    logits = model(READ.to(device)).detach()
    text = (torch.arange(60) * 7 % len(CHARACTERS)).to(device)
    solution.teach(model, (text, text), (text, text), 1, 2, 0.01, seeded(1))
    return (logits, count(model)), {"dtypes": sorted({str(p.dtype) for p in learners(model)}), "on the device of the model": all(p.device == device for p in learners(model))}
