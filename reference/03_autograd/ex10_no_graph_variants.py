"""Known mistakes and odd-but-correct solutions for predict and frozen_features."""

import copy
from contextlib import contextmanager

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Two things must be turned off during the call, and neither replaces the other.",
    "no_grad turns off autograd; eval changes what dropout and batch norm do. Save each module's training "
    "flag before you switch, and restore it in a finally block. An inference tensor cannot be saved for "
    "backward.",
    "Collect (module, module.training) for all of model.modules(), call model.eval(), and in a try block "
    "return the model's output computed under torch.no_grad(). In finally, give each module its own flag "
    "back; model.train() would give the same flag to all of them.",
)


@contextmanager
def all_flags(model):
    """Save and restore each module's own flag."""
    flags = [(module, module.training) for module in model.modules()]
    try:
        yield
    finally:
        for module, flag in flags:
            module.training = flag


@mistake("frozen_features")
def features_in_inference_mode(backbone, x):
    """Inference tensors can never enter a graph, so no head can be trained on these features: use
    torch.no_grad() here."""
    with all_flags(backbone), torch.inference_mode():
        return backbone.eval()(x)


@mistake("predict", "frozen_features")
def leaves_eval_mode_on(model, x):
    """The model is left in eval mode: dropout stays off for the rest of the training. Restore the flags."""
    model.eval()
    with torch.no_grad():
        return model(x)


@mistake("predict", "frozen_features")
def always_ends_in_train_mode(model, x):
    """The model ends in train mode, whatever it was before: save each module's flag and restore it."""
    model.eval()
    try:
        with torch.no_grad():
            return model(x)
    finally:
        model.train()


@mistake("predict", "frozen_features")
def one_flag_for_all_modules(model, x):
    """All modules ended with the flag of the outermost one: model.train(mode) sets every module inside. Save and
    restore each module's own flag."""
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            return model(x)
    finally:
        model.train(mode)


@mistake("predict", "frozen_features")
def not_restored_after_an_error(model, x):
    """The model raised an error and was left in eval mode: restore the flags in a finally block."""
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        result = model(x)
    for module, flag in flags:
        module.training = flag
    return result


@mistake("predict", "frozen_features")
def only_no_grad(model, x):
    """Dropout and batch norm still behaved as in training: no_grad only turns off autograd; model.eval() switches
    these layers. You need both."""
    with torch.no_grad():
        return model(x)


@mistake("predict", "frozen_features")
def only_eval(model, x):
    """The result requires grad, because a graph was built: eval changes what layers do, but not autograd. Use
    torch.no_grad() as well."""
    with all_flags(model):
        return model.eval()(x)


@mistake("predict", "frozen_features")
def records_and_throws_away(model, x):
    """A graph was built first and cut off by detach afterwards, so it used the memory anyway: run the model inside
    torch.no_grad()."""
    with all_flags(model):
        return model.eval()(x).detach()


@mistake("predict", "frozen_features")
def saves_nothing_into_the_graph(model, x):
    """A graph was built in the model, although a hook kept its tensors out of it: under torch.no_grad() nothing is
    recorded, and you need no hook."""
    with all_flags(model), torch.autograd.graph.saved_tensors_hooks(lambda t: None, lambda t: t):
        return model.eval()(x).detach()


@mistake("predict", "frozen_features")
def parameters_stay_frozen(model, x):
    """The parameters no longer require grad, so the model can't be trained after this call: use torch.no_grad() and
    don't change requires_grad."""
    for p in model.parameters():
        p.requires_grad_(False)
    with all_flags(model), torch.no_grad():
        return model.eval()(x)


@mistake("predict", "frozen_features")
def recording_stays_off(model, x):
    """Grad mode is still off after the call: a bare torch.set_grad_enabled(False) stays in force. Use `with
    torch.no_grad():`."""
    torch.set_grad_enabled(False)
    with all_flags(model):
        return model.eval()(x)


