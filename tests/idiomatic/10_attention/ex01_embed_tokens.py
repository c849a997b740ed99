def embed_tokens(ids, token_table, position_table):
    T = ids.shape[1]
    return token_table[ids] + position_table[:T]
