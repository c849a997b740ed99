"""Known mistakes and unusual but correct solutions for max_pool and average_pool."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "On paper, pool 2 rows of 5 columns with a kernel of 2. Which number is beside the last window? Now add a frame: what may stand in it so that it never wins?",
    "x.unfold(2, kernel, step).unfold(3, kernel, step) is a view of all windows. max with a dim returns values and positions in the window. To turn these into places in x, "
    "make the same windows of an image that holds its own places.",
    "Pad with -inf for the maxima and 0 for the means. Make the windows, flatten their two axes, and reduce the last one. For the indices, gather from the windows of an arange. "
    "Without the padding, divide the sums by those of an image of ones.",
)
EQUIVALENT = {
    "add_detach: places = torch.arange(x[0, 0].numel(), device=x.device).view(1, 1, *x.shape[2:]).detach()": "an arange has no graph",
    "swap_view: places = torch.arange(x[0, 0].numel(), device=x.device).reshape(1, 1, *x.shape[2:])": "an arange is contiguous",
    "flip_minus: places = windows(places, kernel, stride, padding, 1).expand(*best.shape, -1)": "padding never wins, so its places are never read",
}

BEST = "values, best = windows(x, kernel, stride, padding, -torch.inf).max(dim=-1)"
PLACES = "places = torch.arange(x[0, 0].numel(), device=x.device).view(1, 1, *x.shape[2:])"
RETURNED = "return values, places.gather(-1, best[..., None]).squeeze(-1)"
STEP = "step = kernel if stride is None else stride"
VIEW = "padded.unfold(2, kernel, step).unfold(3, kernel, step).flatten(4)"
MEAN = "return numbers.mean(dim=-1)"
SHARE = "return numbers.sum(dim=-1) / pixels.sum(dim=-1)"


zeros_win = mistake.edited(BEST, BEST.replace("-torch.inf", "0"),
    "The padding won, because 0 is larger than negative numbers: pad with -inf.",
    common=True, about="padding_never_wins",
    pitfall="A padding of zeros is larger")

a_small_number = mistake.edited(BEST, BEST.replace("-torch.inf", "-1.0"),
    "The padding is larger than some numbers: pad with -inf, which never wins.",
    about="padding_never_wins")

place_in_the_window = mistake.edited(RETURNED, "return values, best",
    "The indices count inside each window: they should be places in x, row * width + column.",
    common=True, about="each_maximum_has_its_place")

place_in_the_padded_image = mistake.edited(PLACES, "places = torch.arange((x.shape[2] + 2 * padding) * (x.shape[3] + 2 * padding), device=x.device)\nplaces, padding = places.view(1, 1, x.shape[2] + 2 * padding, -1), 0",
    "The indices count the padding: they are places in x itself.",
    common=True, about="places_dont_count_the_padding")

rows_and_columns_of_the_padded_image = mistake.edited(RETURNED, "return values, places.gather(-1, best[..., None]).squeeze(-1) + padding * (x.shape[3] + 1)",
    "The rows and columns in the indices count the padding: subtract it from both.",
    common=True, about="places_dont_count_the_padding")

rows_of_the_padded_width = mistake.edited(RETURNED,
    "found = places.gather(-1, best[..., None]).squeeze(-1)\nreturn values, found + 2 * padding * (found // x.shape[3])",
    "The indices multiply the row by the width of the padded image: multiply it by the width of x.",
    common=True, about="places_dont_count_the_padding")

places_column_by_column = mistake.edited(PLACES, "places = torch.arange(x[0, 0].numel(), device=x.device).view(1, 1, x.shape[3], x.shape[2]).mT",
    "The indices count column by column: a place is row * width + column.",
    about="each_maximum_has_its_place")

places_of_the_whole_batch = mistake.edited(PLACES, "places = torch.arange(x.numel(), device=x.device).view(x.shape)",
    "The indices count through all channels and images: each channel starts at 0.",
    about="each_maximum_has_its_place")

floating_indices = mistake.edited(RETURNED, "return values, places.gather(-1, best[..., None]).squeeze(-1).to(x.dtype)",
    "The indices are floating-point numbers: they are int64.",
    about="each_maximum_has_its_place")

values_alone_are_smallest = mistake.edited(BEST, "values, best = windows(x, kernel, stride, padding, torch.inf).min(dim=-1)",
    "You took the smallest number of each window: take the largest.")

stride_of_one = mistake.edited(STEP, "step = 1 if stride is None else stride",
    "Without a stride the windows overlap: None stands for the kernel's size, so that they lie side by side.",
    common=True)

ignores_the_stride = mistake.edited(STEP, "step = kernel",
    "stride has no effect: windows move by it.",
    common=True, about="windows_move_by_stride")

stride_of_the_rows_alone = mistake.edited(VIEW, "padded.unfold(2, kernel, step).unfold(3, kernel, kernel).flatten(4)",
    "Along the width, windows move by kernel instead of stride.",
    about="windows_move_by_stride")

last_of_equals = mistake.edited(BEST, "flat = windows(x, kernel, stride, padding, -torch.inf)\nvalues = flat.max(dim=-1).values\nbest = kernel**2 - 1 - flat.flip(-1).argmax(dim=-1)",
    "Of equal numbers, the index is that of the last: the first in reading order counts.",
    about="of_equal_numbers_the_first_counts")


@mistake("max_pool", about="of_equal_numbers_the_first_counts", common=True)
def rows_after_columns(x, kernel, stride=None, padding=0):
    """Of equal numbers, you took the first in column order: the rows come first, as one reads."""
    step = kernel if stride is None else stride
    padded = F.pad(x, [padding] * 4, value=-torch.inf)
    flat = padded.unfold(2, kernel, step).unfold(3, kernel, step).transpose(-1, -2).flatten(4)
    values, best = flat.max(dim=-1)
    rows = torch.arange(best.shape[2], device=x.device)[:, None] * step - padding + best % kernel
    columns = torch.arange(best.shape[3], device=x.device) * step - padding + best // kernel
    return values, rows * x.shape[3] + columns


no_gradient_of_the_maximum = mistake.edited(RETURNED, "return values.detach(), places.gather(-1, best[..., None]).squeeze(-1)",
    "No gradient reaches x through the maxima: .data, detach() and no_grad cut it off.",
    about="gradients_reach_x")

no_gradient_of_the_mean = mistake.edited(MEAN, "return numbers.detach().mean(dim=-1)",
    "No gradient reaches x through the means: .data, detach() and no_grad cut it off.",
    about="gradients_reach_x")

over_the_whole_channel = mistake.edited(MEAN, "return x.mean(dim=(2, 3), keepdim=True).expand(numbers.shape[:-1]).clone()",
    "Each window has the mean of its whole channel: average its own numbers.")

sums = mistake.edited(MEAN, "return numbers.sum(dim=-1)",
    "You returned the sums: divide by the number of cells in a window.",
    common=True)

divides_by_the_kernel = mistake.edited(MEAN, "return numbers.sum(dim=-1) / kernel",
    "The sums were divided by kernel: a window has kernel * kernel cells.",
    common=True)

padding_never_counts = mistake.edited("if count_include_pad:", "if False:",
    "The padding was left out of the means: by default its zeros count.",
    common=True, about="padding_counts_as_zeros")

padding_always_counts = mistake.edited("if count_include_pad:", "if True:",
    "count_include_pad has no effect: without it, divide by the number of pixels of x in the window.",
    common=True, about="padding_may_not_count")

the_wrong_way_round = mistake.edited("if count_include_pad:", "if not count_include_pad:",
    "count_include_pad works the wrong way round: if it is True, the zeros of the padding count.",
    about=["padding_counts_as_zeros", "padding_may_not_count"])

zeros_of_the_image_are_left_out = mistake.edited(SHARE, "return numbers.sum(dim=-1) / (numbers != 0).sum(dim=-1).clamp(min=1)",
    "Pixels of the image that are 0 were not counted: count pixels by their place, not by their value.",
    about="padding_may_not_count")

border_repeated = mistake.edited("numbers = windows(x, kernel, stride, padding, 0)",
    'numbers = windows(F.pad(x, [padding] * 4, mode="replicate") if padding else x, kernel, stride, 0, 0)',
    "The padding repeats the image's border: it is made of zeros.",
    about="padding_counts_as_zeros")

infinite_padding = mistake.edited("numbers = windows(x, kernel, stride, padding, 0)", "numbers = windows(x, kernel, stride, padding, -torch.inf)",
    "Means of windows with padding are infinite: for means, pad with zeros.")

pooling_itself = mistake.edited(BEST, "return F.max_pool2d(x, kernel, stride, padding, return_indices=True)",
    "You used torch's own pooling: reduce the windows yourself.",
    also=[("numbers = windows(x, kernel, stride, padding, 0)", "return F.avg_pool2d(x, kernel, stride, padding, count_include_pad=count_include_pad)")],
    forbidden="torch's own pooling")


@alternative()
def by_columns():
    """F.unfold, and arithmetic for the places."""

    def columns(x, kernel, stride, padding, value):
        step = kernel if stride is None else stride
        x = F.pad(x, (padding,) * 4, value=value)
        rows, cols = ((n - kernel) // step + 1 for n in x.shape[2:])
        flat = F.unfold(x, kernel, stride=step).view(x.shape[0], x.shape[1], kernel * kernel, rows, cols)
        return flat, step

    def max_pool(x, kernel, stride=None, padding=0):
        flat, step = columns(x, kernel, stride, padding, float("-inf"))
        values, best = flat.max(dim=2)
        top = torch.arange(values.shape[2], device=x.device).view(-1, 1) * step - padding
        left = torch.arange(values.shape[3], device=x.device) * step - padding
        return values, (top + best // kernel) * x.shape[3] + left + best % kernel

    def average_pool(x, kernel, stride=None, padding=0, count_include_pad=True):
        flat, _ = columns(x, kernel, stride, padding, 0.0)
        ones, _ = columns(torch.ones_like(x), kernel, stride, padding, 1.0 if count_include_pad else 0.0)
        return flat.sum(dim=2) / ones.sum(dim=2)

    return {"max_pool": max_pool, "average_pool": average_pool}


@alternative("max_pool")
def shifted_images(x, kernel, stride=None, padding=0):
    """One strided slice for each cell of the window; a later one wins only if it is larger."""
    step = stride or kernel
    padded = F.pad(x, (padding,) * 4, value=-torch.inf)
    rows, cols = ((n - kernel) // step + 1 for n in padded.shape[2:])
    values = indices = None
    for i in range(kernel):
        for j in range(kernel):
            part = padded[:, :, i : i + (rows - 1) * step + 1 : step, j : j + (cols - 1) * step + 1 : step]
            row = torch.arange(rows, device=x.device)[:, None] * step + i - padding
            place = (row * x.shape[3] + torch.arange(cols, device=x.device) * step + j - padding).expand(part.shape)
            if values is None:
                values, indices = part, place
            else:
                better = part > values
                values, indices = torch.where(better, part, values), torch.where(better, place, indices)
    return values, indices.contiguous()


@alternative("average_pool")
def by_a_convolution(x, kernel, stride=None, padding=0, count_include_pad=True):
    """The convolution of each channel with ones."""
    step = stride or kernel
    weight = torch.ones(x.shape[1], 1, kernel, kernel, dtype=x.dtype, device=x.device)
    total = F.conv2d(x, weight, stride=step, padding=padding, groups=x.shape[1])
    if count_include_pad:
        return total / kernel**2
    return total / F.conv2d(torch.ones_like(x), weight, stride=step, padding=padding, groups=x.shape[1])