@mistake("frozen_features")
def features_require_grad(backbone, x):
    """The features require grad themselves: they are constants for the head, which brings its own
    parameters."""
    with all_flags(backbone), torch.no_grad():
        features = backbone.eval()(x)
    return features.requires_grad_()


@mistake("predict", "frozen_features")
def ends_with_recording_on(model, x):
    """Grad mode is on after the call, although the caller had turned it off: use `with torch.no_grad():`, which
    restores the previous mode."""
    with all_flags(model):
        torch.set_grad_enabled(False)
        try:
            return model.eval()(x)
        finally:
            torch.set_grad_enabled(True)


@mistake("predict", "frozen_features")
def only_the_outermost_module(model, x):
    """The submodules of the model were still in train mode: setting .training on the outermost module alone does
    not reach them, model.eval() does."""
    with all_flags(model), torch.no_grad():
        model.training = False
        return model(x)


@mistake("predict", "frozen_features")
def clears_the_gradients(model, x):
    """The parameters lost their .grad: don't call zero_grad here."""
    model.zero_grad()
    with all_flags(model), torch.no_grad():
        return model.eval()(x)


@mistake("predict", "frozen_features")
def everything_learns_afterwards(model, x):
    """A parameter that was frozen requires grad now: if you turn off requires_grad, save each parameter's own
    setting. torch.no_grad() needs none of this."""
    with all_flags(model):
        model.eval()
        for p in model.parameters():
            p.requires_grad_(False)
        try:
            with torch.no_grad():
                return model(x)
        finally:
            for p in model.parameters():
                p.requires_grad_(True)


@mistake("predict", "frozen_features")
def calls_forward_by_name(model, x):
    """model.forward(x) skips the hooks that are registered on the model: call model(x)."""
    with all_flags(model), torch.no_grad():
        model.eval()
        return model.forward(x)


@mistake("predict", "frozen_features")
def another_error_comes_out(model, x):
    """The model's own exception was replaced by another: don't catch it (try and finally, without except)."""
    try:
        with all_flags(model), torch.no_grad():
            return model.eval()(x)
    except Exception as error:
        raise RuntimeError(str(error)) from error


FLAGS = {}


@mistake("predict", "frozen_features")
def x_no_longer_requires_grad(model, x):
    """x no longer requires grad: requires_grad_(False) and detach_() change the caller's tensor. torch.no_grad() needs neither."""
    x.requires_grad_(False)
    with all_flags(model), torch.no_grad():
        return model.eval()(x)


@mistake("predict", "frozen_features")
def calls_the_model_twice(model, x):
    """The model was called twice: call it once and keep the result."""
    with all_flags(model), torch.no_grad():
        model.eval()(x)
        return model(x)


@mistake("predict", "frozen_features")
def puts_flags_back_with_train(model, x):
    """module.train(flag) also sets all submodules: a submodule that two modules share ends with the flag of its
    last owner. Set module.training of each module."""
    flags = [(module, module.training) for module in model.modules()]
    try:
        with torch.no_grad():
            return model.eval()(x)
    finally:
        for module, flag in flags:
            module.train(flag)


@alternative("predict")
def predict_in_inference_mode(model, x):
    """Inference mode, for a result that is only looked at."""
    flags = {module: module.training for module in model.modules()}
    for module in flags:
        module.training = False
    try:
        with torch.inference_mode():
            return model(x)
    finally:
        for module in flags:
            module.training = flags[module]


@alternative("predict", "frozen_features")
def freezes_for_a_moment(model, x):
    """No parameter requires grad during the call; flags and wishes are put back."""
    wanted = [p for p in model.parameters() if p.requires_grad]
    with all_flags(model):
        model.eval()
        for p in wanted:
            p.requires_grad_(False)
        try:
            return model(x.detach())
        finally:
            for p in wanted:
                p.requires_grad_(True)


@alternative("predict", "frozen_features")
def works_on_a_copy(model, x):
    """A deep copy is put in eval mode, the original is never touched."""
    twin = copy.deepcopy(model).eval()
    return torch.no_grad()(twin)(x)
