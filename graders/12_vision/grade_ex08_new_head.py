"""Hidden checks for Transfer: the new head, what is frozen, modes, groups, and what drifts."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of, tensor

CONCEPTS = ("M08", "L19")

KEPT = {
    "nothing_frozen_drifts": "what freezing is for, said by itself",
    "only_chosen_parts_are_trained": "what unfreezing is for, said by itself",
    "the_old_head_is_gone": "the leftover that makes checkpoints and optimizers carry dead weights, said by itself",
}


class oracle:
    """Keeps no own mode: it sets each module's."""

    class Transfer(nn.Module):
        def __init__(self, backbone, classes):
            super().__init__()
            features, like = backbone.fc.in_features, backbone.fc.weight
            self.backbone, self.head = backbone, nn.Linear(features, classes).to(like)
            backbone.fc = nn.Identity()
            for p in backbone.parameters():
                p.requires_grad = False
            oracle.Transfer.train(self, True)

        def forward(self, x):
            return self.head(self.backbone(x))

        def train(self, mode=True):
            for module in self.modules():
                frozen = isinstance(module, nn.BatchNorm2d) and not any(p.requires_grad for p in module.parameters())
                module.training = mode and not frozen
            return self

        def unfreeze(self, part):
            for name, p in self.backbone.named_parameters():
                if name.startswith(part + "."):
                    p.requires_grad = True
            self.train(self.training)

        def groups(self, head_rate, body_rate):
            body = [p for p in self.backbone.parameters() if p.requires_grad]
            return [{"params": [self.head.weight, self.head.bias], "lr": head_rate}] + [{"params": body, "lr": body_rate}] * bool(body)


class Network(nn.Module):
    """Two stages with batch norms and dropout, and an old head."""

    def __init__(self):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(2, 3, 1), nn.BatchNorm2d(3), nn.ReLU())
        self.layer2 = nn.Sequential(nn.Conv2d(3, 4, 1, bias=False), nn.BatchNorm2d(4), nn.Dropout(0.5))
        self.layer22 = nn.Conv2d(4, 4, 1, bias=False)  # another part than layer2
        self.fc = nn.Linear(4, 5)

    def forward(self, x):
        return self.fc(self.layer22(self.layer2(self.layer1(x))).mean(dim=(2, 3)))


def filled(module):
    """The module with numbers that depend on names and places alone."""
    with torch.no_grad():
        for k, (name, values) in enumerate(sorted(module.state_dict().items())):
            if values.is_floating_point():
                new = ((torch.arange(values.numel()) * 5 + 3 * k) % 7 - 2.5).reshape(values.shape) / 4
                values.copy_(new.abs() + 0.5 if "var" in name else new)
    return module


def transfer(solution, classes=3, like=None):
    """A new Transfer whose head has fixed numbers."""
    backbone = filled(Network())
    model = solution.Transfer(backbone if like is None else backbone.to(like), classes)
    filled(model.head)
    return model


def trained(model):
    return [name for name, p in model.named_parameters() if p.requires_grad]


X = tensor("batch 2 height width", dtype="float32")
PARTS = [[], ["layer2"], ["layer1", "layer2"], ["layer1.1"]]


@check(points=2, x=X, classes=[3, 6], minimum=1, devices=False)
def the_head_reads_the_features(solution, x, classes):
    """In evaluation mode, the logits are those of the new head on the backbone's features."""
    model = transfer(solution, classes, x)
    model.eval()
    return model(x).detach()


@check(points=2, classes=[3], devices=False)
def the_old_head_is_gone(solution, classes):
    """The state has the backbone without its old head, and the new head."""
    return {name: list(value.shape) for name, value in sorted(transfer(solution, classes).state_dict().items())}


@check(points=2, parts=PARTS, devices=False)
def only_chosen_parts_are_trained(solution, parts):
    """The head and the unfrozen parts are trained, and nothing else."""
    model = transfer(solution)
    for part in parts:
        model.unfreeze(part)
    return sorted(trained(model))


@check(points=3, parts=[[], ["layer2"]], mode=[True, False, None], devices=False)
def train_leaves_frozen_norms_in_evaluation_mode(solution, parts, mode):
    """train sets the mode of all parts, except for batch norms with frozen parameters."""
    model = transfer(solution)
    for part in parts:
        model.unfreeze(part)
    model.train() if mode is None else model.train(mode)
    return {f"mode of {name or 'the model'}": mode_of(module) for name, module in model.named_modules()}


@check(points=1, mode=[True, False], devices=False)
def train_returns_the_model(solution, mode):
    """train returns the model itself."""
    model = transfer(solution)
    return {"the model itself": model.train(mode) is model}


@check(points=2, parts=PARTS, devices=False)
def groups_have_their_rates(solution, parts):
    """The head has its rate, and what is trained in the backbone has its own; the rest is in no group."""
    model = transfer(solution)
    for part in parts:
        model.unfreeze(part)
    names = {id(p): name for name, p in model.named_parameters()}
    return [(group["lr"], sorted(names.get(id(p), "not a parameter of the model") for p in group["params"])) for group in model.groups(0.5, 0.125)]


@check(points=1, parts=[[], ["layer2"]], devices=False)
def nothing_frozen_drifts(solution, parts):
    """Two epochs with momentum and weight decay change what is trained, and nothing else in the state."""
    model = transfer(solution)
    for part in parts:
        model.unfreeze(part)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    opt = torch.optim.SGD(model.groups(0.5, 0.25), lr=1.0, momentum=0.9, weight_decay=0.1)
    for _ in range(2):
        model.train()
        opt.zero_grad()
        model(torch.arange(48.0).reshape(2, 2, 3, 4) % 5).square().mean().backward()
        opt.step()
    return {"changed": sorted(name for name, value in model.state_dict().items() if not torch.equal(value, before[name]))}


@check(points=1, star=True, dtype=[torch.float64, torch.float32], device_of=X, minimum=1, beside=True)
def the_head_follows_the_old_one(solution, dtype, device_of):
    """The head has the dtype and the device of the old head."""
    backbone = Network().to(device=device_of.device, dtype=dtype)
    head = solution.Transfer(backbone, 3).head
    model = transfer(solution, 3, device_of)
    for module in model.eval().modules():
        module.p = 0.0  # of dropout: whether the mode is right is seen by other checks
    return model(device_of).detach(), {"dtype": str(head.weight.dtype), "device of the old head": head.weight.device == device_of.device}


@check(points=1, star=True, mode=[True, False], devices=False)
def modes_follow_at_once(solution, mode):
    """After unfreeze, the batch norms of the part have the model's mode, without another call of train."""
    model = transfer(solution)
    model.train(mode)
    model.unfreeze("layer2")
    return {name: mode_of(module) for name, module in model.backbone.named_modules() if isinstance(module, nn.BatchNorm2d)}
