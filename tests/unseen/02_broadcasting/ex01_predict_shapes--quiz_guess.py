"""Three answers are wrong: (7, 1) - (7,) is (7, 7), zeros(0) + ones(1) is (0,), and squeeze of (1, 5, 1) is (5,)."""
ANSWERS = {
    "ones(3, 4) + ones(4)": (3, 4),
    "ones(3, 4) + ones(3)": "error",
    "ones(3, 4) + ones(3, 1)": (3, 4),
    "ones(7, 1) - ones(7)": (7, 1),
    "ones(2, 1, 4) * ones(3, 1)": (2, 3, 4),
    "ones(2, 3, 4) * ones(2, 3)": "error",
    "ones(6) + ones(())": (6,),
    "ones(()) * ones(())": (),
    "zeros(0) + ones(1)": (1,),
    "zeros(0) + ones(2)": "error",
    "ones(2, 3) @ ones(3, 5)": (2, 5),
    "ones(4, 2, 3) @ ones(3, 5)": (4, 2, 5),
    "ones(3) @ ones(3)": (),
    "ones(3, 4) - ones(3, 4).mean(1)": "error",
    "ones(1, 5, 1).squeeze()": (5, 1),
    "ones(1, 4).squeeze() @ ones(4, 2)": (2,),
}
