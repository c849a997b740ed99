"""The last answer, "ones(1, 4).squeeze() @ ones(4, 2)", is (1, 2); right is (2,). The other 15 are right."""
ANSWERS: dict[str, tuple[int, ...] | str | None] = {
    "ones(3, 4) + ones(4)": (3, 4),
    "ones(3, 4) + ones(3)": "error",
    "ones(3, 4) + ones(3, 1)": (3, 4),
    "ones(7, 1) - ones(7)": (7, 7),
    "ones(2, 1, 4) * ones(3, 1)": (2, 3, 4),
    "ones(2, 3, 4) * ones(2, 3)": "error",
    "ones(6) + ones(())": (6,),
    "ones(()) * ones(())": (),
    "zeros(0) + ones(1)": (0,),
    "zeros(0) + ones(2)": "error",
    "ones(2, 3) @ ones(3, 5)": (2, 5),
    "ones(4, 2, 3) @ ones(3, 5)": (4, 2, 5),
    "ones(3) @ ones(3)": (),
    "ones(3, 4) - ones(3, 4).mean(1)": "error",
    "ones(1, 5, 1).squeeze()": (5,),
    "ones(1, 4).squeeze() @ ones(4, 2)": (1, 2),
}
