# I got k06 and g08 wrong the first time. float() on a float32 tensor is the same object, and a
# sum saves nothing that the second backward could miss.
ANSWERS = {
    "k01": "constant",
    "k02": "result",
    "k03": "result",
    "k04": "constant",
    "k05": "result",
    "k06": "leaf",
    "k07": "leaf",
    "k08": "constant",
    "k09": "error",
    "k10": "constant",
    "k11": "leaf",
    "k12": "result",
    "g01": "filled",
    "g02": "empty",
    "g03": "filled",
    "g04": "empty",
    "g05": "error",
    "g06": "error",
    "g07": "error",
    "g08": "filled",
}

if __name__ == "__main__":
    for key, value in ANSWERS.items():
        print(key, value)
