"""Known mistakes and unusual but correct solutions for predict and frozen_features."""

import copy

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


features_in_inference_mode = mistake.edited(
    "with _evaluation(backbone):", "with _evaluation(backbone), torch.inference_mode():",
    "Autograd can't save inference tensors for backward, so a head such as nn.Linear can't be trained on these features: use "
    "torch.no_grad() here.")

leaves_eval_mode_on = mistake.edited("module.training = flag", "pass",
    "The model is left in eval mode: dropout stays off for the rest of the training. Restore the flags.",
    about=("gives_the_mode_back", "gives_every_module_its_own_mode_back"))

always_ends_in_train_mode = mistake.edited("for module, flag in flags:\n    module.training = flag", "model.train()",
    "The model ends in train mode, whatever it was before: save each module's flag and restore it.",
    about=("gives_the_mode_back", "gives_every_module_its_own_mode_back"))

one_flag_for_all_modules = mistake.edited(
    "flags = [(module, module.training) for module in model.modules()]", "mode = model.training",
    "All modules inside ended with the flag of the whole model, as model.train(mode) sets them. Save and restore each "
    "module's own flag.",
    also=[("for module, flag in flags:\n    module.training = flag", "model.train(mode)")])

not_restored_after_an_error = mistake.edited("finally:",
    """
    except Exception:
        raise
    else:
    """,
    "The model raised an error and was left in eval mode: restore the flags in a finally block.")

only_no_grad = mistake.edited("model.eval()", "",
    "Dropout and batch norm still behaved as in training: no_grad only turns off autograd; model.eval() switches these "
    "layers. You need both.",
    about=("answers_as_in_evaluation", "leaves_the_model_unchanged"),
    pitfall="Neither replaces the other")

only_eval = mistake.edited("with torch.no_grad():", "if True:",
    "The result requires grad, because a graph was built: eval changes what layers do, but not autograd. Use torch.no_grad() "
    "as well.",
    about=("records_nothing", "head_can_be_trained_on_features"),
    pitfall="Neither replaces the other")

records_and_throws_away = mistake.edited("with torch.no_grad():", "if True:",
    "Autograd recorded the model, although your result does not require grad, so the memory was used anyway: run the "
    "model inside torch.no_grad().",
    also=[("return model(x)", "return model(x).detach()"), ("return backbone(x)", "return backbone(x).detach()")])

saves_nothing_into_the_graph = mistake.edited(
    "with torch.no_grad():", "with torch.autograd.graph.saved_tensors_hooks(lambda t: None, lambda t: t):",
    "Autograd recorded the model, although it saved no tensor, for example because of a hook: under torch.no_grad() "
    "nothing is recorded, and you need no hook.",
    also=[("return model(x)", "return model(x).detach()"), ("return backbone(x)", "return backbone(x).detach()")])

parameters_stay_frozen = mistake.edited("model.eval()", "model.eval().requires_grad_(False)",
    "The parameters no longer require grad, so the model can't be trained after this call: use torch.no_grad() and don't "
    "change requires_grad.",
    pitfall="leaves a model that no longer trains")

recording_stays_off = mistake.edited("model.eval()", "torch.set_grad_enabled(False)\nmodel.eval()",
    "Grad mode is still off after the call: a bare torch.set_grad_enabled(False) stays in force. Use `with torch.no_grad():`.")

features_require_grad = mistake.edited("return backbone(x)", "return backbone(x).requires_grad_()",
    "The features require grad themselves: they are constants for the head, which brings its own parameters.")

ends_with_recording_on = mistake.edited("finally:", "finally:\n    torch.set_grad_enabled(True)",
    "Grad mode is on after the call, although the caller had turned it off: use `with torch.no_grad():`, which restores the "
    "previous mode.")

only_the_outermost_module = mistake.edited("model.eval()", "model.training = False",
    "The submodules of the model were still in train mode: setting .training on the outermost module alone does not reach them; model.eval() does.",
    about=("answers_as_in_evaluation", "leaves_the_model_unchanged"))

clears_the_gradients = mistake.edited("model.eval()", "model.zero_grad()\nmodel.eval()",
    "The parameters lost their .grad: leave it as it is.")

everything_learns_afterwards = mistake.edited("model.eval()", "model.eval().requires_grad_(False)",
    "A parameter that was frozen requires grad now: if you turn off requires_grad, save each parameter's own setting. "
    "torch.no_grad() needs none of this.",
    also=[("finally:", "finally:\n    model.requires_grad_(True)")])

calls_forward_by_name = mistake.edited("return model(x)", "return model.forward(x)",
    "model.forward(x) skips the hooks that are registered on the model: call model(x).",
    also=[("return backbone(x)", "return backbone.forward(x)")])

another_error_comes_out = mistake.edited("finally:",
    """
    except Exception as error:
        raise RuntimeError(str(error)) from error
    finally:
    """,
    "The model's own exception was replaced by another: don't catch it (try and finally, without except).")

x_no_longer_requires_grad = mistake.edited("with _evaluation(model):", "x.requires_grad_(False)\nwith _evaluation(model):",
    "x no longer requires grad: requires_grad_(False) and detach_() change the caller's tensor. torch.no_grad() needs neither.",
    also=[("with _evaluation(backbone):", "x.requires_grad_(False)\nwith _evaluation(backbone):")])

calls_the_model_twice = mistake.edited("return model(x)", "model(x)\nreturn model(x)",
    "The model was called twice: call it once and keep the result.",
    also=[("return backbone(x)", "backbone(x)\nreturn backbone(x)")])

puts_flags_back_with_train = mistake.edited("module.training = flag", "module.train(flag)",
    "A module that is shared or lies deeper ended with a flag that isn't its own: module.train(flag), for example, "
    "also sets all submodules. Set module.training of each module.")

predict_in_inference_mode = alternative.edited("with _evaluation(model):", "with _evaluation(model), torch.inference_mode():",
    "Inference mode, for a result that is only looked at.")

freezes_for_a_moment = alternative.edited("model.eval()",
    """
    wanted = [p for p in model.eval().parameters() if p.requires_grad]
    for p in wanted:
        p.requires_grad_(False)
    """,
    "No parameter requires grad during the call; flags and wishes are put back.",
    also=[
        ("with torch.no_grad():", "if True:"),
        ("finally:",
        """
        finally:
            for p in wanted:
                p.requires_grad_(True)
        """),
        ("return model(x)", "return model(x.detach())"),
        ("return backbone(x)", "return backbone(x.detach())"),
    ])


@alternative("predict", "frozen_features")
def works_on_a_copy(model, x):
    """A deep copy is put in eval mode, the original is never touched."""
    twin = copy.deepcopy(model).eval()
    return torch.no_grad()(twin)(x)
