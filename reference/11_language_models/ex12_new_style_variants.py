"""Known mistakes and unusual but correct solutions for the project."""

import copy

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parametrize

from torchdojo.variants import alternative, mistake

HINTS = (
    "Begin with a module that contains a linear layer and adds a change to its result. Then put it in the place of each nn.Linear. Compare logits before and after: they are the same.",
    "Collect the layers with list(model.named_modules()) before you replace them; set_submodule(name, ...) puts a module in a place. Freeze first, so that the new parameters stay trainable. "
    "In teach(), one batch has windows of both texts, so that each update also keeps what the model knew.",
    "A text unfolded into pieces of context + 1 has all windows; index them with random numbers, and concatenate those of the old and the new text. Trained parameters are those with requires_grad: "
    "Adam gets them, and adapters_alone() copies them under their names. without_adapters() works on a copy.deepcopy: it adds the scaled product to the weight of each base, and puts the base back.",
)
EQUIVALENT = {
    "swap_builtin: for name, layer in model.named_modules():": "replacing a module while the names are listed skips no linear layer of these models",
    "add_detach: drawn = torch.cat([some[torch.randint(len(some), (batch,), generator=generator)] for some in windows]).detach()": "tokens have no gradient",
    "drop_keyword: for curve, (_, held_out) in zip(losses, (old, new)):": "there are always two lists and two texts",
    "drop_copy: return {name: p.clone() for name, p in model.named_parameters() if p.requires_grad}": "load_state_dict copies values, with or without a graph",
    "swap_builtin: for name, layer in result.named_modules():": "as above, in the copy",
}

A = "nn.Parameter(torch.randn_like(base.weight[:1].expand(rank, -1)) / base.in_features**0.5)"
B = "nn.Parameter(base.weight.new_zeros(base.out_features, rank))"
CHANGE = "self.base(x) + self.scale * (x @ self.a.T @ self.b.T)"
FREEZE = "    model.requires_grad_(False)\n"
LAYER = "if isinstance(layer, nn.Linear):"
TRAINED = "[p for p in model.parameters() if p.requires_grad], lr=lr"
DRAWN = "drawn = torch.cat([some[torch.randint(len(some), (batch,), generator=generator)] for some in windows])"
LOSS = "loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, 1:].flatten())"
KEPT = "{name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}"
COPY = "result = copy.deepcopy(model)"
MERGE = "layer.base.weight += layer.scale * (layer.b @ layer.a)"
FIRST = "losses = [[model.mean_loss(held_out)] for _, held_out in (old, new)]"
EVERY = "if step % 10 == 0:"
CURVE = "curve.append(model.mean_loss(held_out))"

# ------------------------------------------------------------------ adapters
base_is_trained = mistake.edited(FREEZE, "",
    "The model's own parameters are trained, too: freeze them before you add the adapters.",
    about="only_adapters_are_trained", common=True)

weights_alone_are_frozen = mistake.edited(FREEZE, """
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            layer.requires_grad_(False)
""".lstrip("\n"),
    "Embeddings and norms are still trained: freeze all parameters of the model, not only those of its linear layers.",
    about="only_adapters_are_trained", common=True)

biases_are_trained = mistake.edited(FREEZE, """
    for name, p in model.named_parameters():
        p.requires_grad_(name.endswith("bias"))
""".lstrip("\n"),
    "The model's biases are trained as well: freeze all its parameters.",
    about="only_adapters_are_trained")

freezes_the_adapters = mistake.edited(FREEZE, "",
    "The adapters are frozen, too, so nothing can learn: freeze the model first, then add the adapters.",
    also=[("            model.set_submodule(name, Adapted(layer, rank, alpha))\n", "            model.set_submodule(name, Adapted(layer, rank, alpha))\n    model.requires_grad_(False)\n")],
    common=True)

the_head_alone = mistake.edited(LAYER, 'if isinstance(layer, nn.Linear) and "." not in name:',
    "Only linear layers at the top of the model got an adapter: those inside other modules need one, too. model.named_modules() has them all.",
    about="only_adapters_are_trained", common=True)

