"""Known mistakes and unusual but correct solutions for TwoStageScorer and penalised_loss."""

import torch

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


cuts_the_graph_three_times = mistake.edited("torch.tanh(self.encoder(x))", "torch.tanh(self.encoder(x)).detach()",
    "The graph is cut in forward and in penalised_loss, as by detach() and item(), and requires_grad=True on a new tensor "
    "reconnects nothing: leave detach() and item() out, and add up tensors.",
    also=[
        ("(model(x) - y).square().mean()", "(model(x) - y).square().mean().item()"),
        ("parameter.square().sum()", "parameter.square().sum().item()"),
        ("return error + strength * penalty", "return torch.tensor(error + strength * penalty, requires_grad=True)"),
    ])

DetachesTheCode = mistake.edited("torch.tanh(self.encoder(x))", "torch.tanh(self.encoder(x)).detach()",
    "forward cuts the graph between encoder and head, with detach() or .data for example, so the encoder gets no "
    "gradient: remove that.",
    pitfall="detach() does not save memory for free")

makes_a_new_leaf = mistake.edited("(model(x) - y).square().mean()", "(model(x) - y).square().mean().item()",
    "The loss requires grad, but has no history, so nothing is connected to it: return the sum of the two parts as it is, "
    "without item(), detach() or torch.tensor().",
    also=[
        ("parameter.square().sum()", "parameter.square().sum().item()"),
        ("return error + strength * penalty", "return torch.tensor(error + strength * penalty, requires_grad=True)"),
    ],
    about=("loss_has_the_gradients_of_both_parts", "leaves_backward_to_the_caller"))

DetachesAndSwitchesOnAgain = mistake.edited(
    "torch.tanh(self.encoder(x))", "torch.tanh(self.encoder(x)).detach().requires_grad_(True)",
    "forward cuts the graph between encoder and head, with detach() or .data for example, so the encoder gets no "
    "gradient: remove that.")

FreezesTheHead = mistake.edited("self.head(code)", "code @ self.head.weight.detach().T + self.head.bias.detach()",
    "The head gets no gradient: none of the layers may be detached.")

LosesTheTanh = mistake.edited("torch.tanh(self.encoder(x))", "self.encoder(x)",
    "tanh is missing: only detach() was wrong.")

DetachesTheInput = mistake.edited("self.encoder(x)", "self.encoder(x.detach())",
    "x gets no gradient, as after x.detach(): if x requires grad, its gradient must flow as well.")

switches_on_requires_grad = mistake.edited("(model(x) - y).square().mean()", "(model(x) - y).square().mean().item()",
    "The loss requires grad, but has no history, so nothing is connected to it: return the sum of the two parts as it is, "
    "without item(), detach() or torch.tensor().",
    also=[
        ("parameter.square().sum()", "parameter.square().sum().item()"),
        ("return error + strength * penalty",
        "return torch.tensor(error + strength * penalty, dtype=x.dtype, device=x.device).requires_grad_(True)"),
    ],
    pitfall="reconnects nothing")

penalty_stays_a_number = mistake.edited("parameter.square().sum()", "parameter.square().sum().item()",
    "The penalty gives no gradient: add up the parameters themselves, without .item(), .data, detach() or no_grad().")

error_stays_a_number = mistake.edited("(model(x) - y).square().mean()", "(model(x) - y).square().mean().item()",
    "The error gives no gradient, only the penalty does: compute it without .item(), .data, detach() or no_grad().")

takes_a_root_on_the_way = mistake.edited("parameter.square().sum()", "parameter.square().sum().sqrt() ** 2",
    "You took a square root and squared it again: its derivative at 0 is infinite, so parameters that are all 0 get nan. Add "
    "up the squares themselves.")

penalises_weights_only = mistake.edited(
    "for parameter in model.parameters())", 'for name, parameter in model.named_parameters() if "weight" in name)',
    "The biases are missing from the penalty: every parameter counts.")

penalises_direct_parts_only = mistake.edited("penalty = sum(parameter.square().sum() for parameter in model.parameters())",
    """
    met = dict.fromkeys(p for part in (model, *model.children()) for p in part.parameters(recurse=False))
    penalty = sum(parameter.square().sum() for parameter in met)
    """,
    "Only parameters of the model itself and of its direct children are in the penalty, but children have children: model.parameters() goes through all levels.")

leaves_out_what_is_in_no_child = mistake.edited(
    "in model.parameters())", "in dict.fromkeys(p for part in model.children() for p in part.parameters()))",
    "Only parameters of children() are in the penalty, but a model may have some of its own: use all of model.parameters().")

penalises_what_is_named_weight_or_bias = mistake.edited("for parameter in model.parameters())",
    'for name, parameter in model.named_parameters() if name.endswith(("weight", "bias")))',
    "A parameter that is not named weight or bias is missing from the penalty: a module may use any names, and every parameter "
    "counts, so use model.parameters().")

leaves_out_frozen_parameters = mistake.edited("in model.parameters())", "in model.parameters() if parameter.requires_grad)",
    "A frozen parameter gets no gradient, but it counts in the value of the penalty.")

