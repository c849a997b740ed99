"""Hidden checks for batch_product and row_dots."""


from torchdojo.grading import check, depends_on, tensor

CONCEPTS = ("C04", "C05", "C06", "C08")
KEPT = {
    "each_pair_of_matrices_is_multiplied": "the values, worth points whatever made them",
    "each_pair_of_rows_has_its_dot_product": "the values, worth points whatever made them",
}


class oracle:
    """Sums of products, written out."""

    def batch_product(a, b):
        return (a[:, :, :, None] * b[:, None, :, :]).sum(2)

    def row_dots(x, y):
        return (x * y).sum(1)


@check(points=2, a=tensor("batch rows inner"), b=tensor("batch inner columns"), minimum=1, tolerance=(1e-5, 1e-5))
def each_pair_of_matrices_is_multiplied(solution, a, b):
    """Matrix n of a is multiplied by matrix n of b."""
    return solution.batch_product(a, b)


@check(points=2, x=tensor("rows columns"), y=tensor("rows columns"), minimum=1, tolerance=(1e-5, 1e-5))
def each_pair_of_rows_has_its_dot_product(solution, x, y):
    """Each row of x and the same row of y give one number."""
    return solution.row_dots(x, y)


@check(points=1, a=tensor("2 3 4"), b=tensor("2 4 5"), tolerance=(1e-5, 1e-5), devices=False)
def bmm_makes_the_products(solution, a, b):
    """batch_product returns what torch.bmm gives."""
    return solution.batch_product(a, b), depends_on(lambda: solution.batch_product(a, b), "bmm")


@bmm_makes_the_products.rule
def _(seen):
    return None if seen else "the products are right, but they are not what a call of torch.bmm gave"


@check(points=1, x=tensor("3 4"), y=tensor("3 4"), tolerance=(1e-5, 1e-5), devices=False)
def einsum_makes_the_dot_products(solution, x, y):
    """row_dots returns what torch.einsum gives."""
    return solution.row_dots(x, y), depends_on(lambda: solution.row_dots(x, y), "einsum")


@einsum_makes_the_dot_products.rule
def _(seen):
    return None if seen else "the dot products are right, but they are not what a call of torch.einsum gave"
