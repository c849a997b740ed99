from contextlib import contextmanager

import torch


@contextmanager
def _eval_mode(model):
    """Everything in eval mode inside the block, each module as it was afterwards."""
    remembered = [(module, module.training) for module in model.modules()]
    try:
        model.eval()
        yield model
    finally:
        for module, flag in remembered:
            module.training = flag


def predict(model, x):
    with _eval_mode(model), torch.no_grad():
        return model(x)


def frozen_features(backbone, x):
    # no_grad and not inference_mode: a head has to be trained on the result
    return predict(backbone, x)
