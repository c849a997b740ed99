"""Known mistakes and unusual but correct solutions for Transfer."""

from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "After model.train(), print the mode of each batch norm in the backbone. Who set it, and where could you set it back so that no training loop has to know?",
    "A module's train(mode) calls train(mode) of all its parts. Override it: call super().train(mode), then put the frozen batch norms back into evaluation mode. "
    "nn.Identity returns what it gets, so the backbone returns its features.",
    "Read in_features of the old fc before you replace it. requires_grad_(False) freezes a whole module, and get_submodule finds a part by its name. train returns self, and "
    "unfreeze calls it with the present mode. The second group holds the backbone's parameters that require gradients, if there are any.",
)
EQUIVALENT = {
    "drop_call: without self.train(self.training)": "the stub says nothing of modes before train or eval is called",
    'swap_builtin: found = [{"params": self.head.parameters(), "lr": head_rate}]': "an optimizer takes an iterator as well",
}

HEAD = "self.head = nn.Linear(old.in_features, classes, dtype=old.weight.dtype, device=old.weight.device)"
KEPT = "self.backbone = backbone.requires_grad_(False)"
GONE = "backbone.fc = nn.Identity()"
SUPER = "super().train(mode)"
FROZEN = "if isinstance(module, nn.BatchNorm2d) and not module.weight.requires_grad:"
FOUND = "self.backbone.get_submodule(part).requires_grad_(True)"
FOLLOWS = "self.backbone.get_submodule(part).requires_grad_(True)\nself.train(self.training)"
FIRST = 'found = [{"params": list(self.head.parameters()), "lr": head_rate}]'
BODY = "body = [p for p in self.backbone.parameters() if p.requires_grad]"
SECOND = 'found.append({"params": body, "lr": body_rate})'
LOGITS = "return self.head(self.backbone(x))"


norms_train_again = mistake.edited(FROZEN, "if False:",
    "After train(), frozen batch norms are in training mode again, so their running statistics drift: put them back into evaluation mode in train.",
    common=True, about="train_leaves_frozen_norms_in_evaluation_mode",
    pitfall="It puts the frozen batch norms into training mode")

all_norms_stay_in_evaluation = mistake.edited(FROZEN, "if isinstance(module, nn.BatchNorm2d):",
    "All batch norms stay in evaluation mode, also those of an unfrozen part: only frozen ones do.",
    common=True, about="train_leaves_frozen_norms_in_evaluation_mode")

the_whole_backbone_in_evaluation = mistake.edited(FROZEN, "if True:",
    "The whole backbone stays in evaluation mode, its dropout as well: only batch norms with frozen parameters do.",
    common=True, about="train_leaves_frozen_norms_in_evaluation_mode")

all_frozen_parts_in_evaluation = mistake.edited(FROZEN, "if not any(p.requires_grad for p in module.parameters()):",
    "Every part without trained parameters is in evaluation mode, dropout as well: only batch norms with frozen parameters are.",
    about="train_leaves_frozen_norms_in_evaluation_mode")

ignores_the_mode = mistake.edited(SUPER, "super().train()",
    "mode has no effect: train(False), which eval() calls, must switch to evaluation mode.",
    common=True)

returns_nothing = mistake.edited("            module.eval()\n    return self", "            module.eval()",
    "train returned None: model.train().to(device) needs the model itself. Return self.",
    common=True, about="train_returns_the_model")

returns_the_backbone = mistake.edited("            module.eval()\n    return self", "            module.eval()\n    return self.backbone",
    "train returned the backbone: return self.",
    about="train_returns_the_model")

the_backbone_is_trained = mistake.edited(KEPT, "self.backbone = backbone",
    "The backbone is trained, too: freeze its parameters with requires_grad_(False).",
    common=True, about="only_chosen_parts_are_trained")

head_is_frozen = mistake.edited(KEPT, "self.backbone = backbone\nself.requires_grad_(False)",
    "The new head is frozen, too, so nothing is learned: freeze the backbone alone.",
    common=True, about="only_chosen_parts_are_trained")

weights_alone_are_frozen = mistake.edited(KEPT, 'self.backbone = backbone\nfor name, p in backbone.named_parameters():\n    p.requires_grad_(not name.endswith("weight"))',
    "The biases of the backbone are trained: freeze all its parameters.",
    about="only_chosen_parts_are_trained")

old_head_lingers = mistake.edited(GONE, "self.old_fc, backbone.fc = backbone.fc, nn.Identity()",
    "The old head is still a part of the model, so checkpoints carry its weights: keep no reference to it as an attribute.",
    common=True, about="the_old_head_is_gone")

head_inside_and_outside = mistake.edited(GONE, "backbone.fc = self.head",
    "The new head is in the model twice: features pass it in the backbone, and the state has it under two names. Put nn.Identity in the place of fc.",
    also=[(LOGITS, "return self.backbone(x)")],
    common=True, about="the_old_head_is_gone")

head_behind_the_old_one = mistake.edited(HEAD, "self.head = nn.Linear(old.out_features, classes, dtype=old.weight.dtype, device=old.weight.device)",
    "The new head reads the old classes: put nn.Identity in the place of fc, and read its in_features.",
    also=[(GONE, "pass")],
    common=True)

logits_become_probabilities = mistake.edited(LOGITS, "return self.head(self.backbone(x)).softmax(dim=1)",
    "forward returned probabilities: return the logits, because cross_entropy applies softmax itself.",
    common=True, about="the_head_reads_the_features")

