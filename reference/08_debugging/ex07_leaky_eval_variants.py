"""Known mistakes and odd-but-correct solutions for validation_loss."""

import contextlib
import copy

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Where does eval() stand, what does it switch, and who switches it back? And which line stops the graph?",
    "eval() changes what dropout and batch norm do; no_grad() stops recording. Each module has a flag of its "
    "own, training, and train() sets all of them to one value.",
    "Note the training flag of every module in model.modules(), switch to eval, run the loop under no_grad, "
    "and write each flag back in a finally block.",
)

EQUIVALENT = {
    "swap_statements-L17-1": "neither of the two lines reads what the other writes",
}


def mean_loss(model, loader, loss_fn):
    """The weighted mean as in the file."""
    total, count = 0.0, 0
    for inputs, targets in loader:
        total += loss_fn(model(inputs), targets).item() * len(inputs)
        count += len(inputs)
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count


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
    """eval() comes after the loop, when the batches have been evaluated, and nothing puts the modes back or stops the graph: call
    eval() before the loop, run the loop under no_grad(), and put the modes back at the end."""
    total, count = 0.0, 0
    for inputs, targets in loader:
        total += loss_fn(model(inputs), targets).item() * len(inputs)
        count += len(inputs)
    model.eval()
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count


@mistake("validation_loss")
def stays_in_eval_mode(model, loader, loss_fn):
    """The model is left in eval mode: training would go on without dropout. Put every module's mode back."""
    model.eval()
    with torch.no_grad():
        return mean_loss(model, loader, loss_fn)


@mistake("validation_loss")
def always_ends_in_train_mode(model, loader, loss_fn):
    """The model always ends in train mode: put back the mode that it had, which may have been eval."""
    model.eval()
    try:
        with torch.no_grad():
            return mean_loss(model, loader, loss_fn)
    finally:
        model.train()


@mistake("validation_loss")
def restores_the_whole_only(model, loader, loss_fn):
    """train(mode) sets every part to the mode of the whole: a frozen batch norm layer does not stay in eval
    mode. Note the mode of each module, and set it by module.training = mode."""
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return mean_loss(model, loader, loss_fn)
    finally:
        model.train(training)


