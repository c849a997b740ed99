"""Known mistakes and odd-but-correct solutions for survives_fp16 and amp_step."""

import torch
from ex08_amp_step import amp_step

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: stored = (x * scale).to(torch.float16).detach()": "the answer is bool and has no gradient",
}

HINTS = (
    "survives_fp16: let float16 answer, then look at what became of the numbers. amp_step: start from an "
    "ordinary training step and find the three lines that change.",
    "autocast belongs around the forward pass and the loss. The scaler multiplies the loss before "
    "backward, divides the gradients before the step, skips the step if one is inf or nan, and then "
    "adapts its scale: three different methods.",
    "survives_fp16: multiply, convert, ask for finite, and for not zero unless x was. amp_step: after "
    "autocast, let the scaler scale the loss and go backward from that; let the scaler make the step. One "
    "call to the scaler is left.",
)


def moved(model, batch):
    """Both tensors of the batch, on the device of the model."""
    device = next(model.parameters()).device
    return batch[0].to(device), batch[1].to(device)


only_too_small = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = (x * scale).half()",
    "Too large numbers were missed: float16 turns everything beyond about 65504 into inf.",
    also=[("return stored.isfinite() & ((stored != 0) | (x == 0))", "return (stored != 0) | (x == 0)")])


@mistake("survives_fp16")
def only_too_large(x, scale):
    """Too small numbers were missed: float16 turns them into 0."""
    return (x * scale).half().isfinite()


ignores_the_scale = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = x.half()",
    "The scale was not used: multiply before you convert.")

scales_too_late = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = x.half() * scale",
    "The numbers were rounded to float16 first and scaled afterwards: what is 0 by then stays 0.")

zero_is_a_loss = mistake.edited("stored = (x * scale).to(torch.float16)", "stored = (x * scale).half()",
    "A number that was 0 from the start was counted as lost.",
    also=[("(stored != 0) | (x == 0)", "stored != 0")])


@mistake("survives_fp16")
def smallest_normal_as_limit(x, scale):
    """Numbers below the smallest normal one were counted as lost: float16 still holds them, with fewer
    digits."""
    info = torch.finfo(torch.float16)
    size = (x * scale).abs()
    return (size <= info.max) & ((size >= info.tiny) | (x == 0))


rounding_is_a_loss = mistake.edited("stored = (x * scale).to(torch.float16)", "scaled = x * scale",
    "Numbers that float16 only rounds were counted as lost: ask whether they became 0 or inf.",
    also=[("stored.isfinite() & ((stored != 0) | (x == 0))", "scaled.half().to(x.dtype) == scaled")])