relu_on_the_features = mistake.edited(LOGITS, "return self.head(self.backbone(x).relu())",
    "The head doesn't read the features as they are: relu was applied to them.",
    about="the_head_reads_the_features")

without_a_graph_in_the_backbone = mistake.edited(LOGITS, "with torch.no_grad():\n    features = self.backbone(x)\nreturn self.head(features)",
    "An unfrozen part doesn't learn: it needs a place in groups, and a gradient, which no_grad or detach() around the backbone cuts off.",
    common=True, about="nothing_frozen_drifts")

unfreezes_everything = mistake.edited(FOUND, "self.backbone.requires_grad_(True)",
    "unfreeze trains the whole backbone: only the part that is named is trained.",
    common=True, about="only_chosen_parts_are_trained")

only_the_last_part = mistake.edited(FOUND, "self.backbone.requires_grad_(False).get_submodule(part).requires_grad_(True)",
    "unfreeze froze the parts that were trained before: it only adds one.",
    about="only_chosen_parts_are_trained")

unfreezes_by_a_letter = mistake.edited(FOUND, "for name, p in self.backbone.named_parameters():\n    p.requires_grad_(p.requires_grad or name.startswith(part[:6]))",
    'unfreeze trains all of the outer part if it gets a part inside, such as "layer1.1": the whole name decides.',
    about="only_chosen_parts_are_trained")

names_that_begin_alike = mistake.edited(FOUND, "for name, p in self.backbone.named_parameters():\n    p.requires_grad_(p.requires_grad or name.startswith(part))",
    'unfreeze also trains parts whose names only begin alike, such as "layer22" for "layer2": compare up to the dot, or use get_submodule.',
    common=True, about="only_chosen_parts_are_trained")

finds_no_nested_part = mistake.edited(FOUND, "getattr(self.backbone, part).requires_grad_(True)",
    'A part inside another, such as "layer1.1", isn\'t found: get_submodule follows the dots.',
    about="only_chosen_parts_are_trained")

modes_follow_later = mistake.edited(FOLLOWS, FOUND,
    "After unfreeze, the batch norms of the part are still in evaluation mode: unfreeze must set the mode at once, not the next train().",
    common=True, about="modes_follow_at_once")

trains_in_evaluation = mistake.edited(FOLLOWS, FOUND + "\nself.train()",
    "In a model in evaluation mode, unfreeze put batch norms into training mode: keep the mode that the model has.",
    about="modes_follow_at_once")

rates_exchanged = mistake.edited(FIRST, FIRST.replace("head_rate", "body_rate"),
    "The two rates are exchanged.",
    also=[(SECOND, SECOND.replace("body_rate", "head_rate"))],
    about="groups_have_their_rates")

one_rate_for_all = mistake.edited(SECOND, SECOND.replace("body_rate", "head_rate"),
    "body_rate has no effect: the trained parameters of the backbone have their own rate.",
    about="groups_have_their_rates")

frozen_ones_in_a_group = mistake.edited(BODY, "body = list(self.backbone.parameters())",
    "Frozen parameters are in a group: leave them out.",
    common=True, about="groups_have_their_rates")

always_a_second_group = mistake.edited("if body:", "if True:",
    "With nothing of the backbone trained, there is an empty group: leave it out.",
    about="groups_have_their_rates")

head_in_both_groups = mistake.edited(BODY, "body = [p for p in self.parameters() if p.requires_grad]",
    "The head is in both groups, and an optimizer refuses that: the second one is for the backbone.",
    about="groups_have_their_rates")

in_the_default_dtype = mistake.edited(HEAD, "self.head = nn.Linear(old.in_features, classes)",
    "The head was made with the default dtype, on the CPU: make it with those of the old one.",
    common=True, about="the_head_follows_the_old_one")


@alternative("Transfer")
class ByNames(nn.Module):
    """The head is replaced last, names decide, and eval() of the frozen norms by apply."""

    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        for p in self.backbone.parameters():
            p.requires_grad = False
        self.head = nn.Linear(backbone.fc.in_features, classes).to(backbone.fc.weight.device, backbone.fc.weight.dtype)
        self.backbone.fc = nn.Identity()

    def forward(self, x):
        features = self.backbone(x)
        return self.head(features)

    def train(self, mode=True):
        result = super().train(mode)

        def fix(module):
            if isinstance(module, nn.modules.batchnorm._BatchNorm) and all(not p.requires_grad for p in module.parameters()):
                module.train(False)

        self.backbone.apply(fix)
        return result

    def unfreeze(self, part):
        for name, p in self.backbone.named_parameters():
            if name == part or name.startswith(f"{part}."):
                p.requires_grad = True
        self.train(self.training)

    def groups(self, head_rate, body_rate):
        body = list(filter(lambda p: p.requires_grad, self.backbone.parameters()))
        head = {"params": self.head.parameters(), "lr": head_rate}
        return [head, {"params": body, "lr": body_rate}] if body else [head]


head_by_an_empty_one = alternative.edited(HEAD, "self.head = nn.Linear(old.in_features, classes).to(old.weight)",
    "The head is moved after it was made.")

by_their_names = alternative.edited(BODY,
    'body = [p for name, p in self.named_parameters() if name.startswith("backbone.") and p.requires_grad]',
    "Names tell the backbone's parameters.")