square_layers_alone = mistake.edited(LAYER, "if isinstance(layer, nn.Linear) and layer.in_features == layer.out_features:",
    "Some linear layers have no adapter: give one to every nn.Linear, whatever its sizes.",
    about="only_adapters_are_trained")

both_zero = mistake.edited(A, "nn.Parameter(base.weight.new_zeros(rank, base.in_features))",
    "a and b both start as zeros, so their gradients are zero for ever and nothing is learned: start a with random numbers.",
    about="every_adapter_learns", common=True)

both_random = mistake.edited(B, "nn.Parameter(torch.randn_like(base.weight[:, :1].expand(-1, rank)))",
    "The logits change as soon as there are adapters: start b with zeros.",
    about="starts_as_it_was", common=True)

not_scaled = mistake.edited("self.base, self.scale = base, alpha / rank", "self.base, self.scale = base, 1.0",
    "alpha has no effect: scale the change by alpha / rank.",
    about="the_change_is_scaled", common=True)

scaled_by_alpha = mistake.edited("self.base, self.scale = base, alpha / rank", "self.base, self.scale = base, alpha",
    "The change was scaled by alpha alone: divide by the rank.",
    about="the_change_is_scaled", common=True)

in_the_default_dtype = mistake.edited(A, "nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)",
    "a and b have the default dtype and are on the CPU: make them like the layer's weight.",
    also=[(B, "nn.Parameter(torch.zeros(base.out_features, rank))"),
          (CHANGE, "self.base(x) + self.scale * (x @ self.a.to(x).T @ self.b.to(x).T)"),
          (MERGE, "layer.base.weight += layer.scale * (layer.b @ layer.a).to(layer.base.weight)")],
    about="adapters_follow_their_layer", common=True)

# ------------------------------------------------------------------ teaching
the_new_text_alone = mistake.edited("for some in windows])", "for some in windows[1:]])",
    "The model read the new text alone, so it forgets the old one: each step also reads as many windows of the old text.",
    about=("both_texts_are_read", "learns_without_forgetting"), common=True, pitfall="With the new text alone")

the_old_text_alone = mistake.edited("for some in windows])", "for some in windows[:1]])",
    "The model read the old text alone, so it learns nothing new: each step also reads as many windows of the new text.",
    about=("both_texts_are_read", "learns_without_forgetting"))

one_text_after_the_other = mistake.edited("for some in windows])", "for some in [windows[step % 2]] * 2])",
    "The steps took turns: one read the old text, the next the new one. Each step reads windows of both.",
    about="both_texts_are_read")

half_a_batch = mistake.edited("(batch,)", "(batch // 2,)",
    "The batch was divided between the texts: each step reads `batch` windows of either.",
    about="both_texts_are_read", common=True)

trains_on_held_out_text = mistake.edited("for text, _ in (old, new)]", "for text in (torch.cat(old), torch.cat(new))]",
    "The model trained on the held-out texts as well, so their losses say nothing any more: take windows of the first text of each pair.",
    about="both_texts_are_read", common=True)

one_window_in_each_step = mistake.edited("(batch,), generator=generator)", "(1,), generator=generator).expand(batch)",
    "All windows of a text in a step are the same: draw a position for each of them.",
    about="learns_without_forgetting")

learning_rate_of_zero = mistake.edited(TRAINED, "[p for p in model.parameters() if p.requires_grad], lr=0.0",
    "The adapters never change, whatever lr is: pass lr to the optimizer, and call its step() in each step.")

learning_rate_is_fixed = mistake.edited(TRAINED, "[p for p in model.parameters() if p.requires_grad], lr=1e-3",
    "lr has no effect: pass it to the optimizer.", common=True)

adamw = mistake.edited("torch.optim.Adam(", "torch.optim.AdamW(",
    "The optimizer is AdamW, which also shrinks what it trains: use Adam.",
    about="adam_shrinks_nothing", common=True)

never_clears = mistake.edited("        optimizer.zero_grad()\n", "",
    "Gradients of all steps add up: call zero_grad() in each step.", common=True)

targets_are_the_inputs = mistake.edited(LOSS, "loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, :-1].flatten())",
    "The targets are the tokens that the model reads, so it learns to repeat them: the targets are those one position later.",
    about="learns_without_forgetting", common=True)