@mistake("amp_step")
def never_updates_the_scale(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The scale never changed: call scaler.update() once after each step."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    return loss.item()


@mistake("amp_step", common=True)
def forgets_to_scale(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The loss was not scaled but the gradients were unscaled, so the step was too small by the scale: go
    backward from scaler.scale(loss)."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(torch.zeros((), device=loss.device))
    loss.backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step")
def steps_without_the_scaler(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """opt.step() used gradients that were still multiplied by the scale, and it steps on inf too: use
    scaler.step(opt)."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    opt.step()
    return loss.item()


@mistake("amp_step")
def unscales_and_steps_on_inf(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The gradients were unscaled, but the step was taken even with inf in them: let scaler.step(opt)
    decide."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    opt.step()
    scaler.update()
    return loss.item()


@mistake("amp_step")
def no_autocast(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """Everything ran in full precision: put the forward pass and the loss under torch.autocast."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step")
def loss_outside(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The loss was computed after autocast had ended, so it ran in 16 bits: under autocast the delicate
    functions run in float32."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        prediction = model(x)
    loss = loss_fn(prediction, y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step")
def ignores_the_dtype(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """autocast chose its own dtype: pass on the one that was asked for."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step")
def halves_the_model(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The parameters themselves became 16 bits wide, and small updates get lost in them: leave the model
    alone, autocast converts what it needs."""
    x, y = moved(model, batch)
    model.to(dtype).train()
    opt.zero_grad()
    loss = loss_fn(
        model(x.to(dtype) if x.is_floating_point() else x), y.to(dtype) if y.is_floating_point() else y
    )
    loss.backward()
    opt.step()
    return loss.item()


@mistake("amp_step")
def divides_by_the_new_scale(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The loss came back as the scaled loss divided by a scale that scaler.update() had changed by then: return the loss itself."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = scaler.scale(loss_fn(model(x), y))
    loss.backward()
    scaler.step(opt)
    scaler.update()
    return loss.item() / scaler.get_scale()


@mistake("amp_step")
def widens_the_prediction(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The prediction was converted to float32 before loss_fn saw it: hand it on as it is, autocast converts what it needs."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x).float(), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step")
def returns_the_scaled_loss(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The loss that came back is multiplied by the scale: return the loss itself."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = scaler.scale(loss_fn(model(x), y))
    loss.backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step", common=True)
def never_clears_gradients(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """Old gradients were still in .grad, and backward() added the new ones to them: clear them first."""
    x, y = moved(model, batch)
    model.train()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step")
def keeps_the_mode(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """You trained a model in evaluation mode, without dropout: call model.train() first."""
    x, y = moved(model, batch)
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


leaves_the_batch_behind = mistake.edited(
    """
    device = next(model.parameters()).device
    x, y = (part.to(device) for part in batch)
    """,
    "x, y = batch",
    "You didn't move the batch: move inputs and targets to the device of the model's parameters.")


@mistake("amp_step")
def brings_the_prediction_to_the_target(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The prediction was moved to the target: both tensors of a batch go to the device of the model, where loss_fn may have
    weights of its own."""
    x, y = batch
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x.to(next(model.parameters()).device)).to(y.device), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("survives_fp16")
def largest_as_limit(x, scale):
    """Numbers slightly above the largest one were counted as lost, but up to 65520 they round down to it: let
    the conversion decide."""
    stored = (x * scale).half()
    return ((x * scale).abs() <= torch.finfo(torch.float16).max) & ((stored != 0) | (x == 0))


@mistake("amp_step")
def decides_for_the_scaler(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """A loss that was not finite never reached the scaler, so the scale was not lowered: the scaler skips such
    steps by itself."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    if loss.isfinite():
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    return loss.item()


@mistake("amp_step")
def always_the_cpu(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """autocast was told "cpu" whatever the device was: pass on device_type."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast("cpu", dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("survives_fp16")
def scales_in_place(x, scale):
    """x itself was multiplied: a method with an underscore changes the caller's tensor. Use x * scale."""
    zero = x == 0
    stored = x.detach().mul_(scale).half()
    return stored.isfinite() & ((stored != 0) | zero)


@mistake("amp_step")
def clears_only_after_the_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """Gradients from before the first call were part of the update: clear them before backward(), not only after
    the step."""
    x, y = moved(model, batch)
    model.train()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()
    return loss.item()


@mistake("amp_step")
def ends_in_evaluation_mode(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """The model was left in evaluation mode: it stays in training mode after a step."""
    loss = amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype)
    model.eval()
    return loss


@mistake("amp_step")
def casts_the_inputs(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """x was cast to 16 bits before the model saw it: it only moves to the device, and autocast converts it where that is harmless."""
    x, y = batch
    return amp_step(model, (x.to(dtype) if x.is_floating_point() else x, y), loss_fn, opt, scaler, device_type, dtype)


@mistake("amp_step")
def casts_the_targets(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """y was cast to 16 bits before loss_fn saw it: it only moves to the device, the loss is one of the functions that need all digits."""
    x, y = batch
    return amp_step(model, (x, y.to(dtype) if y.is_floating_point() else y), loss_fn, opt, scaler, device_type, dtype)


@mistake("amp_step")
def replaces_what_is_not_finite(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """inf and nan in the gradients were replaced by 0 and the step was taken: a batch that is not finite makes no step at all."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    for p in model.parameters():
        p.grad.nan_to_num_(nan=0.0, posinf=0.0, neginf=0.0)
    opt.step()
    scaler.update()
    return loss.item()


@mistake("amp_step")
def keeps_books_itself(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """You doubled the scale after each good step: the scaler decides when and by how much it grows. Call
    scaler.update() without an argument."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    found_inf = not all(p.grad.isfinite().all() for p in model.parameters())
    scaler.step(opt)
    scaler.update(scaler.get_scale() * (0.5 if found_inf else 2.0) if scaler.is_enabled() else None)
    return loss.item()


@mistake("amp_step")
def updates_without_a_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """scaler.update() came without a scaler.step(opt) of its own before it: opt.step() is none, and each step has one update."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    opt.step()
    scaler.update()
    return loss.item()


@mistake("amp_step")
def autocast_with_the_scaler(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """autocast was on only where the scaler is: they are two things, and bfloat16, for one, needs no scaler."""
    x, y = moved(model, batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype, enabled=scaler.is_enabled()):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


@mistake("amp_step")
def switches_by_hand(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """autocast is off after the call, whatever it was before: a `with` block puts it back, a switch does not."""
    loss = amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype)
    torch.set_autocast_enabled(device_type, False)
    return loss


by_comparison = alternative.edited("stored = (x * scale).to(torch.float16)", "size = (x.detach() * scale).abs()",
    "Compares with the points at which float16 rounds to 0 and to inf.",
    also=[("stored.isfinite() & ((stored != 0) | (x == 0))", "(size < 65520.0) & ((size > 2.0**-25) | (x == 0))")])


@alternative("survives_fp16")
def with_where(x, scale):
    """Uses type() and torch.where."""
    stored = (x.detach() * scale).type(torch.float16).abs()
    ok = (stored > 0) & (stored < float("inf"))
    return torch.where(x == 0, torch.ones_like(ok), ok)


@alternative("amp_step")
def backward_inside(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """backward() under autocast is not needed and does no harm here."""
    x, y = moved(model, batch)
    model.train()
    model.zero_grad()
    with torch.autocast(device_type=device_type, dtype=dtype, enabled=True):
        loss = loss_fn(model(x), y)
        scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.detach().item()


@alternative("amp_step")
def unscales_first(model, batch, loss_fn, opt, scaler, device_type, dtype):
    """Calls unscale_ itself, as one does before clipping gradients."""
    x, y = moved(model, batch)
    model.train()
    with torch.amp.autocast(device_type, dtype):
        loss = loss_fn(model(x), y)
    opt.zero_grad(set_to_none=False)
    scaler.scale(loss).backward()
    if scaler.is_enabled():
        scaler.unscale_(opt)
    scaler.step(opt)
    scaler.update()
    return loss.item()
