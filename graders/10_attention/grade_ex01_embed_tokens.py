"""Hidden checks for embed_tokens: rows by id, rows by position, their gradients."""

import torch

from torchdojo.grading import check, gradients, raises, tensor, upstream

CONCEPTS = ("L01",)

KEPT = {"each_token_gets_its_row": "the lookup itself, worth points without positions"}


class oracle:
    """nn.functional.embedding, twice."""

    def embed_tokens(ids, token_table, position_table):
        if ids.shape[1] > len(position_table):
            raise ValueError("too long")
        steps = torch.arange(ids.shape[1], device=ids.device).expand(ids.shape)
        embedding = torch.nn.functional.embedding
        return embedding(ids, token_table) + embedding(steps, position_table)


IDS = tensor("batch time", dtype="int64", low=0, high="vocab")


@check(points=3, ids=IDS, token_table=tensor("vocab width"), minimum=1)
def each_token_gets_its_row(solution, ids, token_table):
    """Each token gets the row of its id; here all positions are zeros."""
    zeros = torch.zeros(ids.shape[1] + 1, token_table.shape[1], dtype=token_table.dtype, device=ids.device)
    return {"result": solution.embed_tokens(ids, token_table, zeros)}


@check(points=3, ids=IDS, token_table=tensor("vocab width"), position_table=tensor("time+2 width"), minimum=1)
def each_position_adds_its_row(solution, ids, token_table, position_table):
    """Position t adds row t of position_table, the same in each sequence."""
    return {"result": solution.embed_tokens(ids, token_table, position_table)}


@check(points=1, star=True, ids=IDS, token_table=tensor("vocab width"), position_table=tensor("time+2 width"), minimum=1)
def gradients_reach_both_tables(solution, ids, token_table, position_table, rng):
    """Gradients reach both tables; each use of a token adds to the gradient of its row."""
    tables = [token_table.requires_grad_(), position_table.requires_grad_()]
    y = solution.embed_tokens(ids, *tables)
    found = gradients(y, tables, upstream(y, rng))
    return {"gradient of token_table": found[0], "gradient of position_table, summed over rows": found[1].sum(dim=0)}


@check(points=1, star=True, ids=IDS, token_table=tensor("vocab width"), context=[2, 1, 3, 4], minimum=1)
def too_many_tokens_are_refused(solution, ids, token_table, context):
    """More tokens than rows in position_table raise a ValueError; exactly as many are fine."""
    table = torch.ones(context, token_table.shape[1], dtype=token_table.dtype, device=ids.device)
    exact = token_table.new_zeros(ids.shape[1], token_table.shape[1])
    return {
        "a table of too few rows": raises(lambda: solution.embed_tokens(ids, token_table, table)),
        "a table of as many rows": raises(lambda: solution.embed_tokens(ids, token_table, exact)),
    }
