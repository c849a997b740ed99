"""Known mistakes and unusual but correct solutions for CroppedPairs."""

import random  # noqa: F401 (an edit uses it)

import torch
from ex07_random_crops import CroppedPairs
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "On paper, pad 2 rows of 4 pixels by 1. Where may a window of 2 by 4 start? Write down all rows and all columns.",
    "Three random numbers decide: the first row, the first column, and whether the window is mirrored. Draw them once, from torch's global generator, and use them for the image and "
    "for the mask. F.pad takes a value for what it adds.",
    "Draw top and left with torch.randint below 2 * padding + 1. For the image padded with 0 and the mask padded with 255: slice the last two axes from top and left on, height rows "
    "and width columns. Flip the last axis if torch.rand is below 0.5; otherwise clone.",
)
EQUIVALENT = {
    "change_comparison: mirrored = torch.rand(()) >= 0.5": "as likely",
    "change_comparison: mirrored = torch.rand(()) <= 0.5": "as likely",
    "negate_condition: results.append(window.flip(-1) if not mirrored else window.clone())": "as likely",
    "drop_copy: top, left = torch.randint(2 * self.padding + 1, (2,))": "a tensor with one integer is an index, too",
    "drop_copy: results.append(window.flip(-1) if mirrored else window)": "F.pad returns new memory",
    "swap_function: results.append(window.flip(-1) if mirrored else window.detach())": "F.pad returns new memory",
}

OFFSETS = "top, left = torch.randint(2 * self.padding + 1, (2,)).tolist()"
MIRRORED = "mirrored = torch.rand(()) < 0.5"
PADDED = "padded = F.pad(values, [self.padding] * 4, value=filling)"
WINDOW = "window = padded[..., top : top + height, left : left + width]"
RESULT = "results.append(window.flip(-1) if mirrored else window.clone())"
LOOP = "for values, filling in ((image, 0), (mask, 255)):"
TRAINING = "if not self.training:"


crops_apart = mistake.edited(OFFSETS, "",
    "Image and mask were cut out at different places, because each drew its own numbers: draw once, and use the numbers for both.",
    also=[(LOOP, LOOP + "\n    " + OFFSETS)],
    common=True, about="image_and_mask_show_the_same_window",
    pitfall="With random numbers of their own")

mirrors_apart = mistake.edited(MIRRORED, "",
    "Image and mask were mirrored independently: draw once whether both are.",
    also=[(LOOP, LOOP + "\n    " + MIRRORED)],
    common=True, about="image_and_mask_show_the_same_window")

mask_is_not_mirrored = mistake.edited(RESULT, "results.append(window.flip(-1) if mirrored and values is image else window.clone())",
    "The image is mirrored, but its mask isn't: both need the same.",
    common=True, about="image_and_mask_show_the_same_window")

mask_is_not_cropped = mistake.edited("return results[0], results[1]", "return results[0], (mask.flip(-1) if mirrored else mask.clone())",
    "The mask wasn't cropped, so it no longer fits the image.",
    about="image_and_mask_show_the_same_window")

mask_padded_with_zeros = mistake.edited(LOOP, "for values, filling in ((image, 0), (mask, 0)):",
    "The mask was padded with 0, which is a class: pad it with 255, so that the loss can ignore it.",
    common=True, about="masks_are_windows")

image_padded_like_the_mask = mistake.edited(LOOP, "for values, filling in ((image, 255), (mask, 255)):",
    "The image was padded with its border, or with another number than 0: pad it with zeros.",
    about="images_are_windows")

padding_by_rolling = mistake.edited(PADDED, "padded = values.roll((self.padding - top, self.padding - left), (-2, -1))",
    "At the border, image and mask aren't padded with 0 and 255, as if they were rolled or their border repeated: pad both, then cut out the window.",
    also=[(WINDOW, "window = padded")],
    common=True, about=["images_are_windows", "masks_are_windows"])

