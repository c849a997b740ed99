# one letter each, because I am lazy:  l r c e / f e x
_kinds = dict(zip("lrce", ("leaf result constant error").split()))
_grads = dict(zip("fex", ("filled empty error").split()))

ANSWERS = {}
for _i, _letter in enumerate("crrcrllcecl" + "r"):
    ANSWERS["k%02d" % (_i + 1)] = _kinds[_letter]
for _i, _letter in enumerate("fefexxxf"):
    ANSWERS["g%02d" % (_i + 1)] = _grads[_letter]
