"""Known mistakes and unusual but correct solutions for batch_product and row_dots."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Both functions are one call. The first one takes two tensors, the second one an equation and two tensors.",
    "torch.bmm multiplies two batches of matrices, pair by pair. torch.einsum names each axis with a letter: an axis that both tensors "
    "share has the same letter in both, and an axis that disappears has no letter on the right.",
    "Give torch.bmm the two batches in their order. For the equation, name the rows n and the columns d in both tensors, and keep "
    "only the rows.",
)
WITHOUT_A_GRAPH = "no gradient is asked for here: autograd comes in a later chapter"
EQUIVALENT = {
    'add_detach: return torch.bmm(a, b).detach()': WITHOUT_A_GRAPH,
    'add_detach: return torch.einsum("nd,nd->n", x, y).detach()': WITHOUT_A_GRAPH,
}


matmul_instead = mistake.edited("torch.bmm(a, b)", "a @ b",
    "Your products are right, but torch.bmm didn't make them: this exercise asks for it.",
    about="bmm_makes_the_products")

only_the_first_matrix = mistake.edited("torch.bmm(a, b)", "torch.bmm(a[:1].expand_as(a), b)",
    "Every matrix of b was multiplied by the first matrix of a: pair matrix n with matrix n.")

adds_up_the_batch = mistake.edited("torch.bmm(a, b)", "torch.bmm(a, b).sum(0)",
    "You added up the products of the batch: keep one product for each pair.")

the_first_batch_twice = mistake.edited("torch.bmm(a, b)", "torch.bmm(a, a.transpose(1, 2))",
    "You multiplied a with itself: the second factor is b.")

one_number_for_all = mistake.edited('"nd,nd->n"', '"nd,nd->"',
    "You summed over the rows, too, and got one number: keep the letter of the rows on the right of ->.",
    common=True,
    pitfall="einsum sums over all others")

a_number_for_each_column = mistake.edited('"nd,nd->n"', '"nd,nd->d"',
    "You kept the columns and summed over the rows: the letter of the rows belongs on the right of ->.",
    pitfall="The letters on the right of ->")

not_summed = mistake.edited('"nd,nd->n"', '"nd,nd->nd"',
    "Nothing was summed: leave out the letter of the columns on the right of ->.")

all_pairs_of_rows = mistake.edited('"nd,nd->n"', '"nd,md->nm"',
    "You paired each row of x with each row of y. In einsum, use the same letter for the rows of both.")

without_einsum = mistake.edited('torch.einsum("nd,nd->n", x, y)', "(x * y).sum(1)",
    "Your dot products are right, but einsum didn't make them: this exercise asks for torch.einsum.",
    about="einsum_makes_the_dot_products")

factors_change_places = mistake.edited(
    "torch.bmm(a, b)",
    "torch.bmm(b, a)",
    "The factors are swapped: in a product of matrices the order matters. a comes first, b second.")


number_by_number = mistake.edited(
    "torch.bmm(a, b)",
    "a * b",
    "A plain * multiplies number by number. The product of two matrices is another operation: torch.bmm.",
    pitfall="a * b multiplies number by number")


rows_meet_columns = mistake.edited(
    '"nd,nd->n"',
    '"ij,jk->ik"',
    "This is a product of matrices: rows of x meet columns of y. In einsum, give the rows of both tensors one letter, "
    "and the columns of both another.")


methods_and_other_letters = alternative.edited("torch.bmm(a, b)", "a.bmm(b)",
    "The method, and other letters.",
    also=[('"nd,nd->n"', '"ij, ij -> i"')])

leading_axes = alternative.edited('torch.einsum("nd,nd->n", x, y)', 'torch.einsum("...d,...d->...", [x, y])',
    "Dots for the axes in front, and a list of tensors.")


@alternative("batch_product")
def into_a_new_tensor(a, b):
    """The result is written into a tensor that was made before."""
    out = torch.empty(len(a), a.shape[1], b.shape[2], dtype=a.dtype, device=a.device)
    return torch.bmm(a, b, out=out)
