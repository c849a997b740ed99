"""Known mistakes and odd-but-correct solutions for row_of, column_of, block_of and every_second_column."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "One pair of brackets takes an index or a slice for each axis, rows first: t[rows, columns].",
    "A number picks one position and removes the axis; : takes the whole axis; a:b takes a up to but not including b; ::2 takes "
    "every second position. All of them are views.",
    "Put n first for a row and second for a column, with : for the other axis. A block has one slice for the rows and one for "
    "the columns. For every second column, the rows are all taken and the columns have a step.",
)


@mistake("row_of")
def a_column_for_a_row(t, n):
    """You returned column n: the first index counts rows."""
    return t[:, n]


@mistake("row_of")
def keeps_the_row_axis(t, n):
    """Your row still has two axes: a slice keeps its axis. A number alone removes it."""
    return t[[n]]


@mistake("row_of")
def counts_rows_from_one(t, n):
    """You returned the row before: counting begins at 0, so row 1 is the second one."""
    return t[n - 1]


@mistake("column_of")
def a_row_for_a_column(t, n):
    """You returned row n: t[:] is the whole matrix again, and [n] then picks a row. Write both axes in one pair of brackets."""
    return t[:][n]


@mistake("column_of")
def keeps_the_column_axis(t, n):
    """Your column still has two axes: a slice keeps its axis. A number alone removes it."""
    return t[:, n].unsqueeze(1)


@mistake("block_of")
def includes_the_ends(t, top, bottom, left, right):
    """Your block has a row and a column too many: leave out row bottom and column right, as a slice does."""
    return t[top : bottom + 1, left : right + 1]


@mistake("block_of")
def rows_and_columns_change_places(t, top, bottom, left, right):
    """You cut the columns where the rows belong: in the brackets rows come first."""
    return t[left:right, top:bottom]


@mistake("block_of")
def cuts_the_rows_twice(t, top, bottom, left, right):
    """Your second pair of brackets cuts the rows again, not the columns: write both slices in one pair."""
    return t[top:bottom][left:right]


@mistake("block_of")
def starts_one_too_late(t, top, bottom, left, right):
    """The first row and the first column of your block are missing: a slice includes its start."""
    return t[top + 1 : bottom, left + 1 : right]


@mistake("block_of")
def cuts_the_rows_only(t, top, bottom, left, right):
    """Your block has all columns: give a second slice for them."""
    return t[top:bottom]


@mistake("every_second_column")
def every_second_row(t):
    """You took every second row: the first slice is for the rows. Take them all, and give the step to the second."""
    return t[::2]


@mistake("every_second_column")
def begins_with_column_one(t):
    """You began with column 1: the first column is number 0."""
    return t[:, 1::2]


@mistake("every_second_column")
def the_first_half(t):
    """You took the first half of the columns: a step of 2 takes one and skips one."""
    return t[:, : (t.size(1) + 1) // 2]


@mistake("every_second_column")
def copies_the_columns(t):
    """Your columns are a copy: a list of positions copies, a slice with a step is a view."""
    return t[:, list(range(0, t.size(1), 2))]


@mistake("block_of")
def copies_the_block(t, top, bottom, left, right):
    """Your block is a copy: the slices alone give a view."""
    return t[top:bottom, left:right].clone()


@alternative()
def by_name():
    """The methods behind the brackets."""

    def block_of(t, top, bottom, left, right):
        return t.narrow(0, top, bottom - top).narrow(1, left, right - left)

    def row_of(t, n):
        return t.select(0, n)

    def column_of(t, n):
        return t.select(1, n)

    return {"row_of": row_of, "column_of": column_of, "block_of": block_of}


@alternative("column_of")
def a_row_of_the_transpose(t, n):
    """Column n is row n of the transpose."""
    return t.T[n]


@alternative("block_of")
def one_axis_after_the_other(t, top, bottom, left, right):
    """Two pairs of brackets, the second with both axes."""
    return t[top:bottom][:, left:right]


@alternative("every_second_column")
def rows_of_the_transpose(t):
    """Every second row of the transpose, transposed back."""
    return t.T[0 : t.shape[1] : 2].T
