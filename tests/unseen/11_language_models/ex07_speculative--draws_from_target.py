"""After a rejection the token is drawn from p itself, not from the residual."""
import torch


def accept_probability(p, q):
    return torch.where(q > 0, p / q.clamp(min=torch.finfo(q.dtype).tiny), torch.ones_like(p)).clamp(max=1)


def residual(p, q):
    rest = (p - q).clamp(min=0)
    total = rest.sum(-1, keepdim=True)
    return torch.where(total > 0, rest / total.clamp(min=torch.finfo(p.dtype).tiny), p)


def speculative_step(p, q, draft, u):
    k = len(draft)
    tokens = []
    for i in range(k):
        prob = accept_probability(p[i], q[i])[draft[i]]
        if u[i] < prob:
            tokens.append(int(draft[i]))
        else:
            break
    dist = p[len(tokens)]
    larger = (dist.cumsum(0) > u[k]).nonzero()
    tokens.append(int(larger[0]) if len(larger) else int(dist.argmax()))
    return torch.tensor(tokens, dtype=torch.int64, device=p.device)
