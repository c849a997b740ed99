"""Known mistakes and unusual but correct solutions for validation_loss."""

import contextlib
import copy  # noqa: F401 (for an edit)

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Where is eval() called, what does it switch, and what switches it back? And which line stops the graph?",
    "eval() changes what dropout and batch norm do; no_grad() turns grad mode off. Each module has a flag of its "
    "own, training, and train() sets all of them to one value.",
    "Save the training flag of every module in model.modules(), switch to eval, run the loop under no_grad, "
    "and write each flag back in a finally block.",
)

EQUIVALENT = {
    "swap_statements-L17-1": "neither of the two lines reads what the other writes",
}


@contextlib.contextmanager
def evaluating(model):
    """Eval mode inside, every module's own mode afterwards."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        yield
    finally:
        for module, training in modes.items():
            module.train(training)


@mistake("validation_loss")
def switches_to_eval_too_late(model, loader, loss_fn):
    """eval() comes after the loop, when the batches have been evaluated, and nothing restores the modes or stops the graph: call eval() before the loop, run the loop under no_grad(), and restore the modes at the end."""
    total, count = 0.0, 0
    for inputs, targets in loader:
        total += loss_fn(model(inputs), targets).item() * len(inputs)
        count += len(inputs)
    model.eval()
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count


stays_in_eval_mode = mistake.edited("module.training = training", "pass",
    "The model is left in eval mode: training would continue without dropout. Restore every module's mode.",
    about=("puts_the_mode_back", "puts_every_mode_back"))

always_ends_in_train_mode = mistake.edited("for module, training in modes:\n    module.training = training", "model.train()",
    "The model always ends in train mode: restore the mode that it had, which may have been eval.",
    about=("puts_the_mode_back", "puts_every_mode_back"))

restores_the_whole_only = mistake.edited(
    "modes = [(module, module.training) for module in model.modules()]", "training = model.training",
    "train(mode) sets every part to the mode of the whole: a frozen batch norm layer does not stay in eval mode. Save the mode of each module, and restore it with module.training = mode.",
    also=[("for module, training in modes:\n    module.training = training", "model.train(training)")])

restores_only_without_errors = mistake.edited("finally:",
    """
    except Exception:
        raise
    else:
    """,
    "When something raises an error, the model is left in eval mode: restore the modes in a finally block.")

only_stops_the_graph = mistake.edited("model.eval()", "",
    "no_grad() turns off neither dropout nor the running statistics of batch norm: switch to eval mode too.",
    about=("counts_every_sample_once", "leaves_no_trace"),
    pitfall="no_grad() does not turn dropout off")

only_switches_to_eval = mistake.edited("with torch.no_grad():", "if True:",
    "eval() does not stop the graph: run the loop under no_grad() too.",
    pitfall="eval() does not stop the graph")

takes_the_dropout_out = mistake.edited("model.eval()",
    """
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    """,
    "Only dropout was turned off: batch norm still learns from the validation data. Put the whole model in eval mode.")

forgets_batch_norm = mistake.edited("model.eval()",
    """
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.eval()
    """,
    "Only dropout was turned off: batch norm still learns from the validation data. Put the whole model in eval mode.")

takes_the_mean_of_means = mistake.edited(".item() * len(inputs)", ".item()",
    "Each batch counts the same, so the samples of a short batch count more: weight each mean by its number of samples.",
    also=[("count += len(inputs)", "count += 1")])

turns_gradients_off_for_good = mistake.edited("model.eval()", "model.eval()\ntorch.set_grad_enabled(False)",
    "Gradients stay off for the whole program: use `with torch.no_grad():`, which ends with its block.")

returns_zero_for_no_batches = mistake.edited("if count == 0:", "if False:",
    "Without batches a loss is still reported: raise ValueError.",
    also=[("total / count", "total / max(count, 1)")])

returns_a_tensor = mistake.edited("total / count", "torch.tensor(total / count)",
    "The result is a tensor: return a Python float.")

freezes_the_parameters = mistake.edited("model.eval()", "model.eval().requires_grad_(False)",
    "The graph was stopped by switching requires_grad off, and it stays off, so the model can no longer learn: use no_grad(), which changes no parameter.",
    also=[("with torch.no_grad():", "if True:")],
    about=("leaves_no_trace", "evaluates_without_a_graph"))

always_switches_gradients_on = mistake.edited("finally:", "finally:\n    torch.set_grad_enabled(True)",
    "Gradients are enabled at the end, although the caller may have disabled them: `with torch.no_grad():` restores the previous mode.")

takes_a_loss_of_zero_for_no_batch = mistake.edited("if count == 0:", "if not total:",
    "A loss of exactly 0 raises an error: check the number of samples, not the sum of the losses.")

turns_every_error_into_its_own = mistake.edited("finally:",
    """
    except Exception as error:
        raise ValueError("the loader gave no batch") from error
    finally:
    """,
    "An exception from the loader, the model or loss_fn was caught and replaced with another one: let it through.")

sums_in_the_precision_of_the_loss = mistake.edited(
    "loss_fn(model(inputs), targets).item() * len(inputs)", "(loss_fn(model(inputs), targets) * len(inputs)).item()",
    "A float16 sum overflows at 65504: make Python floats first, with loss.item(), before you multiply and add.")

sums_tensors = mistake.edited(".item() * len(inputs)", " * len(inputs)",
    "A float16 sum overflows at 65504: make Python floats first, with loss.item(), before you multiply and add.",
    also=[("total / count", "(total / count).item()")])


@mistake("validation_loss")
def computes_the_loss_with_a_graph(model, loader, loss_fn):
    """no_grad() ends before the loss is computed: a loss function with weights of its own still builds a graph."""
    total, count = 0.0, 0
    with evaluating(model):
        for inputs, targets in loader:
            with torch.no_grad():
                prediction = model(inputs)
            total += loss_fn(prediction, targets).item() * len(inputs)
            count += len(inputs)
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count


clears_old_gradients = mistake.edited("model.eval()", "model.eval()\nmodel.zero_grad()",
    "The old .grad was cleared, but it belongs to the caller: a validation needs no gradients and clears none.")

restores_the_children_only = mistake.edited("for module in model.modules()]", "for module in (model, *model.children())]",
    "Only the modes of the model and of its direct children were saved, and train(mode) gave each child's mode to all its submodules: save the mode of every module in model.modules().",
    also=[("module.training = training", "module.train(training)")])

notes_the_modes_once = mistake.edited("modes = [(module, module.training) for module in model.modules()]",
    'modes = vars(model).setdefault("noted", [(module, module.training) for module in model.modules()])',
    "The modes were saved in the first call and reused in the next one, but the caller may change them in between: save them in each call.")

counts_the_targets = mistake.edited(".item() * len(inputs)", ".item() * len(targets)",
    "The samples were counted by len(targets), and targets may come in any form, a list of one tensor for example: the number "
    "of samples is len(inputs).",
    also=[("count += len(inputs)", "count += len(targets)")])

counts_the_elements = mistake.edited(".item() * len(inputs)", ".item() * inputs.numel()",
    "Each batch counts by the elements of its inputs, so long sequences count more than short ones: weight by len(inputs).",
    also=[("count += len(inputs)", "count += inputs.numel()")])

hides_nan = mistake.edited("return total / count", "return total / count if total == total else 0.0",
    "The result is 0, the best loss of all, although the losses are nan: their mean is nan, and the caller must see it.")

on_a_copy = alternative.edited(
    "modes = [(module, module.training) for module in model.modules()]", "model, modes = copy.deepcopy(model), []",
    "A deep copy of the model is evaluated and thrown away.")

with_a_context_manager = alternative.edited("model.eval()", "",
    "A context manager of our own and inference mode.",
    also=[("with torch.no_grad():", "with evaluating(model), torch.inference_mode():")])


@alternative("validation_loss")
def switches_module_by_module(model, loader, loss_fn):
    """Only modules that are in train mode are switched, and switched back."""
    switched = [module for module in model.modules() if module.training]
    pairs = []
    try:
        for module in switched:
            module.training = False
        for inputs, targets in loader:
            with torch.set_grad_enabled(False):
                pairs.append((len(inputs), float(loss_fn(model(inputs), targets))))
    finally:
        for module in switched:
            module.training = True
    if not pairs:
        raise ValueError("nothing to average")
    return sum(size * loss for size, loss in pairs) / sum(size for size, _ in pairs)

divides_by_the_batches = mistake.edited("count += len(inputs)", "count += 1",
    "You weight each loss by its number of samples, but you don't divide the sum by the number of all samples.")

forgets_the_weights = mistake.edited(".item() * len(inputs)", ".item()",
    "You divide by the number of samples, but each batch's mean counts once: multiply it by its number of samples.")