draws_without_the_generator = mistake.edited("(batch,), generator=generator)", "(batch,))",
    "The windows don't come from the generator: pass it to the function that draws them.",
    about="the_generator_draws_the_windows", common=True)

evaluates_the_training_text = mistake.edited("for _, held_out in (old, new)]", "for held_out, _ in (old, new)]",
    "The losses are those of the training texts: evaluate the held-out text, the second of each pair.",
    also=[("for curve, (_, held_out) in", "for curve, (held_out, _) in")],
    about="held_out_losses_are_told", common=True)

evaluates_every_step = mistake.edited(EVERY, "if True:",
    "The held-out texts were evaluated after every step: do it after every 10 steps.",
    about="held_out_losses_are_told")

evaluates_too_early = mistake.edited(EVERY, "if step % 10 == 1:",
    "After the first losses, the held-out texts were evaluated too early: do it before the first step, then only after steps 10, 20 and so on.",
    about="held_out_losses_are_told", common=True)

no_loss_before_training = mistake.edited(FIRST, "losses = [[], []]",
    "The losses before the first step are missing.",
    about="held_out_losses_are_told", common=True)

losses_of_the_other_text = mistake.edited("return losses[0], losses[1]", "return losses[1], losses[0]",
    "The two lists are exchanged: first the losses on the held-out text of old.",
    about="held_out_losses_are_told")

training_losses = mistake.edited(CURVE, "curve.append(loss.item())",
    "The losses after 10 steps and later are those of a training batch: evaluate the held-out texts with model.mean_loss().",
    about="held_out_losses_are_told")

# ------------------------------------------------------------------ keeping and merging
keeps_the_whole_model = mistake.edited(KEPT, "{name: value.detach().clone() for name, value in model.state_dict().items()}",
    "The whole model was kept: the entries that belong to adapters are enough.",
    about="adapters_alone_bring_the_style_back", common=True)

keeps_only_b = mistake.edited("if p.requires_grad}", 'if p.requires_grad and p.shape[1] <= p.shape[0]}',
    "Some of the adapters' parameters are missing: keep both a and b of each.",
    about="adapters_alone_bring_the_style_back")

keeps_no_copies = mistake.edited("p.detach().clone()", "p.detach()",
    "What was kept changes when the model trains on, because it shares its memory: clone the values.",
    about="adapters_alone_bring_the_style_back", common=True)

drops_the_path = mistake.edited("{name: p.detach().clone()", '{name.rpartition(".")[2]: p.detach().clone()',
    "The names lost their path, so adapters overwrite each other: keep the names of state_dict().",
    about="adapters_alone_bring_the_style_back")

merges_without_the_scale = mistake.edited(MERGE, "layer.base.weight += layer.b @ layer.a",
    "The plain model is right only if alpha equals rank, as if the scale were left out when merging: add alpha / rank times the product of b and a.",
    about="merged_equals_unmerged", common=True)

drops_the_change = mistake.edited(MERGE, "pass",
    "The plain model gives other logits, as if the change were missing in its weights: add alpha / rank times the product of b and a to each.",
    about="merged_equals_unmerged")

merges_into_the_model = mistake.edited(COPY, "result = model",
    "The model itself lost its adapters: work on a copy of it.",
    about="merging_leaves_the_model_alone", common=True)

merges_twice = mistake.edited(COPY, "result = copy.copy(model)\nresult._modules = {name: copy.deepcopy(module) for name, module in model._modules.items()}\nfor layer in model.modules():\n    if isinstance(layer, Adapted):\n        layer.base.weight.data += layer.scale * (layer.b @ layer.a).data",
    "Merging changed the model itself, so its logits differ afterwards: add the change in the copy alone.",
    about="merging_leaves_the_model_alone")

adapters_stay_in_the_copy = mistake.edited("            result.set_submodule(name, layer.base)\n", "            layer.b.data.zero_()\n",
    "The copy still has adapters: put a plain nn.Linear back in the place of each.",
    about="merged_equals_unmerged", common=True)


