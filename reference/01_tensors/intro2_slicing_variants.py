"""Known mistakes and unusual but correct solutions for row_of, column_of, block_of and every_second_column."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "One pair of brackets takes an index or a slice for each axis, rows first: t[rows, columns].",
    "A number picks one position and removes the axis; : takes the whole axis; a:b takes a up to but not including b; ::2 takes "
    "every second position. All of them are views.",
    "Put n first for a row and second for a column, with : for the other axis. A block has one slice for the rows and one for "
    "the columns. For every second column, the rows are all taken and the columns have a step.",
)


a_column_for_a_row = mistake.edited("return t[n, :]", "return t[:, n]",
    "You returned column n: the first index counts rows.")

keeps_the_row_axis = mistake.edited("return t[n, :]", "return t[[n]]",
    "Your row still has two axes: a slice, or a list as index, keeps its axis. A number alone removes it.")

counts_rows_from_one = mistake.edited("return t[n, :]", "return t[n - 1]",
    "You returned the row before: counting begins at 0, so row 1 is the second one.")

a_row_for_a_column = mistake.edited("return t[:, n]", "return t[:][n]",
    "You returned row n, as t[:][n] does, too. The first position in the brackets is for the rows: take all of them "
    "there, and put n second.",
    pitfall="t[:][n] is row n")

keeps_the_column_axis = mistake.edited("return t[:, n]", "return t[:, n].unsqueeze(1)",
    "Your column still has two axes: a slice keeps its axis. A number alone removes it.")

includes_the_ends = mistake.edited("return t[top:bottom, left:right]", "return t[top : bottom + 1, left : right + 1]",
    "Your block has one row and one column too many: exclude row `bottom` and column `right`, as a slice does.")

rows_and_columns_change_places = mistake.edited("return t[top:bottom, left:right]", "return t[left:right, top:bottom]",
    "You cut the columns where the rows belong: in the brackets rows come first.")

cuts_the_rows_twice = mistake.edited("return t[top:bottom, left:right]", "return t[top:bottom][left:right]",
    "Your second slice cuts the rows again, not the columns: write both slices in one pair of brackets.")

starts_one_too_late = mistake.edited("return t[top:bottom, left:right]", "return t[top + 1 : bottom, left + 1 : right]",
    "The first row and the first column of your block are missing: a slice includes its start.")

cuts_the_rows_only = mistake.edited("return t[top:bottom, left:right]", "return t[top:bottom]",
    "Your block has all columns: give a second slice for them.")

every_second_row = mistake.edited("return t[:, ::2]", "return t[::2]",
    "You took every second row: the first slice is for the rows. Take them all, and give the step to the second.")

begins_with_column_one = mistake.edited("return t[:, ::2]", "return t[:, 1::2]",
    "You began with column 1: the first column is number 0.")

the_first_half = mistake.edited("return t[:, ::2]", "return t[:, : (t.size(1) + 1) // 2]",
    "You took the first half of the columns: a step of 2 takes one and skips one.")

copies_the_columns = mistake.edited("return t[:, ::2]", "return t[:, list(range(0, t.size(1), 2))]",
    "Your columns are a copy, not a view. A slice with a step is a view.")

copies_the_block = mistake.edited("return t[top:bottom, left:right]", "return t[top:bottom, left:right].clone()",
    "Your block is a copy: the slices alone give a view.")


a_row_as_a_slice = mistake.edited(
    "return t[n, :]",
    "return t[n : n + 1]",
    "Your row still has two axes, because a slice such as n:n+1 keeps its axis, and for n = -1 it is empty. A number"
    " alone removes the axis.")


a_column_as_a_slice = mistake.edited(
    "return t[:, n]",
    "return t[:, n : n + 1]",
    "Your column still has two axes, because a slice such as n:n+1 keeps its axis, and for n = -1 it is empty. A "
    "number alone removes the axis.")


ends_taken_for_sizes = mistake.edited(
    "return t[top:bottom, left:right]",
    "return t[top : top + bottom, left : left + right]",
    "Your block is too large unless it starts at 0: bottom and right are where the block ends, not its height and "
    "width.")


stops_before_the_last_column = mistake.edited(
    "return t[:, ::2]",
    "return t[:, :-1:2]",
    "When the number of columns is odd, the last one is missing: let the slice run to the end.")


begins_with_column_two = mistake.edited(
    "return t[:, ::2]",
    "return t[:, 2::2]",
    "Column 0 is missing: start with the first column.")


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


a_row_of_the_transpose = alternative.edited("return t[:, n]", "return t.T[n]",
    "Column n is row n of the transpose.")

one_axis_after_the_other = alternative.edited("return t[top:bottom, left:right]", "return t[top:bottom][:, left:right]",
    "Two pairs of brackets, the second with both axes.")

rows_of_the_transpose = alternative.edited("return t[:, ::2]", "return t.T[0 : t.shape[1] : 2].T",
    "Every second row of the transpose, transposed back.")
