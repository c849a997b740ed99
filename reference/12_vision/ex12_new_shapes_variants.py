"""Known mistakes and unusual but correct solutions for the project."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write ShapeNet first, and load the checkpoint's weights into one with five classes: strict loading names each layer that is missing or has another shape. "
    "Then write predict_shapes, and call it at the end of each epoch.",
    "torch.randperm gives an epoch's order; split(batch) cuts it into batches, the last one smaller. The same rows pick images and labels. "
    "At the beginning of each epoch, model.train() undoes what predicting did to the modes; after it, look for batch norms whose weight needs no gradient.",
    "Build the layers in a list, with a pooling after each stage, and leave the last pooling out. The features' mean over the two last axes goes into the head. "
    "For new shapes: the checkpoint's head.bias tells how many classes the old network has. Load all of it, freeze all of it, and only then put a new nn.Linear in the place of the head.",
)
EQUIVALENT = {
    "change_dim: classes = model(images).argmax(dim=-1)": "scores have two axes",
    "force_branch: optimizer = torch.optim.Adam([p for p in model.parameters() ], lr=lr)": "Adam leaves out what has no gradient",
    "wrong_dtype: shares.append((predict_shapes(model, held_out[0]) == held_out[1]).float().mean().item())": "the digits of float32 are enough for a share",
}

SCALED = "(images / 255 - self.mean) / self.std"
POOLED = "features.mean(dim=(2, 3))"
CONV = "nn.Conv2d(channels, wider, 3, padding=1, bias=False), nn.BatchNorm2d(wider), nn.ReLU(), nn.MaxPool2d(2)"
LAYERS = "layers[:-1]"
SIZES = "for wider in (8, 16, 32):"
EVAL = "    model.eval()\n"
NO_GRAD = "with torch.no_grad():"
PREDICTED = "model(images).argmax(dim=1)"
RESTORED = "for module, mode in modes.items():\n    module.training = mode"
TRAIN = "        model.train()\n"
FROZEN = "if isinstance(module, nn.BatchNorm2d) and not module.weight.requires_grad:"
ADAM = "torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=lr)"
ROWS = "for rows in torch.randperm(len(images), generator=generator).split(batch):"
LOSS = "loss = F.cross_entropy(model(images[rows]), labels[rows])"
SHARE = "shares.append((predict_shapes(model, held_out[0]) == held_out[1]).double().mean().item())"
LOAD = "model.load_state_dict(saved[\"weights\"])"
MADE = 'model = ShapeNet(len(saved["weights"]["head.bias"]), saved["mean"], saved["std"])'
FREEZE = "    model.requires_grad_(False)\n"
HEAD = "    model.head = nn.Linear(model.head.in_features, classes)\n"

# ------------------------------------------------------------------ the network
head_reads_all_positions = mistake.edited("nn.Linear(channels, classes)", "nn.Linear(channels * 16, classes)",
    "The head reads every position of every channel, so it has far too many parameters, and the network knows one image size alone: take the mean over positions.",
    also=[(POOLED, "F.adaptive_avg_pool2d(features, 4).flatten(1)")],
    about=("the_layers_have_their_names", "scores_are_those_of_the_layers"), common=True)

convolutions_with_bias = mistake.edited(CONV, "nn.Conv2d(channels, wider, 3, padding=1), nn.BatchNorm2d(wider), nn.ReLU(), nn.MaxPool2d(2)",
    "The convolutions have a bias: pass bias=False, as the batch norm after each has one.",
    about="the_layers_have_their_names", common=True)

channels_are_doubled = mistake.edited(SIZES, "for wider in (16, 32, 64):",
    "The convolutions return too many channels: 8, 16 and 32.",
    about="the_layers_have_their_names")

pools_three_times = mistake.edited(LAYERS, "layers",
    "There is a pooling after the third stage, too: only the first two have one.",
    about="scores_are_those_of_the_layers", common=True)

relu_before_norm = mistake.edited(CONV, "nn.Conv2d(channels, wider, 3, padding=1, bias=False), nn.Sequential(nn.ReLU(), nn.BatchNorm2d(wider)), nn.Identity(), nn.MaxPool2d(2)",
    "The ReLU comes before the batch norm: it comes after it.",
    about=("the_layers_have_their_names", "scores_are_those_of_the_layers"))

bytes_are_not_divided = mistake.edited(SCALED, "(images - self.mean) / self.std",
    "The images were not divided by 255, but mean and std are those of numbers from 0 to 1.",
    about="scores_are_those_of_the_layers", common=True)

not_normalized = mistake.edited(SCALED, "images / 255",
    "mean and std have no effect: subtract the mean and divide by std.",
    about="scores_are_those_of_the_layers", common=True)

normalized_by_the_batch = mistake.edited(SCALED, "(images / 255 - (images / 255).mean()) / (images / 255).std()",
    "The images were normalized with their own mean and standard deviation: use the model's, which stay the same for all images.",
    about="scores_are_those_of_the_layers", common=True)

takes_the_maximum = mistake.edited(POOLED, "features.amax(dim=(2, 3))",
    "The head reads the largest number of each channel: take the mean over all positions.",
    about="scores_are_those_of_the_layers")

softmax_in_the_network = mistake.edited("return self.head(features.mean(dim=(2, 3)))", "return self.head(features.mean(dim=(2, 3))).softmax(dim=1)",
    "The network returns probabilities: return the scores of the head, as cross_entropy has a softmax of its own.",
    about="scores_are_those_of_the_layers", common=True)

# ------------------------------------------------------------------ predictions
predicts_in_training_mode = mistake.edited(EVAL, "",
    "The model predicts in training mode: call eval() first.",
    about=("predictions_need_evaluation_mode", "predicting_leaves_no_trace", "modes_change_in_each_epoch"), common=True)

predicts_with_a_graph = mistake.edited(NO_GRAD, "if True:",
    "Predicting builds a graph: use torch.no_grad().",
    about="predicting_leaves_no_trace", common=True)

stays_in_evaluation_mode = mistake.edited(RESTORED, "",
    "The model stays in evaluation mode after predicting: give each module its mode back.",
    about="each_module_has_its_mode_again", common=True)

one_mode_for_all = mistake.edited(RESTORED, "model.train(modes[model])",
    "All modules have the model's mode after predicting: give each its own mode back.",
    about="each_module_has_its_mode_again", common=True)

predicts_scores = mistake.edited(PREDICTED, "model(images).amax(dim=1)",
    "You returned the largest score of each image: return its index, with argmax.",
    about="predictions_need_evaluation_mode", common=True)

# ------------------------------------------------------------------ training
norms_drift = mistake.edited(FROZEN, "if False:",
    "The running statistics of a frozen batch norm drift, because train() put it into training mode: put it back into evaluation mode.",
    about="frozen_norms_stay", common=True, pitfall="model.train() puts frozen batch norms into training mode")

all_norms_stay = mistake.edited(FROZEN, "if isinstance(module, nn.BatchNorm2d):",
    "All batch norms are in evaluation mode while the model trains: only those with frozen parameters are.",
    about="frozen_norms_stay", common=True)

everything_in_evaluation_mode = mistake.edited(TRAIN, "        model.eval()\n",
    "The model trains in evaluation mode: call train() at the beginning of each epoch.",
    about=("modes_change_in_each_epoch", "frozen_norms_stay"))

one_order_for_all_epochs = mistake.edited("    shares = []\n", "    shares = []\n    order = torch.randperm(len(images), generator=generator)\n",
    "All epochs have the same order: draw a new one in each.",
    also=[(ROWS, "for rows in order.split(batch):")],
    about="each_epoch_reads_each_image_once", common=True)

never_shuffles = mistake.edited(ROWS, "for rows in torch.arange(len(images)).split(batch):",
    "The images are never shuffled: draw a random order in each epoch.",
    about=("each_epoch_reads_each_image_once", "the_generator_draws_the_order"), common=True)

draws_with_repetition = mistake.edited(ROWS, "for rows in torch.randint(len(images), (len(images),), generator=generator).split(batch):",
    "Some images are read twice in an epoch, and others never: use a permutation.",
    about="each_epoch_reads_each_image_once", common=True)

drops_the_last_batch = mistake.edited(ROWS, "for rows in torch.randperm(len(images), generator=generator)[: max(len(images) // batch * batch, min(batch, len(images)))].split(batch):",
    "The last batch was left out because it is smaller: train on it, too.",
    about="each_epoch_reads_each_image_once", common=True)

trains_on_held_out_images = mistake.edited("images, labels = training", "images, labels = torch.cat([training[0], held_out[0]]), torch.cat([training[1], held_out[1]])",
    "The model trained on the held-out images, so their share says nothing any more: train on the training images alone.",
    about=("each_epoch_reads_each_image_once", "modes_change_in_each_epoch"), common=True)

labels_in_another_order = mistake.edited(LOSS, "loss = F.cross_entropy(model(images[rows]), labels[torch.randperm(len(labels))][: len(rows)])",
    "Images and labels are in different orders: pick both with the same rows.",
    about="images_keep_their_labels", common=True)

softmax_before_the_loss = mistake.edited(LOSS, "loss = F.cross_entropy(model(images[rows]).softmax(dim=1), labels[rows])",
    "softmax is applied twice, as cross_entropy has its own: pass the scores.",
    about="updates_are_those_of_adam", common=True)

never_clears = mistake.edited("            optimizer.zero_grad()\n", "",
    "Gradients of all batches add up: call zero_grad() for each batch.",
    about="updates_are_those_of_adam", common=True)

adamw = mistake.edited(ADAM, "torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=lr)",
    "The optimizer is AdamW, which also shrinks what it trains: use Adam.",
    about="updates_are_those_of_adam", common=True)

learning_rate_is_fixed = mistake.edited(ADAM, "torch.optim.Adam([p for p in model.parameters() if p.requires_grad])",
    "lr has no effect: pass it to the optimizer.",
    about="updates_are_those_of_adam", common=True)

a_new_optimizer_in_each_epoch = mistake.edited(TRAIN, "        model.train()\n        optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=lr)\n",
    "Each epoch has a new optimizer, which forgets Adam's averages: make one before the first epoch.",
    about="updates_are_those_of_adam", common=True)

shares_of_training_images = mistake.edited(SHARE, "shares.append((predict_shapes(model, images) == labels).double().mean().item())",
    "The shares are those of the training images: predict the held-out images.",
    about=("held_out_shares_are_told", "modes_change_in_each_epoch"), common=True)

shares_before_the_epoch = mistake.edited(TRAIN, "        shares.append((predict_shapes(model, held_out[0]) == held_out[1]).double().mean().item())\n        model.train()\n",
    "The shares are those before each epoch: predict after it.",
    also=[("        " + SHARE + "\n", "", 1)],
    about="held_out_shares_are_told")

last_share_alone = mistake.edited("    return shares\n", "    return shares[-1:]\n",
    "Only the last share was returned: return one for each epoch.",
    about="held_out_shares_are_told")

draws_without_the_generator = mistake.edited(ROWS, "for rows in torch.randperm(len(images)).split(batch):",
    "The order doesn't come from the generator: pass it to the function that draws it.",
    about="the_generator_draws_the_order", common=True)

# ------------------------------------------------------------------ new classes
nothing_is_loaded = mistake.edited(LOAD, "model.load_state_dict(saved, strict=False)",
    "Nothing was loaded: strict=False passes over names that don't fit. The state dict is saved[\"weights\"].",
    about="weights_come_from_the_checkpoint", common=True, pitfall="raises no error if no name fits")

head_stays = mistake.edited(HEAD, "    model.head.requires_grad_(True)\n",
    "The head still has the old classes: put a new nn.Linear in its place.",
    about="only_a_new_head_is_trained", common=True)

nothing_is_frozen = mistake.edited(FREEZE, "",
    "The whole network is trained: freeze what comes before the head.",
    about="only_a_new_head_is_trained", common=True)

head_is_frozen = mistake.edited(FREEZE, "",
    "The new head is frozen, too, so nothing can learn: freeze the network first, then replace the head.",
    also=[(HEAD, HEAD + "    model.requires_grad_(False)\n")],
    about="only_a_new_head_is_trained", common=True)

convolutions_alone_are_frozen = mistake.edited(FREEZE, """
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            module.requires_grad_(False)
""".lstrip("\n"),
    "Batch norms are still trained: freeze all parameters before the head, not only those of convolutions.",
    about="only_a_new_head_is_trained", common=True)

normalized_as_by_default = mistake.edited(MADE, 'model = ShapeNet(len(saved["weights"]["head.bias"]), 0.5, 0.5)',
    "The images are normalized with other numbers than those that the network was trained with: use mean and std of the checkpoint.",
    about="images_are_normalized_as_before", common=True)

half_precision = mistake.edited("    return model\n", "    model.features.half()\n    return model\n",
    "The parameters are float16, as in the checkpoint: load_state_dict copies them into float32.",
    about="weights_come_from_the_checkpoint")

statistics_are_left_out = mistake.edited(LOAD, 'model.load_state_dict({name: value for name, value in saved["weights"].items() if "running" not in name}, strict=False)',
    "The running statistics of the batch norms were not loaded: load all of the state dict, buffers too.",
    about="weights_come_from_the_checkpoint")


# ------------------------------------------------------------------ right, too
@alternative("ShapeNet")
class stages_and_buffers(nn.Module):
    """The layers are appended one by one; mean and std are buffers that the state dict leaves out."""

    def __init__(self, classes, mean, std):
        super().__init__()
        norms = [nn.BatchNorm2d(n) for n in (8, 16, 32)]
        convs = [nn.Conv2d(few, many, kernel_size=(3, 3), padding="same", bias=False) for few, many in ((1, 8), (8, 16), (16, 32))]
        self.features = nn.Sequential()
        for stage, (conv, norm) in enumerate(zip(convs, norms, strict=True)):
            if stage:
                self.features.append(nn.MaxPool2d(kernel_size=2, stride=2))
            self.features.extend([conv, norm, nn.ReLU(inplace=True)])
        self.head = nn.Linear(32, classes)
        self.register_buffer("mean", torch.tensor(mean), persistent=False)
        self.register_buffer("std", torch.tensor(std), persistent=False)

    def forward(self, images):
        x = images.float().div(255).sub(self.mean).div(self.std)
        return self.head(nn.AdaptiveAvgPool2d(1)(self.features(x)).flatten(1))




@alternative("learn_shapes")
def a_data_loader(model, training, held_out, epochs, batch, lr, generator=None):
    """A DataLoader makes the batches; all parameters are in the optimizer; predictions in batches."""
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*training), batch_size=batch, shuffle=True, generator=generator)
    opt, told = torch.optim.Adam(model.parameters(), lr), []
    norms = [m for m in model.modules() if isinstance(m, nn.BatchNorm2d) and not any(p.requires_grad for p in m.parameters())]
    for _ in range(epochs):
        model.train()
        for norm in norms:
            norm.eval()
        for x, y in loader:
            opt.zero_grad(set_to_none=True)
            nn.CrossEntropyLoss()(model(x), y).backward()
            opt.step()
        model.eval()
        with torch.inference_mode():
            right = sum((model(x).argmax(1) == y).sum().item() for x, y in zip(held_out[0].split(3), held_out[1].split(3), strict=True))
        told.append(right / len(held_out[1]))
    return told


@alternative("predict_shapes")
@torch.no_grad()
def scores_are_sorted(model, images):
    """Modes are noted by name; topk instead of argmax."""
    training = {name for name, part in model.named_modules() if part.training}
    classes = model.eval()(images).topk(1).indices.squeeze(1)
    for name, part in model.named_modules():
        part.training = name in training
    return classes


net_by_names = alternative.edited(MADE, """
    model = ShapeNet(classes, saved["mean"], saved["std"])
    kept = {name: value for name, value in saved["weights"].items() if not name.startswith("head.")}
    missing, unexpected = model.load_state_dict(kept, strict=False)
    assert not unexpected and sorted(missing) == ["head.bias", "head.weight"]
    """,
    "The network has the new head at once; all other weights are loaded, and what is missing is looked at.",
    also=[("    " + LOAD + "\n", ""), (FREEZE, "    for p in model.features.parameters():\n        p.requires_grad = False\n"), (HEAD, "")])