repeats_the_border = mistake.edited(PADDED,
    'padded = F.pad(values, [self.padding] * 4, value=filling) if values is mask else F.pad(values[None], [self.padding] * 4, mode="replicate")[0]',
    "The image was padded with its border, or with another number than 0: pad it with zeros.",
    about="images_are_windows")

last_start_is_missing = mistake.edited(OFFSETS, "top, left = torch.randint(max(2 * self.padding, 1), (2,)).tolist()",
    "The window never starts at the last row or column: randint leaves out its upper end, so it is 2 * padding + 1.",
    common=True, about="all_windows_are_equally_likely")

half_of_the_starts = mistake.edited(OFFSETS, "top, left = torch.randint(self.padding + 1, (2,)).tolist()",
    "The window starts in the first half only: there are 2 * padding + 1 rows and columns to start at.",
    about="all_windows_are_equally_likely")

one_number_for_both_axes = mistake.edited(OFFSETS, "top = left = torch.randint(2 * self.padding + 1, ()).item()",
    "The window moves along the diagonal only: rows and columns need a random number each.",
    common=True, about="all_windows_are_equally_likely")

always_in_the_middle = mistake.edited(OFFSETS, "top = left = self.padding",
    "The window is always in the middle, so nothing is cropped: draw where it starts.",
    about="all_windows_are_equally_likely")

rounded_normal_numbers = mistake.edited(OFFSETS, "top, left = (torch.rand(2) * 2 * self.padding).round().long().tolist()",
    "The first and the last start occur half as often as the others: rounding gives them half of the range. Use randint.",
    about="all_windows_are_equally_likely")

exchanged_sizes = mistake.edited(WINDOW, "window = padded[..., top : top + width, left : left + height]",
    "Image and mask are no windows of the padded ones, for example because height and width are exchanged: cut out height rows and width columns.",
    about=["images_are_windows", "masks_are_windows"])

rest_of_the_image = mistake.edited(WINDOW, "window = padded[..., top:, left:]",
    "The window goes to the end of the padded image, so its size changes: cut out height rows and width columns.",
    about=["images_are_windows", "masks_are_windows"])

always_mirrored = mistake.edited(MIRRORED, "mirrored = True",
    "Every image was mirrored: a random number decides, so that about half are.",
    about="half_are_mirrored")

never_mirrored = mistake.edited(MIRRORED, "mirrored = False",
    "No image was mirrored: flip about half of them, and use what flip returns, as it changes nothing in place.",
    common=True, about="half_are_mirrored")

mirrored_too_often = mistake.edited(MIRRORED, "mirrored = torch.randn(()) < 0.5",
    "More than half of the images were mirrored: randn is below 0.5 in 69 % of the cases. Use rand.",
    about="half_are_mirrored")

upside_down = mistake.edited(RESULT, "results.append(window.flip(-2) if mirrored else window.clone())",
    "About half of the pairs are no mirrored windows, as if rows or channels came in reverse: flip the last axis, the width.",
    about=["images_are_windows", "masks_are_windows"], common=True)

channels_reversed = mistake.edited(RESULT, "results.append(window.flip(0) if mirrored and values is image else window.flip(-1) if mirrored else window.clone())",
    "Where the mask is mirrored, the image is no mirrored window, as if its channels or rows were reversed: flip its last axis.",
    about="images_are_windows")

also_in_validation = mistake.edited(TRAINING, "if False:",
    "Validation pairs were cropped and mirrored, too, so a score depends on chance: leave them as they are.",
    common=True, about="validation_pairs_stay")

only_in_validation = mistake.edited(TRAINING, "if self.training:",
    "Training and validation are exchanged: pairs change if self.training is True.")

a_generator_in_the_dataset = mistake.edited(OFFSETS, "top, left = torch.randint(2 * self.padding + 1, (2,), generator=self.generator).tolist()",
    "All workers drew the same numbers: a generator in the dataset is copied into each of them. Draw from torch's global generator.",
    also=[("self.padding = padding", "self.padding = padding\nself.generator = torch.Generator().manual_seed(0)"),
          (MIRRORED, "mirrored = torch.rand((), generator=self.generator) < 0.5")],
    common=True, about="workers_draw_independently")

