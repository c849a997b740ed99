"""Known mistakes and odd-but-correct solutions for train_step."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down the five things that happen to one batch, and ask of each: what has to be true before it?",
    "Gradients are added to what is in .grad, so it has to be cleared before backward(). The optimizer "
    "uses what is in .grad, so it has to come after backward(). Dropout and batch norm obey the mode, so "
    "it has to be set before the forward pass.",
    "Set the mode, clear the gradients, compute the loss, call backward, let the optimizer step. One thing "
    "is left: turn the loss into a plain number. For full marks, find the device from one parameter and "
    "move both tensors there first.",
)


def moved(model, batch):
    """Both tensors of the batch, on the device of the model."""
    device = next(model.parameters()).device
    return batch[0].to(device), batch[1].to(device)


@mistake("train_step", common=True)
def never_clears_gradients(model, batch, loss_fn, opt):
    """Old gradients were still in .grad, and backward() added the new ones to them: clear them before backward()."""
    x, y = moved(model, batch)
    model.train()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


@mistake("train_step")
def clears_only_after_the_step(model, batch, loss_fn, opt):
    """Gradients from before the first call were part of the update: clear them before backward(), not only after
    step()."""
    x, y = moved(model, batch)
    model.train()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    opt.zero_grad()
    return loss.item()


@mistake("train_step")
def clears_the_first_group(model, batch, loss_fn, opt):
    """Only the parameters of the first group were cleared, so others kept gradients from before: opt.zero_grad() goes through all
    groups."""
    x, y = moved(model, batch)
    model.train()
    for parameter in opt.param_groups[0]["params"]:
        parameter.grad = None
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


@mistake("train_step")
def learns_nothing(model, batch, loss_fn, opt):
    """No parameter moved: step() found no gradients or was not called. The order is clear, forward, loss,
    backward, step, with nothing cleared between backward and step."""
    x, y = moved(model, batch)
    model.train()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.zero_grad()
    opt.step()
    return loss.item()


@mistake("train_step")
def steps_with_the_gradients_from_before(model, batch, loss_fn, opt):
    """The optimizer stepped before backward(), so it used old gradients: step() comes last."""
    x, y = moved(model, batch)
    model.train()
    loss = loss_fn(model(x), y)
    opt.step()
    opt.zero_grad()
    loss.backward()
    return loss.item()


@mistake("train_step")
def steps_twice(model, batch, loss_fn, opt):
    """The optimizer stepped twice with the same gradient: one batch, one step."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    opt.step()
    return loss.item()


@mistake("train_step")
def keeps_the_mode(model, batch, loss_fn, opt):
    """You trained a model in evaluation mode, without dropout and with frozen batch norm: call model.train()
    before the forward pass."""
    x, y = moved(model, batch)
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


@mistake("train_step")
def trains_in_evaluation_mode(model, batch, loss_fn, opt):
    """The forward pass ran in evaluation mode, which is for measuring: training needs model.train()."""
    x, y = moved(model, batch)
    model.eval()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    model.train()
    return loss.item()


@mistake("train_step", common=True)
def returns_the_tensor(model, batch, loss_fn, opt):
    """You returned the loss as a tensor, which keeps its graph alive: return the plain number, loss.item()."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss


@mistake("train_step")
def measures_again_after_the_step(model, batch, loss_fn, opt):
    """The loss was computed a second time with the new weights: return the one that backward() started
    from."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss_fn(model(x), y).backward()
    opt.step()
    with torch.no_grad():
        return loss_fn(model(x), y).item()


@mistake("train_step")
def swaps_prediction_and_target(model, batch, loss_fn, opt):
    """You passed the target to loss_fn first. Squared error is symmetric, other losses are not: the prediction
    comes first."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(y, model(x))
    loss.backward()
    opt.step()
    return loss.item()


leaves_the_target_behind = mistake.edited(
    """
    device = next(model.parameters()).device
    x, y = (part.to(device) for part in batch)
    """,
    "x, y = moved(model, batch)[0], batch[1]",
    "One tensor of the batch was not moved, most often the targets: move both to the model's device.")


@mistake("train_step")
def brings_the_prediction_to_the_target(model, batch, loss_fn, opt):
    """The prediction was moved to the target: both tensors of a batch go to the device of the model, where loss_fn may have
    weights of its own."""
    x, y = batch
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x.to(next(model.parameters()).device)).to(y.device), y)
    loss.backward()
    opt.step()
    return loss.item()


@mistake("train_step")
def puts_the_mode_back(model, batch, loss_fn, opt):
    """You restored the model's earlier mode: after a training step it stays in training mode."""
    was = model.training
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    model.train(was)
    return loss.item()


@mistake("train_step")
def ends_in_evaluation_mode(model, batch, loss_fn, opt):
    """The model was switched to evaluation mode at the end: after a training step it stays in training mode."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    model.eval()
    return loss.item()


@mistake("train_step")
def gives_a_list(model, batch, loss_fn, opt):
    """A loss of shape (1,) came back as a list: tolist() keeps the axes, item() gives the number of any tensor with one element."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.tolist()