# ------------------------------------------------------------------ odd, but right
class Change(nn.Module):
    """A weight plus a product, for torch.nn.utils.parametrize."""

    def __init__(self, weight, rank, alpha):
        super().__init__()
        self.factor = alpha / rank
        self.a = nn.Parameter(torch.empty(rank, weight.shape[1], dtype=weight.dtype, device=weight.device).uniform_(-0.1, 0.1))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank, dtype=weight.dtype, device=weight.device))

    def forward(self, weight):
        return torch.addmm(weight, self.b, self.a, alpha=self.factor)


@alternative()
def parametrizations():
    """PyTorch's own parametrizations; plain layers are made for the copy."""

    def add_adapters(model, rank, alpha):
        for p in model.parameters():
            p.requires_grad = False
        for layer in list(model.modules()):
            if type(layer) is nn.Linear:
                parametrize.register_parametrization(layer, "weight", Change(layer.weight, rank, alpha))

    def without_adapters(model):
        result = copy.deepcopy(model)
        for name, layer in list(result.named_modules()):
            if parametrize.is_parametrized(layer):
                plain = nn.Linear(layer.in_features, layer.out_features, layer.bias is not None, dtype=layer.weight.dtype, device=layer.weight.device)
                plain.weight.data = layer.weight.detach()
                if layer.bias is not None:
                    plain.bias.data = layer.bias.detach()
                parent, _, last = name.rpartition(".")
                setattr(result.get_submodule(parent), last, plain)
        return result

    return {"add_adapters": add_adapters, "without_adapters": without_adapters}


class SubLinear(nn.Linear):
    """A linear layer with two more parameters."""

    def forward(self, x):
        return F.linear(x, self.weight + self.factor * self.b @ self.a, self.bias)


@alternative()
def layers_change_their_class():
    """No module is replaced: each nn.Linear becomes a subclass of itself, and a plain one in the copy."""

    def add_adapters(model, rank, alpha):
        model.requires_grad_(False)
        for layer in model.modules():
            if isinstance(layer, nn.Linear):
                layer.__class__, layer.factor = SubLinear, alpha / rank
                layer.a = nn.Parameter(0.1 * torch.randn_like(layer.weight[0]).repeat(rank, 1))
                nn.init.kaiming_uniform_(layer.a)
                layer.b = nn.Parameter(torch.zeros_like(layer.weight[:, :1]).repeat(1, rank))

    def without_adapters(model):
        result = copy.deepcopy(model)
        for layer in result.modules():
            if isinstance(layer, SubLinear):
                layer.weight.data += layer.factor * layer.b.data @ layer.a.data
                del layer.a, layer.b
                layer.__class__ = nn.Linear
        return result

    return {"add_adapters": add_adapters, "without_adapters": without_adapters}


child_after_child = alternative.edited(
    """
    for name, layer in list(model.named_modules()):
        if isinstance(layer, nn.Linear):
            model.set_submodule(name, Adapted(layer, rank, alpha))
    """,
    """
    for module in list(model.modules()):
        for name, layer in list(module.named_children()):
            if isinstance(layer, nn.Linear):
                setattr(module, name, Adapted(layer, rank, alpha))
    """,
    "Children are replaced, one module after the other.")


@alternative("teach")
def two_calls_in_each_step(model, old, new, steps, batch, lr, generator=None):
    """A call of the model for each text, windows stacked by hand, gradients added by two backward passes."""
    opt = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr)
    old_losses, new_losses = [model.mean_loss(old[1])], [model.mean_loss(new[1])]
    for k in range(steps):
        model.train()
        opt.zero_grad()
        for text in (new[0], old[0]):
            starts = (torch.rand(batch, generator=generator) * (len(text) - model.context)).long().tolist()
            x = torch.stack([text[i : i + model.context] for i in starts])
            y = torch.stack([text[i + 1 : i + model.context + 1] for i in starts])
            (nn.CrossEntropyLoss()(model(x).transpose(1, 2), y) / 2).backward()
        opt.step()
        if k % 10 == 9:
            old_losses += [model.mean_loss(old[1])]
            new_losses += [model.mean_loss(new[1])]
    return old_losses, new_losses


@alternative("adapters_alone")
def from_the_state_dict(model):
    """Entries of the state dict whose parameters are trained."""
    trained = {name for name, p in model.named_parameters() if p.requires_grad}
    return copy.deepcopy({name: value for name, value in model.state_dict().items() if name in trained})