a_generator_for_the_windows = mistake.edited(OFFSETS, "top, left = torch.randint(2 * self.padding + 1, (2,), generator=self.generator).tolist()",
    "All workers cut the same windows: a generator in the dataset is copied into each of them. Draw the starts from torch's global generator, too.",
    also=[("self.padding = padding", "self.padding = padding\nself.generator = torch.Generator().manual_seed(0)")],
    about=["workers_draw_independently", "the_seed_decides"])

drawn_in_init = mistake.edited(OFFSETS, "top, left = self.starts[i].tolist()",
    "The windows were drawn once, in __init__, so an image looks the same in every epoch: draw in __getitem__.",
    also=[("self.padding = padding", "self.padding = padding\nself.starts = torch.randint(2 * padding + 1, (len(images), 2))\nself.coins = torch.rand(len(images)) < 0.5"),
          (MIRRORED, "mirrored = self.coins[i]")],
    common=True, about="workers_draw_independently")

seeded_by_the_index = mistake.edited(OFFSETS, "torch.manual_seed(i)\n" + OFFSETS,
    "Each request of image i drew the same numbers, because you seed with i: don't seed in the dataset.",
    about=["workers_draw_independently", "all_windows_are_equally_likely"])

views_of_the_data = mistake.edited("return image.clone(), mask.clone()", "return image, mask",
    "In validation you return a view of the data, so a change to the result changes the dataset: clone it.",
    common=True, about="results_have_their_own_memory")

windows_of_the_data = mistake.edited(RESULT, "results.append(window.flip(-1) if mirrored else window)",
    "Without padding, a window is a view of the data: clone it.",
    also=[(PADDED, "padded = F.pad(values, [self.padding] * 4, value=filling) if self.padding else values")],
    about="results_have_their_own_memory")

from_pythons_generator = mistake.edited(OFFSETS, "top, left = (random.randrange(2 * self.padding + 1) for _ in range(2))",
    "After the same torch.manual_seed other pairs come: draw all numbers from torch's global generator, not from Python's or NumPy's.",
    about="the_seed_decides")


@alternative("CroppedPairs")
class PlacesOfPixels(CroppedPairs):
    """A row and a column of places, and a test which of them lie inside."""

    def __getitem__(self, i):
        image, mask = self.images[i].clone(), self.masks[i].clone()
        if self.training:
            p, (height, width) = self.padding, mask.shape
            rows = torch.arange(height, device=mask.device) + int(torch.randint(-p, p + 1, ()))
            columns = torch.arange(width, device=mask.device) + int(torch.randint(-p, p + 1, ()))
            if torch.rand(1).item() > 0.5:
                columns = columns.flip(0)
            inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))
            rows, columns = rows.clamp(0, height - 1)[:, None], columns.clamp(0, width - 1)
            image = torch.where(inside, image[:, rows, columns], 0)
            mask = torch.where(inside, mask[rows, columns], 255)
        return image, mask


@alternative("CroppedPairs")
class MirrorFirst(CroppedPairs):
    """Mirrored before it is cropped, by two helpers."""

    def crop(self, values, filling, row, column):
        h, w = values.shape[-2:]
        return F.pad(values, (self.padding,) * 4, value=filling)[..., row : row + h, column : column + w].contiguous().clone()

    def __getitem__(self, i):
        pair = (self.images[i], self.masks[i])
        if not self.training:
            return tuple(part.clone() for part in pair)
        if torch.randint(2, ()):
            pair = tuple(torch.fliplr(part) if part.ndim == 2 else part.flip(2) for part in pair)
        row = int(torch.randint(0, 2 * self.padding + 1, (1,)))
        column = int(torch.randint(0, 2 * self.padding + 1, (1,)))
        return self.crop(pair[0], 0.0, row, column), self.crop(pair[1], 255, row, column)


one_number_for_the_start = alternative.edited(OFFSETS, "top, left = divmod(torch.randint((2 * self.padding + 1) ** 2, ()).item(), 2 * self.padding + 1)",
    "All windows are numbered, and one is drawn.")