@mistake("train_step")
def squeezes_the_prediction(model, batch, loss_fn, opt):
    """The prediction lost its axes of size 1, so it no longer lines up with the target: pass it on as it
    is."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x).squeeze(), y)
    loss.backward()
    opt.step()
    return loss.item()


@mistake("train_step")
def moves_the_model_instead(model, batch, loss_fn, opt):
    """The model was moved to the batch: the caller decides where the model lives, so move the batch to the
    model."""
    x, y = batch
    model.to(x.device).train()
    opt.zero_grad()
    loss = loss_fn(model(x), y.to(x.device))
    loss.backward()
    opt.step()
    return loss.item()


casts_the_batch = mistake.edited("device = next(model.parameters()).device", "p = next(model.parameters())",
    "The batch was cast to the dtype of the weights, but tokens and labels are whole numbers: move them and leave their "
    "dtype alone.",
    also=[("part.to(device)", "part.to(p.device, p.dtype)")])


@mistake("train_step")
def casts_the_inputs(model, batch, loss_fn, opt):
    """x was cast to the dtype of the weights: only move x to the model's device, the model decides about dtypes."""
    like = next(model.parameters())
    x, y = (t.to(like.device) for t in batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x.to(like.dtype) if x.is_floating_point() else x), y)
    loss.backward()
    opt.step()
    return loss.item()


casts_to_the_dtype_of_the_model = mistake.edited(
    "device = next(model.parameters()).device", "like = next(model.parameters())",
    "The batch was cast to the dtype of the model: x and y keep their dtypes, only move them to its device.",
    also=[("(part.to(device) for part in batch)",
         "(t.to(like) if t.is_floating_point() else t.to(like.device) for t in batch)")])


@mistake("train_step")
def runs_the_model_twice(model, batch, loss_fn, opt):
    """The model ran a second time, which lets batch norm count the batch twice: one forward pass is enough."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    assert len(model(x)) == len(y)
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


@mistake("train_step")
def views_the_target_as_the_prediction(model, batch, loss_fn, opt):
    """The target was given the shape of the prediction: pass both to loss_fn with their own shapes."""
    model.train()
    x, y = (t.to(next(model.parameters()).device) for t in batch)
    opt.zero_grad()
    prediction = model(x)
    loss = loss_fn(prediction, y.reshape(prediction.shape) if y.numel() == prediction.numel() else y)
    loss.backward()
    opt.step()
    return loss.item()


@mistake("train_step")
def stumbles_over_unused_parameters(model, batch, loss_fn, opt):
    """A parameter that is frozen or has no part in the loss stopped you: ask torch.autograd.grad for those that require grad, with
    allow_unused=True, or let backward() do it."""
    x, y = moved(model, batch)
    model.train()
    loss = loss_fn(model(x), y)
    params = [p for group in opt.param_groups for p in group["params"]]
    for p, grad in zip(params, torch.autograd.grad(loss, params), strict=True):
        p.grad = grad
    opt.step()
    return loss.item()


@mistake("train_step")
def unfreezes_all_parameters(model, batch, loss_fn, opt):
    """A frozen parameter was trained: requires_grad is the caller's choice, leave it alone."""
    x, y = moved(model, batch)
    model.train().requires_grad_()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()


@alternative("train_step")
def clears_between_forward_and_backward(model, batch, loss_fn, opt):
    """Clearing late is fine, as long as it is before backward()."""
    x, y = moved(model, batch)
    loss = loss_fn(model.train()(x), y)
    opt.zero_grad(set_to_none=False)
    loss.backward()
    opt.step()
    return loss.item()


@alternative("train_step")
def clears_by_hand(model, batch, loss_fn, opt):
    """Sets every .grad of the model to None, before and after."""
    for p in model.parameters():
        p.grad = None
    model.train(True)
    x, y = moved(model, batch)
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    model.zero_grad()
    return loss.detach().cpu().tolist() if loss.dim() == 0 else loss.item()


@alternative("train_step")
def gradients_as_values(model, batch, loss_fn, opt):
    """torch.autograd.grad and an assignment instead of backward()."""
    x, y = moved(model, batch)
    model.train()
    with torch.enable_grad():
        loss = loss_fn(model(x), y)
    params = [p for group in opt.param_groups for p in group["params"] if p.requires_grad]
    for p, grad in zip(params, torch.autograd.grad(loss, params, allow_unused=True), strict=True):
        p.grad = grad
    opt.step()
    return loss.item()


@alternative("train_step")
def hands_over_a_closure(model, batch, loss_fn, opt):
    """Lets the optimizer call everything, on copies of the batch."""
    device = next(model.parameters()).device
    x, y = (part.clone().to(device, non_blocking=True) for part in batch)
    for part in model.modules():
        part.train()

    def closure():
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        return loss

    return opt.step(closure).item()