calls_backward_itself = mistake.edited("return error + strength * penalty",
    """
    loss = error + strength * penalty
    if loss.requires_grad:
        loss.backward(retain_graph=True)
    return loss
    """,
    "The function calls backward itself and fills .grad: return the loss and leave backward to the caller.")

detaches_the_target = mistake.edited("(model(x) - y)", "(model(x) - y.detach())",
    "y gets no gradient, as after y.detach(): if y requires grad, its gradient must flow as well.")

insists_on_requires_grad = mistake.edited(
    "return error + strength * penalty", "return (error + strength * penalty).requires_grad_(True)",
    "Under no_grad the result still requires grad, as after requires_grad_(True) on the loss, or inside enable_grad(): remove "
    "that, the graph is complete without it.")

adds_the_norms = mistake.edited("parameter.square().sum()", "torch.linalg.vector_norm(parameter)",
    "The penalty adds up norms, which are square roots: it is the sum of the squares.")

counts_a_shared_parameter_twice = mistake.edited(
    "for parameter in model.parameters())", "for part in model.modules() for parameter in part.parameters(recurse=False))",
    "A parameter that two layers share was counted in each of them: model.parameters() gives each one once.")

makes_a_float32_strength = mistake.edited(
    "strength * penalty", "torch.tensor(strength, dtype=torch.float32, device=error.device) * penalty",
    "The loss is right to seven digits only, so something in it is float32, such as a tensor made of strength: multiply "
    "by the Python number.",
    about=("loss_has_the_gradients_of_both_parts", "leaves_backward_to_the_caller"))

switches_to_eval_mode = mistake.edited("error = (model(x)", "model.eval()\nerror = (model(x)",
    "The model was used in eval mode, so its answer differs from that in training: use it in the mode that it is in.")

adds_to_a_float32_zero = mistake.edited(
    "for parameter in model.parameters())", "for parameter in model.parameters()) + torch.tensor(0.0, device=x.device)",
    "The loss of a bfloat16 model is float32, because a float32 tensor such as torch.tensor(0.0) is in it: start from "
    "the Python number 0.")

penalises_what_has_two_axes = mistake.edited(
    "for parameter in model.parameters())", "for parameter in model.parameters() if parameter.dim() > 1)",
    "Only parameters with two or more axes are in the penalty: biases and other vectors count, too.")

uses_the_ready_made_loss = alternative.edited("(model(x) - y).square().mean()", "nn.functional.mse_loss(model(x), y)",
    "mse_loss, and a penalty that starts from a tensor.",
    also=[("""
        penalty = sum(parameter.square().sum() for parameter in model.parameters())
        return error + strength * penalty
        """,
        """
        for parameter in model.parameters():
            error = error + strength * torch.sum(parameter * parameter)
        return error
        """)])


@alternative("penalised_loss")
def one_long_vector(model, x, y, strength):
    """All parameters in one vector."""
    difference = model(x) - y
    values = [parameter.reshape(-1) for parameter in model.parameters()]
    penalty = torch.cat(values).pow(2).sum() if values else 0.0
    return (difference * difference).mean() + penalty * strength


OneExpression = alternative.edited(
    "torch.tanh(self.encoder(x))", "nn.functional.linear(x, self.encoder.weight, self.encoder.bias).tanh()",
    "Works with the functional forms of the layers.",
    also=[("self.head(code)", "nn.functional.linear(code, self.head.weight, self.head.bias)")])

has_no_graph_at_all = mistake.edited("(model(x) - y).square().mean()", "(model(x) - y).square().mean().item()",
    "The loss has no graph: return the sum of the two parts as it is, without item(), detach(), torch.tensor() or no_grad().",
    also=[
        ("parameter.square().sum()", "parameter.square().sum().item()"),
        ("return error + strength * penalty", "return torch.tensor(error + strength * penalty)"),
    ],
    about=("loss_has_the_gradients_of_both_parts", "leaves_backward_to_the_caller"))

squares_the_sums = mistake.edited("parameter.square().sum()", "parameter.sum().square()",
    "You squared the sum of each parameter: square its elements, then add them up.")

takes_means = mistake.edited("parameter.square().sum()", "parameter.square().mean()",
    "You took the mean of each parameter's squares: take their sum.")

multiplies_the_error_too = mistake.edited("error + strength * penalty", "strength * (error + penalty)",
    "strength multiplies the error, too: multiply the penalty alone.")

forgets_strength = mistake.edited("error + strength * penalty", "error + penalty",
    "strength has no effect: multiply the penalty by it.")

keeps_the_last_parameter = mistake.edited("penalty = sum(parameter.square().sum() for parameter in model.parameters())",
    """
    penalty = 0.0
    for parameter in model.parameters():
        penalty = parameter.square().sum()
    """,
    "The penalty is that of the last parameter alone: add up the squares of all of them.")

stacks_the_penalties = mistake.edited("sum(parameter.square().sum() for parameter in model.parameters())",
    "torch.stack([parameter.square().sum() for parameter in model.parameters()]).sum()",
    "A model without parameters raises an error, because torch.stack and torch.cat need at least one tensor: use sum(), which starts at 0.")

sums_the_errors = mistake.edited("(model(x) - y).square().mean()", "(model(x) - y).square().sum()",
    "You summed the squared errors: take their mean.")