@mistake("validation_loss")
def restores_only_without_errors(model, loader, loss_fn):
    """When something raises, the model is left in eval mode: put the modes back in a finally block."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        result = mean_loss(model, loader, loss_fn)
    for module, training in modes:
        module.training = training
    return result


@mistake("validation_loss")
def only_stops_the_graph(model, loader, loss_fn):
    """no_grad() does not turn dropout off, nor does it stop batch norm from counting: switch to eval mode
    too."""
    with torch.no_grad():
        return mean_loss(model, loader, loss_fn)


@mistake("validation_loss")
def only_switches_to_eval(model, loader, loss_fn):
    """eval() does not stop the graph: run the loop under no_grad() too."""
    with evaluating(model):
        return mean_loss(model, loader, loss_fn)


@mistake("validation_loss")
def takes_the_dropout_out(model, loader, loss_fn):
    """Only dropout was turned off: batch norm still learns from the validation data. Put the whole model in eval mode."""
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    with torch.no_grad():
        return mean_loss(model, loader, loss_fn)


@mistake("validation_loss")
def forgets_batch_norm(model, loader, loss_fn):
    """Only dropout was turned off: batch norm still learns from the validation data. Put the whole model in eval mode."""
    modes = [(module, module.training) for module in model.modules()]
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.eval()
    try:
        with torch.no_grad():
            return mean_loss(model, loader, loss_fn)
    finally:
        for module, training in modes:
            module.training = training


@mistake("validation_loss")
def takes_the_mean_of_means(model, loader, loss_fn):
    """Each batch counts the same, so the samples of a short batch count more: weight each mean with its
    number of samples."""
    with evaluating(model), torch.no_grad():
        losses = [loss_fn(model(inputs), targets).item() for inputs, targets in loader]
    if not losses:
        raise ValueError("the loader gave no batch")
    return sum(losses) / len(losses)


@mistake("validation_loss")
def turns_gradients_off_for_good(model, loader, loss_fn):
    """Gradients stay off for the whole program: use `with torch.no_grad():`, which ends with its block."""
    torch.set_grad_enabled(False)
    with evaluating(model):
        return mean_loss(model, loader, loss_fn)


@mistake("validation_loss")
def returns_zero_for_no_batches(model, loader, loss_fn):
    """Without batches a loss is reported all the same, of nothing: raise ValueError."""
    total, count = 0.0, 0
    with evaluating(model), torch.no_grad():
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * len(inputs)
            count += len(inputs)
    return total / max(count, 1)


@mistake("validation_loss")
def returns_a_tensor(model, loader, loss_fn):
    """The result is a tensor: return a Python float."""
    with evaluating(model), torch.no_grad():
        return torch.tensor(mean_loss(model, loader, loss_fn))


@mistake("validation_loss")
def freezes_the_parameters(model, loader, loss_fn):
    """The graph was stopped by switching requires_grad off, and it stays off, so the model cannot learn any more: use
    no_grad(), which touches no parameter."""
    model.requires_grad_(False)
    with evaluating(model):
        return mean_loss(model, loader, loss_fn)


@mistake("validation_loss")
def always_switches_gradients_on(model, loader, loss_fn):
    """Gradients are enabled at the end, although the caller may have disabled them: `with torch.no_grad():` puts back
    what was there before."""
    torch.set_grad_enabled(False)
    try:
        with evaluating(model):
            return mean_loss(model, loader, loss_fn)
    finally:
        torch.set_grad_enabled(True)


@mistake("validation_loss")
def takes_a_loss_of_zero_for_no_batch(model, loader, loss_fn):
    """A loss of exactly 0 raises: look at the number of samples, not at the sum of the losses."""
    total, count = 0.0, 0
    with evaluating(model), torch.no_grad():
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * len(inputs)
            count += len(inputs)
    if not total:
        raise ValueError("the loader gave no batch")
    return total / count


@mistake("validation_loss")
def turns_every_error_into_its_own(model, loader, loss_fn):
    """An exception of the loader, the model or loss_fn was caught and another one raised in its place: let it go through."""
    with evaluating(model), torch.no_grad():
        try:
            return mean_loss(model, loader, loss_fn)
        except Exception as error:
            raise ValueError("the loader gave no batch") from error


@mistake("validation_loss")
def sums_in_the_precision_of_the_loss(model, loader, loss_fn):
    """A float16 sum overflows at 65504: make Python floats first, with loss.item(), before you multiply and add."""
    with evaluating(model), torch.no_grad():
        total, count = 0.0, 0
        for inputs, targets in loader:
            total += (loss_fn(model(inputs), targets) * len(inputs)).item()
            count += len(inputs)
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count


@mistake("validation_loss")
def sums_tensors(model, loader, loss_fn):
    """A float16 sum overflows at 65504: make Python floats first, with loss.item(), before you multiply and add."""
    with evaluating(model), torch.no_grad():
        total, count = 0.0, 0
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets) * len(inputs)
            count += len(inputs)
    if count == 0:
        raise ValueError("the loader gave no batch")
    return (total / count).item()


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


@mistake("validation_loss")
def clears_old_gradients(model, loader, loss_fn):
    """The .grad from before was cleared, and it belongs to the caller: a validation needs no gradients and clears none."""
    model.zero_grad()
    with evaluating(model), torch.no_grad():
        return mean_loss(model, loader, loss_fn)


@mistake("validation_loss")
def restores_the_children_only(model, loader, loss_fn):
    """The modes of the whole and of its direct parts were noted, and train(mode) set what lies deeper to the mode of the part
    around it: note the mode of every module in model.modules()."""
    parts = [(part, part.training) for part in (model, *model.children())]
    try:
        with torch.no_grad():
            return mean_loss(model.eval(), loader, loss_fn)
    finally:
        for part, training in parts:
            part.train(training)


@mistake("validation_loss")
def notes_the_modes_once(model, loader, loss_fn):
    """The modes were noted in the first call and kept for the next one, and in between the caller may change them: note them in
    each call."""
    modes = vars(model).setdefault("noted", [(module, module.training) for module in model.modules()])
    try:
        with torch.no_grad():
            return mean_loss(model.eval(), loader, loss_fn)
    finally:
        for module, training in modes:
            module.training = training


@mistake("validation_loss")
def counts_the_targets(model, loader, loss_fn):
    """The samples were counted by len(targets), and targets may come in any form, a list of one tensor for example: the
    number of samples is len(inputs)."""
    total, count = 0.0, 0
    with evaluating(model), torch.no_grad():
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * len(targets)
            count += len(targets)
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count


@mistake("validation_loss")
def counts_the_elements(model, loader, loss_fn):
    """Each batch counts by the elements of its inputs, so long sequences count more than short ones: weight with len(inputs)."""
    total, count = 0.0, 0
    with evaluating(model), torch.no_grad():
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * inputs.numel()
            count += inputs.numel()
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count


@mistake("validation_loss")
def hides_nan(model, loader, loss_fn):
    """A loss that is nan was replaced by 0, the best of all: the mean is nan then, and the caller must see it."""
    with evaluating(model), torch.no_grad():
        loss = mean_loss(model, loader, loss_fn)
    return loss if loss == loss else 0.0


@alternative("validation_loss")
def on_a_copy(model, loader, loss_fn):
    """A deep copy of the model is evaluated and thrown away."""
    with torch.no_grad():
        return mean_loss(copy.deepcopy(model).eval(), loader, loss_fn)


@alternative("validation_loss")
def with_a_context_manager(model, loader, loss_fn):
    """A context manager of our own and inference mode."""
    with evaluating(model), torch.inference_mode():
        return mean_loss(model, loader, loss_fn)


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
