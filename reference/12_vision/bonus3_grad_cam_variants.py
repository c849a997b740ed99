"""Known mistakes and unusual but correct solutions for grad_cam."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Three tensors make the map: the features, their derivatives, and one number for each feature. Write down the shape of each.",
    "register_forward_hook returns a handle, and its hook gets (layer, inputs, result). torch.autograd.grad takes the kept result as the tensor to derive by, and leaves every .grad "
    "alone. Put what must always be undone into finally.",
    "Keep the result in a list. In try, switch to evaluation mode and run the model in enable_grad on a detached copy that requires gradients; in finally, remove the handle and set the "
    "modes. Derive the sum of each image's score by the kept features. Average the gradient over its axes 2 and 3 with keepdim, multiply, sum axis 1, relu, interpolate.",
)
EQUIVALENT = {
    "change_dim: score = model(images.detach().requires_grad_()).gather(-1, classes[:, None]).sum()": "scores have two axes",
    "add_detach: weights = gradient.mean(dim=(2, 3), keepdim=True).detach()": "torch.autograd.grad returns tensors without a graph",
    "in_place: maps = F.relu_((weights * features.detach()).sum(dim=1, keepdim=True))": "the sum is a tensor of the function's own",
    "add_detach: maps = F.relu((weights * features.detach()).sum(dim=1, keepdim=True)).detach()": "neither factor has a graph",
    'add_detach: return F.interpolate(maps, size=images.shape[2:], mode="bilinear").squeeze(1).detach()': "the map has no graph",
}

HOOK = "handle = layer.register_forward_hook(lambda layer, inputs, result: kept.append(result))"
RUN = "score = model(images.detach().requires_grad_()).gather(1, classes[:, None]).sum()"
GRAD = "(gradient,) = torch.autograd.grad(score, features)"
PICKED = ".gather(1, classes[:, None]).sum()"
WEIGHTS = "weights = gradient.mean(dim=(2, 3), keepdim=True)"
MAPS = "maps = F.relu((weights * features.detach()).sum(dim=1, keepdim=True))"
LARGE = 'F.interpolate(maps, size=images.shape[2:], mode="bilinear")'
BACK = "for module, training in modes:\n    module.training = training"

VALUES = ("features_are_weighted", "each_image_has_its_own_map")

hook_stays = mistake.edited("handle.remove()", "pass",
    "A hook stays on the layer, and is called in each later run: call handle.remove().",
    about=("only_old_hooks_stay", "an_error_leaves_nothing_behind"), common=True, pitfall="Without handle.remove() the hook stays")

all_hooks_removed = mistake.edited("handle.remove()", "layer._forward_hooks.clear()",
    "All hooks of the layer were removed, also those of others: the handle that register_forward_hook returned removes yours alone.",
    about="only_old_hooks_stay")

fills_parameters = mistake.edited(GRAD, "features.retain_grad()\nscore.backward()\ngradient = features.grad",
    "backward() filled the .grad of the model's parameters: use torch.autograd.grad, which returns the derivatives by the features alone.",
    about="parameters_stay_as_they_are", common=True)

clears_old_gradients = mistake.edited(GRAD, "features.retain_grad()\nscore.backward()\ngradient = features.grad\nmodel.zero_grad()",
    "Gradients that the caller had accumulated are gone: use torch.autograd.grad, which leaves every .grad alone.",
    about="parameters_stay_as_they_are", common=True)

features_not_weighted = mistake.edited(WEIGHTS, "weights = torch.ones_like(gradient)",
    "The features were added as they are: each has a weight, the mean of the score's derivatives.",
    about=VALUES)

gradient_in_place_of_weights = mistake.edited(WEIGHTS, "weights = gradient",
    "Each pixel of a feature has its own weight here: a feature has one, the mean of its derivatives.",
    about=VALUES, common=True)

weights_are_sums = mistake.edited(WEIGHTS, "weights = gradient.sum(dim=(2, 3), keepdim=True)",
    "The weights are sums of derivatives: take their means, so that a layer's size doesn't count.",
    about=VALUES, common=True)

weights_of_the_batch = mistake.edited(WEIGHTS, "weights = gradient.mean(dim=(0, 2, 3), keepdim=True)",
    "All images share their weights: average over rows and columns, not over the batch.",
    about="each_image_has_its_own_map", common=True)

absolute_weights = mistake.edited(WEIGHTS, "weights = gradient.abs().mean(dim=(2, 3), keepdim=True)",
    "The absolute values of the derivatives were taken, so what speaks against the class counts for it: keep the signs.",
    about="what_speaks_against_is_left_out", common=True)

relu_on_the_weights = mistake.edited(WEIGHTS, WEIGHTS + ".relu()",
    "Features that speak against the class are ignored, as if relu were applied to the weights: add all weighted features, then apply relu to the sum.",
    about="what_speaks_against_is_left_out", common=True)

relu_on_each_feature = mistake.edited(MAPS, "maps = F.relu(weights * features.detach()).sum(dim=1, keepdim=True)",
    "What speaks against the class is ignored, as if relu came before the sum of the features: add them first.",
    about="what_speaks_against_is_left_out", common=True)

without_relu = mistake.edited(MAPS, "maps = (weights * features.detach()).sum(dim=1, keepdim=True)",
    "The map has negative numbers, where the features speak against the class: apply relu to the sum.",
    about="what_speaks_against_is_left_out", common=True)

mean_of_the_features = mistake.edited(MAPS, "maps = F.relu((weights * features.detach()).mean(dim=1, keepdim=True))",
    "You took the mean over the features, as if all networks had equally many: take the sum.",
    about=VALUES, common=True)

largest_feature = mistake.edited(MAPS, "maps = F.relu((weights * features.detach()).amax(dim=1, keepdim=True))",
    "You took the largest weighted feature: take the sum of all.",
    about=VALUES)

gradient_in_place_of_features = mistake.edited(MAPS, "maps = F.relu((weights * gradient).sum(dim=1, keepdim=True))",
    "You weighted the derivatives: weight the features themselves.",
    about=VALUES)

small_map = mistake.edited(LARGE, "maps",
    "The map has the size of the layer: enlarge it to that of the images.",
    about="the_map_has_the_size_of_the_image", common=True)

nearest_pixel = mistake.edited(LARGE, "F.interpolate(maps, size=images.shape[2:])",
    'The map consists of squares: interpolate repeats the nearest pixel unless you pass mode="bilinear".',
    about="the_map_has_the_size_of_the_image", common=True)

aligned_corners = mistake.edited(LARGE, LARGE[:-1] + ", align_corners=True)",
    "The map is stretched so that its corner pixels lie on the corners, as by align_corners=True: interpolate with the default, False.",
    about="the_map_has_the_size_of_the_image")

width_before_height = mistake.edited(LARGE, LARGE.replace("images.shape[2:]", "images.shape[:1:-1]"),
    "Height and width of the map are exchanged: size is (height, width).",
    about="the_map_has_the_size_of_the_image")

relu_after_enlarging = mistake.edited(LARGE, f"F.relu({LARGE})",
    "relu came after the enlargement, where negative numbers had already been mixed in: apply it before.",
    also=[(MAPS, "maps = (weights * features.detach()).sum(dim=1, keepdim=True)")],
    about="the_map_has_the_size_of_the_image")

scaled_to_one = mistake.edited(MAPS, MAPS + "\nmaps = maps / maps.amax()",
    "The map was divided by its largest number: return it as it is.",
    about=VALUES, common=True)

each_map_scaled_to_one = mistake.edited(MAPS, MAPS + "\nmaps = maps / maps.amax(dim=(2, 3), keepdim=True).clamp(min=1e-8)",
    "Each map was divided by its largest number, so maps of different images can't be compared: return them as they are.",
    about=VALUES, common=True)

all_scores = mistake.edited(PICKED, ".sum()",
    "The scores of all classes were derived: take the score of the image's class alone.",
    about=VALUES, common=True)

predicted_class = mistake.edited(PICKED, ".amax(dim=1).sum()",
    "You derived the largest score of each image: the class is given in classes.",
    about=VALUES, common=True)

every_class_of_the_batch = mistake.edited(PICKED, "[:, classes].sum()",
    "Each image's map is that of the classes of all images, as with [:, classes]: gather one score of each row.",
    about="each_image_has_its_own_map", common=True)

class_of_the_first_image = mistake.edited(PICKED, "[:, classes[0]].sum()",
    "All images were asked for the class of the first: each has its own.",
    about="each_image_has_its_own_map", common=True)

mean_of_the_batch = mistake.edited(PICKED, PICKED.replace("sum", "mean"),
    "The derivatives were divided by the number of images: derive the sum of the scores, so that each image counts as if it were alone.",
    about="each_image_has_its_own_map", common=True)

probability_of_the_class = mistake.edited(PICKED, ".softmax(dim=1)" + PICKED,
    "You derived the probability: softmax mixes in the scores of other classes. Derive the score.",
    about=VALUES)

mode_of_the_caller = mistake.edited("model.eval()", "pass",
    "In training mode, dropout is random and batch norm mixes the images: run the model in evaluation mode.",
    about="the_model_runs_in_evaluation_mode", common=True)

stays_in_evaluation = mistake.edited(BACK, "pass",
    "The model stays in evaluation mode: give it its old mode again.",
    about=("the_mode_stays", "each_part_keeps_its_mode", "an_error_leaves_nothing_behind"), common=True)

always_back_to_training = mistake.edited(BACK, "model.train()",
    "The model is always in training mode afterwards: give it the mode that it had.",
    about=("the_mode_stays", "each_part_keeps_its_mode"), common=True)

one_mode_for_all = mistake.edited(BACK, "model.train(modes[0][1])",
    "All parts got the model's mode, also frozen ones that had another: remember the mode of each module.",
    about="each_part_keeps_its_mode", common=True)

graph_is_kept = mistake.edited(MAPS, MAPS.replace(".detach()", ""),
    "The map still has a graph attached, which keeps the model's features in memory: detach it.",
    about="images_stay_as_they_are", common=True)

images_become_a_leaf = mistake.edited(RUN, RUN.replace("images.detach()", "images"),
    "requires_grad was set on the caller's images: set it on a detached copy.",
    about="images_stay_as_they_are", common=True)

only_parameters_have_a_graph = mistake.edited(RUN, RUN.replace("images.detach().requires_grad_()", "images"),
    "If all parameters are frozen, the features have no graph to derive: run the model on a detached copy of the images that requires gradients.",
    about="it_works_without_gradients", common=True)

grad_mode_of_the_caller = mistake.edited("with torch.enable_grad():", "if True:",
    "Under no_grad there is no graph to derive: switch grad mode on with torch.enable_grad().",
    about="it_works_without_gradients", common=True)

nothing_is_restored_after_an_error = mistake.edited("finally:", "except ZeroDivisionError:\n    raise\nelse:",
    "If the model raises an error, the hook stays and the model is in evaluation mode: put what must be undone into finally.",
    about="an_error_leaves_nothing_behind", common=True)

errors_are_swallowed = mistake.edited("finally:", "except Exception:\n    score = None\nif True:",
    "The model's error was caught, so that the caller never learns of it: use finally, which passes it on.",
    about="an_error_leaves_nothing_behind")


@alternative("grad_cam")
def hook_of_the_gradient(model, layer, images, classes):
    """A hook on the kept tensor receives its gradient; autograd.grad by the images sets it off. ExitStack undoes everything."""
    from contextlib import ExitStack

    seen = {}

    def keep(module, args, output):
        seen["features"] = output.detach()
        output.register_hook(lambda grad: seen.update(gradient=grad))

    with ExitStack() as stack:
        for module in model.modules():
            stack.callback(setattr, module, "training", module.training)
        stack.callback(layer.register_forward_hook(keep).remove)
        stack.enter_context(torch.set_grad_enabled(True))
        leaf = images.clone().detach().requires_grad_(True)
        picked = model.eval()(leaf)[torch.arange(len(leaf)), classes]
        torch.autograd.grad(picked.sum(), leaf)
    weights = seen["gradient"].flatten(2).mean(dim=2)
    small = torch.einsum("nf,nfhw->nhw", weights, seen["features"]).clamp(min=0)
    return F.interpolate(small[:, None], images.shape[-2:], mode="bilinear", align_corners=False)[:, 0]


@alternative("grad_cam")
def features_become_a_leaf(model, layer, images, classes):
    """The hook replaces the layer's result by a leaf, so that the graph begins there, and needs no graph before it."""
    kept = []

    def cut(module, inputs, result):
        kept.append(result.detach().requires_grad_())
        return kept[0]

    was = {module: module.training for module in model.modules()}
    handle = layer.register_forward_hook(cut)
    try:
        with torch.enable_grad():
            scores = model.train(False)(images.detach())
            gradient = torch.autograd.grad(scores[range(len(images)), classes].sum(), kept[0])[0]
    finally:
        handle.remove()
        for module, mode in was.items():
            module.training = mode
    features = kept[0].detach()
    total = sum(gradient[:, f].mean(dim=(1, 2), keepdim=True) * features[:, f] for f in range(features.shape[1]))
    return F.interpolate(torch.relu(total).unsqueeze(1), size=tuple(images.shape[2:]), mode="bilinear").squeeze(1)


@alternative("grad_cam")
def image_by_image(model, layer, images, classes):
    """Each image is a batch of one."""
    modes, maps = [module.training for module in model.modules()], []
    model.eval()
    try:
        for image, label in zip(images.detach(), classes, strict=True):
            kept = []
            with layer.register_forward_hook(lambda *seen, kept=kept: kept.append(seen[2])), torch.enable_grad():
                score = model(image[None].requires_grad_())[0, label]
            (gradient,) = torch.autograd.grad(score, kept[0])
            total = (gradient.mean((2, 3), keepdim=True) * kept[0].detach()).sum(1, keepdim=True).relu()
            maps.append(F.interpolate(total, size=image.shape[1:], mode="bilinear")[0, 0])
    finally:
        for module, mode in zip(model.modules(), modes, strict=True):
            module.training = mode
    return torch.stack(maps)
