"""Known mistakes and unusual but correct solutions for saliency."""

import copy

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "You know the derivative of a loss with respect to weights. Which tensor is the leaf here, and which number do you derive?",
    "A detached copy of the images that requires gradients is the leaf. No image's score depends on another image, so the sum of all the images' scores has the derivatives of "
    "each. torch.autograd.grad returns them and leaves every .grad alone.",
    "Remember the mode of each module, and switch to evaluation mode. In enable_grad, run the model on the leaf, gather a score of each row, and pass their sum to "
    "torch.autograd.grad. Set the modes again. Take absolute values first, then the largest along the channels.",
)
EQUIVALENT = {
    "change_dim: scores = model(x).gather(-1, classes[:, None])": "scores have two axes",
    "in_place: return gradient.abs_().amax(dim=1)": "the gradient is a tensor of the function's own",
    "add_detach: return gradient.abs().amax(dim=1).detach()": "torch.autograd.grad returns tensors without a graph",
}

LEAF = "x = images.detach().requires_grad_()"
SCORES = "scores = model(x).gather(1, classes[:, None])"
GRAD = "(gradient,) = torch.autograd.grad(scores.sum(), x)"
MAP = "gradient.abs().amax(dim=1)"
BACK = "for module, training in modes:\n    module.training = training"

MAPS = ("one_image_has_its_map", "each_image_has_its_own_map")

fills_parameters = mistake.edited(GRAD, "scores.sum().backward()\ngradient = x.grad",
    "backward() filled the .grad of the model's parameters: use torch.autograd.grad, which returns the gradient of the images alone.",
    about="parameters_stay_as_they_are", common=True, pitfall="backward() fills the .grad of parameters")

clears_old_gradients = mistake.edited(GRAD, "scores.sum().backward()\ngradient = x.grad\nmodel.zero_grad()",
    "Gradients that the caller had accumulated are gone: use torch.autograd.grad, which leaves every .grad alone.",
    about="parameters_stay_as_they_are", common=True)

freezes_the_model = mistake.edited("model.eval()", "model.eval().requires_grad_(False)",
    "The parameters no longer require gradients, so the model can't be trained any more: leave their requires_grad alone.",
    about="parameters_stay_as_they_are", common=True)

signs_stay = mistake.edited(MAP, "gradient.amax(dim=1)",
    "The absolute value is missing: a strongly negative derivative counts as much as a positive one.",
    about=MAPS, common=True)

absolute_of_the_largest = mistake.edited(MAP, "gradient.amax(dim=1).abs()",
    "The absolute value came after the maximum: take absolute values first.",
    about=MAPS, common=True)

mean_of_channels = mistake.edited(MAP, "gradient.abs().mean(dim=1)",
    "You took the mean over the channels: take the largest.",
    about=MAPS, common=True)

sum_of_channels = mistake.edited(MAP, "gradient.abs().sum(dim=1)",
    "You added the channels: take the largest.",
    about=MAPS)

length_of_channels = mistake.edited(MAP, "gradient.norm(dim=1)",
    "You took the length of the gradient over the channels: take the largest absolute value.",
    about=MAPS)

times_the_image = mistake.edited(MAP, "(gradient * images.detach()).abs().amax(dim=1)",
    "The gradient was multiplied by the image: return the gradient's absolute values.",
    about=MAPS, common=True)

scaled_to_one = mistake.edited(MAP, "(gradient.abs().amax(dim=1) / gradient.abs().amax())",
    "The map was divided by its largest value: return the derivatives as they are.",
    about=MAPS, common=True)

probability_of_the_class = mistake.edited(SCORES, SCORES.replace("model(x)", "model(x).softmax(dim=1)"),
    "You derived the probability: softmax mixes in the scores of other classes. Derive the score.",
    about=MAPS)

derives_the_loss = mistake.edited(SCORES, "scores = torch.nn.functional.cross_entropy(model(x), classes, reduction='none')",
    "You derived the loss, which depends on the scores of all classes: derive the score of the image's class.",
    about=MAPS)

all_scores = mistake.edited(SCORES, "scores = model(x)",
    "The scores of all classes were added: take the score of the image's class alone.",
    about=MAPS, common=True)

predicted_class = mistake.edited(SCORES, "scores = model(x).amax(dim=1)",
    "You took the largest score of each image: the class is given in classes.",
    about=MAPS, common=True)

every_class_of_the_batch = mistake.edited(SCORES, "scores = model(x)[:, classes]",
    "Each image's map is that of the classes of all images, as with [:, classes]: gather one score of each row.",
    about="each_image_has_its_own_map", common=True)

