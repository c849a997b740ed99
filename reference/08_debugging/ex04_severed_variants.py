"""Known mistakes and odd-but-correct solutions for TwoStageScorer and penalised_loss."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Follow the loss backward, line by line: where does a tensor with a grad_fn become something without one?",
    "item(), detach() and torch.tensor() give values without a history. What lies before them gets no "
    "gradient, whatever requires_grad says afterwards.",
    "Three calls have to go from this file, one in forward and two in penalised_loss, and the last line can "
    "then add the two parts as they are.",
)

EQUIVALENT = {
    "in_place-L19-1": "the encoder's result is a tensor of our own, and a linear layer does not need it for backward",
    "swap_operands-L25-1": "the difference is squared",
    "in_place-L25-1": "the difference is a tensor of our own, and square_ keeps what its backward needs",
}


class Base(nn.Module):
    """The layers of the scorer."""

    def __init__(self, features, hidden):
        super().__init__()
        self.encoder = nn.Linear(features, hidden)
        self.head = nn.Linear(hidden, 1)


def squares(model):
    """The sum of all squared parameters."""
    return sum(parameter.square().sum() for parameter in model.parameters())


@mistake()
def cuts_the_graph_three_times():
    """detach() in forward and item() in penalised_loss cut the graph, and requires_grad=True on a new tensor reconnects nothing: take
    detach() and item() away, and add up tensors."""
    return {"TwoStageScorer": DetachesTheCode, "penalised_loss": makes_a_new_leaf}


@mistake("TwoStageScorer")
class DetachesTheCode(Base):
    """detach() in forward cuts the graph, and nothing reconnects it: the encoder gets no gradient. Take detach() away."""

    def forward(self, x):
        return self.head(torch.tanh(self.encoder(x)).detach())


@mistake("penalised_loss")
def makes_a_new_leaf(model, x, y, strength):
    """requires_grad=True on the loss reconnects nothing: item() made plain numbers of its parts. Add up tensors, without
    item()."""
    error = (model(x) - y).square().mean().item()
    penalty = sum(parameter.square().sum().item() for parameter in model.parameters())
    return torch.tensor(error + strength * penalty, requires_grad=True)


@mistake("TwoStageScorer")
class DetachesAndSwitchesOnAgain(Base):
    """detach() in forward cuts the graph, and nothing reconnects it: the encoder gets no gradient. Take detach() away."""

    def forward(self, x):
        return self.head(torch.tanh(self.encoder(x)).detach().requires_grad_(True))


@mistake("TwoStageScorer")
class FreezesTheHead(Base):
    """Now the head gets no gradient: none of the layers may be detached."""

    def forward(self, x):
        weight, bias = self.head.weight.detach(), self.head.bias.detach()
        return torch.tanh(self.encoder(x)) @ weight.T + bias


@mistake("TwoStageScorer")
class LosesTheTanh(Base):
    """You removed tanh along with detach(): only detach() was wrong."""

    def forward(self, x):
        return self.head(self.encoder(x))


@mistake("TwoStageScorer")
class DetachesTheInput(Base):
    """The input was detached: if x requires grad, its gradient must flow as well."""

    def forward(self, x):
        return self.head(torch.tanh(self.encoder(x.detach())))


@mistake("penalised_loss")
def switches_on_requires_grad(model, x, y, strength):
    """requires_grad=True on the loss reconnects nothing: item() made plain numbers of its parts. Add up tensors, without
    item()."""
    error = (model(x) - y).square().mean().item()
    penalty = sum(parameter.square().sum().item() for parameter in model.parameters())
    return torch.tensor(error + strength * penalty, dtype=x.dtype, device=x.device).requires_grad_(True)


@mistake("penalised_loss")
def penalty_stays_a_number(model, x, y, strength):
    """The penalty is still a plain number: its part of the gradient is missing. Leave it a tensor."""
    error = (model(x) - y).square().mean()
    return error + strength * sum(parameter.square().sum().item() for parameter in model.parameters())


@mistake("penalised_loss")
def error_stays_a_number(model, x, y, strength):
    """The error is still a plain number: only the penalty gives gradients. Leave it a tensor."""
    error = (model(x) - y).square().mean().item()
    return error + strength * squares(model)


@mistake("penalised_loss")
def takes_a_root_on_the_way(model, x, y, strength):
    """You took a square root and squared it again: its derivative at 0 is infinite, so parameters that are all 0
    get nan. Add up the squares themselves."""
    penalty = sum(parameter.square().sum().sqrt() ** 2 for parameter in model.parameters())
    return (model(x) - y).square().mean() + strength * penalty


@mistake("penalised_loss")
def penalises_weights_only(model, x, y, strength):
    """The biases are missing from the penalty: every parameter counts."""
    error = (model(x) - y).square().mean()
    weights = [parameter for name, parameter in model.named_parameters() if "weight" in name]
    return error + strength * sum(weight.square().sum() for weight in weights)


@mistake("penalised_loss")
def penalises_direct_parts_only(model, x, y, strength):
    """Only parameters of the model itself and of its direct parts are in the penalty, and parts have parts: model.parameters()
    goes all the way down."""
    error = (model(x) - y).square().mean()
    met = dict.fromkeys(p for part in (model, *model.children()) for p in part.parameters(recurse=False))
    return error + strength * sum(parameter.square().sum() for parameter in met)


@mistake("penalised_loss")
def leaves_out_what_is_in_no_child(model, x, y, strength):
    """Only parameters of the parts from children() are in the penalty, and a model may have some of its own: take all of
    model.parameters()."""
    error = (model(x) - y).square().mean()
    met = dict.fromkeys(parameter for part in model.children() for parameter in part.parameters())
    return error + strength * sum(parameter.square().sum() for parameter in met)


@mistake("penalised_loss")
def penalises_what_is_named_weight_or_bias(model, x, y, strength):
    """Only parameters named weight or bias are in the penalty, and a module may call its parameters as it likes: every
    parameter counts, so go through model.parameters()."""
    error = (model(x) - y).square().mean()
    named = [parameter for name, parameter in model.named_parameters() if name.endswith(("weight", "bias"))]
    return error + strength * sum(parameter.square().sum() for parameter in named)


@mistake("penalised_loss")
def leaves_out_frozen_parameters(model, x, y, strength):
    """A frozen parameter gets no gradient, but it counts in the value of the penalty."""
    error = (model(x) - y).square().mean()
    return error + strength * sum(p.square().sum() for p in model.parameters() if p.requires_grad)


@mistake("penalised_loss")
def calls_backward_itself(model, x, y, strength):
    """The function calls backward itself and fills .grad: return the loss and leave backward to the
    caller."""
    error = (model(x) - y).square().mean()
    loss = error + strength * squares(model)
    if loss.requires_grad:
        loss.backward(retain_graph=True)
    return loss


@mistake("penalised_loss")
def detaches_the_target(model, x, y, strength):
    """The target was detached: if y requires grad, its gradient must flow as well."""
    error = (model(x) - y.detach()).square().mean()
    return error + strength * squares(model)


@mistake("penalised_loss")
def insists_on_requires_grad(model, x, y, strength):
    """Under no_grad the result still requires grad, as after requires_grad_(True) on the loss, or inside
    enable_grad(): remove that, the graph is complete without it."""
    error = (model(x) - y).square().mean()
    return (error + strength * squares(model)).requires_grad_(True)


@mistake("penalised_loss")
def adds_the_norms(model, x, y, strength):
    """The penalty adds up norms, which are square roots: it is the sum of the squares."""
    error = (model(x) - y).square().mean()
    return error + strength * sum(torch.linalg.vector_norm(parameter) for parameter in model.parameters())


@mistake("penalised_loss")
def counts_a_shared_parameter_twice(model, x, y, strength):
    """A parameter that two layers share was counted in each of them: model.parameters() gives each one once."""
    error = (model(x) - y).square().mean()
    penalty = sum(p.square().sum() for part in model.modules() for p in part.parameters(recurse=False))
    return error + strength * penalty


@mistake("penalised_loss")
def makes_a_float32_strength(model, x, y, strength):
    """strength became a float32 tensor, which is right to seven digits only: multiply by the Python number itself."""
    error = (model(x) - y).square().mean()
    penalty = sum(p.square().sum() for p in model.parameters())
    return error + torch.tensor(strength, dtype=torch.float32, device=error.device) * penalty


@mistake("penalised_loss")
def switches_to_eval_mode(model, x, y, strength):
    """The model was switched to eval mode, so it gives another answer than in training: use it in the mode that it is in."""
    model.eval()
    return (model(x) - y).square().mean() + strength * squares(model)


@mistake("penalised_loss")
def adds_to_a_float32_zero(model, x, y, strength):
    """The penalty starts from torch.tensor(0.0), which is float32: with a bfloat16 model the loss is float32 too. Start from
    the Python number 0."""
    penalty = torch.tensor(0.0, device=x.device)
    for parameter in model.parameters():
        penalty = penalty + parameter.square().sum()
    return (model(x) - y).square().mean() + strength * penalty


@alternative("penalised_loss")
def uses_the_ready_made_loss(model, x, y, strength):
    """mse_loss, and a penalty that starts from a tensor."""
    loss = nn.functional.mse_loss(model(x), y)
    for parameter in model.parameters():
        loss = loss + strength * torch.sum(parameter * parameter)
    return loss


@alternative("penalised_loss")
def one_long_vector(model, x, y, strength):
    """All parameters in one vector."""
    difference = model(x) - y
    values = [parameter.reshape(-1) for parameter in model.parameters()]
    penalty = torch.cat(values).pow(2).sum() if values else 0.0
    return (difference * difference).mean() + penalty * strength


@alternative("TwoStageScorer")
class OneExpression(Base):
    """Works with the functional forms of the layers."""

    def forward(self, x):
        code = nn.functional.linear(x, self.encoder.weight, self.encoder.bias).tanh()
        return nn.functional.linear(code, self.head.weight, self.head.bias)
