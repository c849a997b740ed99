"""Known mistakes and unusual but correct solutions for prepare_images, PixelClassifier, pixels_loss and pixels_accuracy."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Run `torchdojo symptom ex11_sideways_images`. Five printed numbers or shapes differ from what the docstrings say. Which function makes each of them?",
    "Write down the axes after each step, for an image of 2 rows and 3 columns and for a batch of one image. Then look for what is done twice on the way from the "
    "bytes to the loss, and for what no_grad doesn't do.",
    "Move the last axis to place 1, and leave the order of the others. flatten(1) keeps the batch, squeeze() doesn't. prepare_images normalizes already, and "
    "cross_entropy has a softmax of its own. In pixels_accuracy, switch to evaluation mode, and back.",
)
EQUIVALENT = {
    "wrong_device: mean, std = (torch.tensor(values)[:, None, None] for values in (MEAN, STD))": "this function is given, and the images of the checks are on the CPU",
    "in_place: features = F.relu_(self.norm(self.conv(images)))": "relu_ writes into a tensor of the function's own",
    "wrong_dtype: return (scores.argmax(dim=1) == labels).double().mean().item()": "a Python float either way",
    "change_dim: return (scores.argmax(dim=-1) == labels).float().mean().item()": "scores have two axes",
}

MOVED = "pixels.permute(0, 3, 1, 2) / 255"
PREPARED = "images = prepare_images(pixels)"
FLAT = "pooled.flatten(1)"
SCORES = "scores = model(images)"
LOSS = "F.cross_entropy(scores, labels)"
SEEN = "scores = model(prepare_images(pixels))"
BACK = "for module, training in modes:\n    module.training = training"

as_it_was = mistake.edited(MOVED, "pixels.transpose(1, 3) / 255",
    "The code does what it did before: rows and columns are exchanged, squeeze drops the batch, images are normalized twice, softmax is applied twice, and dropout is on.",
    also=[
        (FLAT, "pooled.squeeze()"),
        (PREPARED, "images = normalize_pixels(prepare_images(pixels))"),
        (SCORES, "scores = model(images).softmax(dim=1)"),
        ("model.eval()", "pass"),
    ])

rows_and_columns_exchanged = mistake.edited(MOVED, "pixels.transpose(1, 3) / 255",
    "Rows and columns are exchanged, as by transpose(1, 3), which puts the rows last: move the last axis alone, and leave the order of the others.",
    about="rows_stay_rows", common=True)

pixels_reshaped = mistake.edited(MOVED, "pixels.reshape(len(pixels), 3, *pixels.shape[1:3]) / 255",
    "reshape keeps the numbers in their order, so colors and positions are mixed: move the axis.",
    about="rows_stay_rows", common=True, pitfall="reshape gives the axes the right sizes")

columns_first = mistake.edited(MOVED, "pixels.permute(0, 3, 2, 1).flip(-1) / 255",
    "The images are turned by a quarter: move the last axis to place 1, and leave the order of rows and columns.",
    about="rows_stay_rows")

bytes_not_divided = mistake.edited(MOVED, "pixels.permute(0, 3, 1, 2).float()",
    "The bytes weren't divided by 255, so white is far from 1 before it is normalized.",
    about=["rows_stay_rows", "images_are_normalized_once"])

batch_squeezed = mistake.edited(FLAT, "pooled.squeeze()",
    "A single image loses its batch axis: squeeze() drops every axis of size 1. Use flatten(1).",
    about="one_image_is_a_batch", common=True)

always_one_more_axis = mistake.edited(FLAT, "pooled.squeeze().unsqueeze(0)",
    "The scores of several images have one more axis: unsqueeze(0) fits a single image only. Use flatten(1).",
    about="one_image_is_a_batch", common=True)

everything_flattened = mistake.edited("self.head(pooled.flatten(1))", "self.head(pooled.reshape(1, -1)[:, :self.head.in_features])",
    "Only the first image has scores, as if the batch axis were flattened, too: keep it, as flatten(1) does.",
    about="one_image_is_a_batch")

largest_feature = mistake.edited("F.adaptive_avg_pool2d(features, 1)", "F.adaptive_max_pool2d(features, 1)",
    "The head reads the largest value of each feature: it is the mean.",
    about="one_image_is_a_batch")

normalized_twice = mistake.edited(PREPARED, "images = normalize_pixels(prepare_images(pixels))",
    "pixels_loss normalizes what prepare_images has normalized already, so training sees other numbers than evaluation.",
    about="images_are_normalized_once", common=True)

both_normalized_twice = mistake.edited(PREPARED, "images = normalize_pixels(prepare_images(pixels))",
    "Loss and accuracy agree now, but both normalize twice: prepare_images does it already.",
    also=[(SEEN, "scores = model(normalize_pixels(prepare_images(pixels)))")],
    about="images_are_normalized_once", common=True)

normalized_for_the_loss_alone = mistake.edited(f"normalize_pixels({MOVED})", MOVED,
    "prepare_images doesn't normalize any more, so the accuracy reads images that aren't normalized: remove the normalization in pixels_loss instead.",
    also=[(PREPARED, "images = normalize_pixels(prepare_images(pixels))")],
    about=["rows_stay_rows", "images_are_normalized_once"], common=True)

never_normalized = mistake.edited(f"normalize_pixels({MOVED})", MOVED,
    "Nothing is normalized any more: one of the two has to stay, the one in prepare_images.",
    about=["rows_stay_rows", "images_are_normalized_once"])

softmax_twice = mistake.edited(SCORES, "scores = model(images).softmax(dim=1)",
    "softmax is applied twice, because cross_entropy has one of its own: give it the scores.",
    about="scores_have_one_softmax", common=True)

nll_of_probabilities = mistake.edited(LOSS, "F.nll_loss(scores.softmax(dim=1), labels)",
    "nll_loss reads logarithms of probabilities: your loss is minus the probability itself. Use cross_entropy of the scores.",
    about="scores_have_one_softmax", common=True)

nll_of_scores = mistake.edited(LOSS, "F.nll_loss(scores, labels)",
    "There is no softmax at all now: nll_loss has none. Use cross_entropy of the scores.",
    about="scores_have_one_softmax", common=True)

log_of_softmax = mistake.edited(LOSS, "F.nll_loss(scores.softmax(dim=1).log(), labels)",
    "With a large difference between scores a probability underflows to 0, and its logarithm is -inf: use cross_entropy of the scores.",
    about="scores_have_one_softmax", common=True)

softmax_over_the_images = mistake.edited(LOSS, "F.nll_loss(scores.log_softmax(dim=0), labels)",
    "The softmax is over the images of the batch: it is over the classes, as in cross_entropy.",
    about="scores_have_one_softmax")

dropout_on = mistake.edited("model.eval()", "pass",
    "The model runs in the mode that it is in, with dropout in training: no_grad doesn't change that. Call eval().",
    about="evaluation_has_no_dropout", common=True)

eval_for_the_loss = mistake.edited(PREPARED, "model.eval()\nimages = prepare_images(pixels)",
    "pixels_loss switches to evaluation mode, so the model trains without dropout: only pixels_accuracy does.",
    also=[("modes = [(module, module.training) for module in model.modules()]\nmodel.eval()", "modes = []")],
    common=True)

graph_built = mistake.edited("with torch.no_grad():", "if True:",
    "The accuracy builds a graph: keep no_grad().",
    about="evaluation_has_no_dropout")

right_images_counted = mistake.edited(".float().mean().item()", ".sum().item()",
    "The number of right images was returned: the accuracy is their share.",
    about="evaluation_has_no_dropout")

loss_without_a_graph = mistake.edited(LOSS, "F.cross_entropy(scores.detach(), labels)",
    "The loss has no graph, so nothing can be trained with it: only the accuracy goes without.",
    about="the_loss_leaves_the_mode_alone")

loss_in_training_mode = mistake.edited(PREPARED, "model.train()\nimages = prepare_images(pixels)",
    "pixels_loss switches the model to training mode, also the parts that were frozen: leave the mode to the caller.",
    about="the_loss_leaves_the_mode_alone")

stays_in_evaluation_mode = mistake.edited(BACK, "pass",
    "The model stays in evaluation mode, and training goes on without dropout: put each module back in its mode.",
    about="modes_come_back", common=True)

always_back_to_training = mistake.edited(BACK, "model.train()",
    "Afterwards all modules are in training mode, also those that weren't: put each back in its mode.",
    about="modes_come_back", common=True)

one_mode_for_all = mistake.edited(BACK, "model.train(modes[0][1])",
    "The modes of the parts are lost: train(mode) sets all of them. Note the mode of each module.",
    about="modes_come_back")


moved = alternative.edited(MOVED, "pixels.movedim(-1, 1).to(torch.float32).div(255)",
    "One axis is moved, and a copy in float32.")

transposed_back = alternative.edited(MOVED, "pixels.transpose(1, 3).transpose(2, 3) / 255",
    "The exchange of rows and columns is undone.")

two_axes_squeezed = alternative.edited(FLAT, "pooled.squeeze(-1).squeeze(-1)",
    "Only the two last axes are dropped.")

mean_of_axes = alternative.edited("F.adaptive_avg_pool2d(features, 1)", "features.mean(dim=(-2, -1))",
    "The mean without a pooling layer; flatten(1) has nothing left to do.")


@alternative("pixels_loss")
def picked_log_softmax(model, pixels, labels):
    """The softmax's logarithm, and the number of each label. A log_softmax before cross_entropy changes nothing either."""
    from ex11_sideways_images import prepare_images

    logs = model(prepare_images(pixels)).log_softmax(dim=-1)
    return -logs.gather(1, labels[:, None]).mean()


@alternative("pixels_loss")
def log_softmax_twice(model, pixels, labels):
    """A second log_softmax finds probabilities that sum to 1, and changes nothing."""
    from ex11_sideways_images import prepare_images

    return nn.CrossEntropyLoss()(F.log_softmax(model(prepare_images(pixels)), dim=1), labels)


@alternative("pixels_accuracy")
def on_a_copy(model, pixels, labels):
    """A copy is evaluated; it shares the list in which a model may note its calls."""
    from ex11_sideways_images import prepare_images

    shared = {id(module.seen): module.seen for module in model.modules() if hasattr(module, "seen")}
    with torch.inference_mode():
        best = copy.deepcopy(model, shared).eval()(prepare_images(pixels)).max(dim=1).indices
    return int((best == labels).sum()) / len(labels)