class_of_the_first_image = mistake.edited(SCORES, "scores = model(x)[:, classes[0]]",
    "All images were asked for the class of the first: each has its own.",
    about="each_image_has_its_own_map", common=True)

mean_of_the_batch = mistake.edited("scores.sum()", "scores.mean()",
    "The gradients were divided by the number of images: derive the sum of the scores, so that each image counts as if it were alone.",
    about="each_image_has_its_own_map", common=True)

first_image_alone = mistake.edited("scores.sum()", "scores[0].sum()",
    "Only the first image's score was derived, so the other maps are 0: derive the sum of all images' scores.",
    about="each_image_has_its_own_map")

mode_of_the_caller = mistake.edited("model.eval()", "",
    "In training mode, dropout is random and batch norm mixes the images: run the model in evaluation mode.",
    about="the_model_runs_in_evaluation_mode", common=True)

stays_in_evaluation = mistake.edited(BACK, "",
    "The model stays in evaluation mode: give it its old mode again.",
    about=("the_mode_stays", "each_part_keeps_its_mode"), common=True)

always_back_to_training = mistake.edited(BACK, "model.train()",
    "The model is always in training mode afterwards: give it the mode that it had.",
    about=("the_mode_stays", "each_part_keeps_its_mode"), common=True)

one_mode_for_all = mistake.edited(BACK, "model.train(modes[0][1])",
    "All parts got the model's mode, also frozen ones that had another: remember the mode of each module.",
    about="each_part_keeps_its_mode", common=True)

images_become_a_leaf = mistake.edited(LEAF, "x = images.requires_grad_()",
    "requires_grad was set on the caller's images: set it on a detached copy.",
    about="images_stay_as_they_are", common=True)

graph_is_kept = mistake.edited(GRAD, "(gradient,) = torch.autograd.grad(scores.sum(), x, create_graph=True)",
    "The map still has a graph attached, which keeps the model's activations in memory: leave create_graph out.",
    about="images_stay_as_they_are")

grad_mode_of_the_caller = mistake.edited("with torch.enable_grad():", "if True:",
    "Under no_grad there is no graph to derive: switch grad mode on with torch.enable_grad().",
    about="it_works_without_grad_mode", common=True)


@alternative("saliency")
def backward_in_a_copy(model, images, classes):
    """backward fills the .grad of a copy of the model, whose mode nobody needs."""
    model = copy.deepcopy(model).eval()
    leaf = images.detach().clone().requires_grad_(True)
    with torch.enable_grad():
        model(leaf)[torch.arange(len(leaf)), classes].sum().backward()
    return leaf.grad.abs().max(dim=1)[0]


@alternative("saliency")
def image_by_image(model, images, classes):
    """Each image is a batch, and backward is told that its only input is the image."""
    was = {module: module.training for module in model.modules()}
    model.train(False)
    maps = []
    for image, label in zip(images.detach().clone(), classes, strict=True):
        leaf = image[None].requires_grad_()
        with torch.enable_grad():
            score = model(leaf)[0, label]
            score.backward(inputs=[leaf])
        maps.append(torch.maximum(leaf.grad.amax(1), -leaf.grad.amin(1))[0])
    for module, mode in was.items():
        module.training = mode
    return torch.stack(maps)


@alternative("saliency")
def by_func(model, images, classes):
    """torch.func.grad of a function that has the model's tensors as arguments."""
    modes = {name: module.training for name, module in model.named_modules()}
    model.eval()
    tensors = {name: values.detach() for name, values in (*model.named_parameters(), *model.named_buffers())}

    def score(x):
        return torch.func.functional_call(model, tensors, (x,)).gather(1, classes[:, None]).sum()

    with torch.enable_grad():
        gradient = torch.func.grad(score)(images.detach())
    for name, mode in modes.items():
        model.get_submodule(name).training = mode
    return gradient.abs().amax(1).detach()


@alternative("saliency")
def by_a_hook(model, images, classes):
    """A hook on the leaf sees the gradient; the one-hot upstream gradient picks the scores."""
    modes, seen = [module.training for module in model.modules()], []
    model.eval()
    leaf = images.detach().clone().requires_grad_()
    leaf.register_hook(lambda gradient: seen.append(gradient.abs().amax(dim=1)))
    with torch.enable_grad():
        scores = model(leaf)
    upstream = torch.zeros_like(scores).scatter_(1, classes.unsqueeze(1), 1)
    scores.backward(upstream, inputs=[leaf])
    for module, mode in zip(model.modules(), modes, strict=True):
        module.training = mode
    return seen[0]
