"""Known mistakes and unusual but correct solutions for ResidualBlock."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the shape of x and that of the result for three blocks: 4 to 4 channels, 4 to 8 channels, and 4 to 4 channels with stride 2. Where can x be added as it is?",
    "x can be added only if neither channels nor height and width change. Otherwise a 1 by 1 convolution makes the channels, and its stride the height and width. An empty "
    "nn.Sequential returns its input.",
    "Make the five modules in __init__. The condition for the projection is stride != 1 or in_channels != out_channels. In forward, relu follows norm1 and the sum, not norm2. "
    "nn.init.zeros_ fills the weight of norm2.",
)
EQUIVALENT = {
    "in_place: out = F.relu_(self.norm1(self.conv1(x)))": "the norm's result is a tensor of the block's own",
    "in_place: return F.relu_(out + self.shortcut(x))": "the sum is a tensor of the block's own",
}

CONV1 = "self.conv1 = nn.Conv2d(in_channels, out_channels, 3, stride=stride, padding=1, bias=False)"
CONV2 = "self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1, bias=False)"
NEEDED = "if stride != 1 or in_channels != out_channels:"
PROJECTION = "self.shortcut.append(nn.Conv2d(in_channels, out_channels, 1, stride=stride, bias=False))"
NORM = "self.shortcut.append(nn.BatchNorm2d(out_channels))"
FIRST = "out = F.relu(self.norm1(self.conv1(x)))"
SECOND = "out = self.norm2(self.conv2(out))"
SUM = "return F.relu(out + self.shortcut(x))"
START = "nn.init.zeros_(self.norm2.weight)"


only_for_other_channels = mistake.edited(NEEDED, "if in_channels != out_channels:",
    "With equal channels and a stride, x doesn't fit the result: the shortcut needs its convolution then, too.",
    common=True, about="a_stride_needs_a_projection",
    pitfall="A stride changes the shape as well")

only_for_a_stride = mistake.edited(NEEDED, "if stride != 1:",
    "With other channels and stride 1, x doesn't fit the result: the shortcut needs its convolution then, too.",
    common=True, about="other_channels_need_a_projection")

always_a_projection = mistake.edited(NEEDED, "if True:",
    "Where x fits, it is added as it is: your shortcut always has a convolution.",
    common=True, about="x_itself_is_added")

shortcut_without_the_stride = mistake.edited(PROJECTION, "self.shortcut.append(nn.Conv2d(in_channels, out_channels, 1, bias=False))",
    "The shortcut's convolution has no stride, so its result is larger than that of the other way.",
    common=True, about="a_stride_needs_a_projection")

shortcut_without_norm = mistake.edited(NORM, "",
    "The batch norm behind the shortcut's convolution is missing.",
    common=True, about="the_layers_have_their_names")

shortcut_with_a_bias = mistake.edited(PROJECTION, "self.shortcut.append(nn.Conv2d(in_channels, out_channels, 1, stride=stride))",
    "The shortcut's convolution has a bias, which the batch norm behind it subtracts again: pass bias=False.",
    about="the_layers_have_their_names")

shortcut_of_three = mistake.edited(PROJECTION, "self.shortcut.append(nn.Conv2d(in_channels, out_channels, 3, stride=stride, padding=1, bias=False))",
    "The shortcut's convolution has a kernel of 3 by 3: it is 1 by 1.",
    about="the_layers_have_their_names")

with_a_bias = mistake.edited(CONV1, CONV1.replace(", bias=False", ""),
    "The convolutions have a bias, which the batch norm behind them subtracts again: pass bias=False.",
    also=[(CONV2, CONV2.replace(", bias=False", ""))],
    common=True, about="the_layers_have_their_names")

stride_in_the_second = mistake.edited(CONV1, CONV1.replace("stride=stride, ", ""),
    "The stride is in conv2: it belongs to conv1.",
    also=[(CONV2, CONV2.replace("3, padding", "3, stride=stride, padding"))],
    about="the_layers_have_their_names")

stride_in_both = mistake.edited(CONV2, CONV2.replace("3, padding", "3, stride=stride, padding"),
    "conv2 has the stride as well, so the result is too small: only conv1 has it.",
    common=True, about="a_stride_needs_a_projection")

stride_nowhere = mistake.edited(CONV1, CONV1.replace("stride=stride, ", ""),
    "conv1 has no stride, so the result doesn't get smaller.",
    about="a_stride_needs_a_projection")

without_padding = mistake.edited(CONV2, CONV2.replace("padding=1, ", ""),
    "A convolution without padding makes the image smaller, so that it doesn't fit the shortcut: conv1 and conv2 both have padding 1.")

norm1_twice = mistake.edited(SECOND, "out = self.norm1(self.conv2(out))",
    "norm1 is used twice, and norm2 never: its statistics mix two layers.",
    common=True, about="x_itself_is_added")

relu_before_the_sum = mistake.edited(SUM, "return F.relu(out) + self.shortcut(x)",
    "The last relu came before the sum: it belongs after it.",
    common=True, about="x_itself_is_added")

relu_before_and_after = mistake.edited(SECOND, "out = F.relu(self.norm2(self.conv2(out)))",
    "relu follows norm2, so a block can only add: relu comes after the sum.",
    common=True, about="x_itself_is_added")

no_relu_at_the_end = mistake.edited(SUM, "return out + self.shortcut(x)",
    "The last relu is missing: it follows the sum.",
    common=True, about="x_itself_is_added")

no_relu_between = mistake.edited(FIRST, "out = self.norm1(self.conv1(x))",
    "The relu after norm1 is missing, so the two convolutions are a single linear map.",
    about="x_itself_is_added")

relu_before_norm1 = mistake.edited(FIRST, "out = self.norm1(F.relu(self.conv1(x)))",
    "relu came before norm1: it follows it.",
    about="x_itself_is_added")

nothing_is_added = mistake.edited(SUM, "return F.relu(out + 0 * self.shortcut(x))",
    "The shortcut has no effect: add it.")

x_in_place_of_the_shortcut = mistake.edited(SUM, "return F.relu(out + x)",
    "What was added has the shape of x, which doesn't fit if the shape changes: add shortcut(x), whose convolution makes it fit.",
    about=["other_channels_need_a_projection", "a_stride_needs_a_projection"])

relu_on_the_shortcut = mistake.edited(SUM, "return F.relu(out + F.relu(self.shortcut(x)))",
    "relu was applied to the shortcut: it follows the sum.",
    about="x_itself_is_added")

shortcut_without_its_graph = mistake.edited(SUM, "return F.relu(out + self.shortcut(x.detach()))",
    "No gradient takes the shortcut, though it is there for them: .data, detach() and no_grad cut it off.",
    about="gradients_take_both_ways")

adds_into_x = mistake.edited(SUM, "way = self.shortcut(x)\nway += out\nreturn F.relu(way)",
    "x was changed: an empty shortcut returns x itself, and operations such as += work in place.",
    common=True, about="x_stays_as_it_was")

starts_at_random = mistake.edited(START, "pass",
    "The weight of norm2 starts as ones, so a new block changes its input at random: start it as zeros.",
    common=True, about="it_starts_as_its_shortcut")

the_wrong_norm_is_zero = mistake.edited(START, "nn.init.zeros_(self.norm1.weight)",
    "The weight of norm1 starts as zeros, so conv1 gets no gradient: it is that of norm2.",
    about="it_starts_as_its_shortcut")

both_norms_are_zero = mistake.edited(START, "nn.init.zeros_(self.norm1.weight)\nnn.init.zeros_(self.norm2.weight)",
    "Both norms start with zeros, so no gradient reaches the convolutions: only that of norm2 is zero.",
    about="it_starts_as_its_shortcut")


@alternative("ResidualBlock")
class WithRelus(nn.Module):
    """Modules for relu, in place where the tensor is the block's own, and a test for an empty shortcut."""

    def __init__(self, in_channels, out_channels, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, kernel_size=3, stride=stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, kernel_size=3, stride=1, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(out_channels)
        self.relu = nn.ReLU(inplace=True)
        nn.init.constant_(self.norm2.weight, 0)
        if stride > 1 or in_channels != out_channels:
            self.shortcut = nn.Sequential(nn.Conv2d(in_channels, out_channels, 1, stride, bias=False), nn.BatchNorm2d(out_channels))
        else:
            self.shortcut = nn.Sequential()

    def forward(self, x):
        identity = self.shortcut(x) if len(self.shortcut) else x
        out = self.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        out += identity
        return self.relu(out)


@alternative("ResidualBlock")
class BySequential(nn.Module):
    """The two convolutions as a list that forward runs through; an Identity in the shortcut."""

    def __init__(self, in_channels, out_channels, stride=1):
        super().__init__()
        for k, (inputs, step) in enumerate(((in_channels, stride), (out_channels, 1)), start=1):
            setattr(self, f"conv{k}", nn.Conv2d(inputs, out_channels, (3, 3), step, padding="same" if step == 1 else 1, bias=False))
            setattr(self, f"norm{k}", nn.BatchNorm2d(out_channels))
        fits = (in_channels, stride) == (out_channels, 1)
        layers = [nn.Identity()] if fits else [nn.Conv2d(in_channels, out_channels, 1, stride, bias=False), nn.BatchNorm2d(out_channels)]
        self.shortcut = nn.Sequential(*layers)
        self.norm2.weight.data.zero_()

    def forward(self, x):
        out = x
        for k in (1, 2):
            out = getattr(self, f"norm{k}")(getattr(self, f"conv{k}")(out))
            out = torch.relu(out) if k == 1 else out
        return torch.clamp(out + self.shortcut(x), min=0)


pairs_of_sizes = alternative.edited(PROJECTION, "self.shortcut.append(nn.Conv2d(in_channels, out_channels, kernel_size=(1, 1), stride=(stride, stride), padding=0, bias=False))",
    "All sizes as pairs.")
