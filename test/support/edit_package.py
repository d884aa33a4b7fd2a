"""Edits a package of closed books and looks whether docs/verify/verify.py notices: FOLDER EDITS SEED.

Each edit changes one digit, takes a line out, repeats one or changes two about, in one file. Prints a JSON object: how
many were tried, those that were missed, and of those in transfers.jsonl those that only a file's hash gave away.
"""
import importlib.util, json, os, random, sys

spec = importlib.util.spec_from_file_location("verify", "docs/verify/verify.py")
verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)


def edited(lines, choice):
    """The lines with one edit, and what it was."""
    at = choice.randrange(len(lines))
    how = choice.choice(["digit", "digit", "digit", "out", "twice", "about"])
    digits = [index for index, letter in enumerate(lines[at]) if letter.isdigit()]
    if how == "digit" and digits:
        index = choice.choice(digits)
        other = choice.choice([digit for digit in "0123456789" if digit != lines[at][index]])
        line = lines[at][:index] + other + lines[at][index + 1 :]
        return [*lines[:at], line, *lines[at + 1 :]], f"digit {index} of {at}"
    if how == "about" and at > 0 and lines[at] != lines[at - 1]:
        return [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]], f"{at - 1} and {at} about"
    if how == "twice":
        return [*lines[:at], lines[at], *lines[at:]], f"{at} twice"
    return [*lines[:at], *lines[at + 1 :]], f"{at} out"


def said(folder, has_hashes=True):
    package = verify.Package(folder)
    if not has_hashes:
        package.files = lambda: None
    try:
        package.check()
    except Exception as fault:
        return str(fault)
    return ""


def main(folder, edits, seed):
    choice = random.Random(seed)
    names = sorted(os.listdir(folder))
    missed, by_hash = [], []
    for _ in range(edits):
        name = choice.choice(names)
        path = os.path.join(folder, name)
        with open(path, newline="") as file:
            before = file.read()
        lines, what = edited(before.splitlines(keepends=True), choice)
        with open(path, "w", newline="") as file:
            file.writelines(lines)
        if said(folder) == "":
            missed.append(f"{name}: {what}")
        elif name == "transfers.jsonl" and said(folder, has_hashes=False) == "":
            by_hash.append(f"{name}: {what}")
        with open(path, "w", newline="") as file:
            file.write(before)
    print(json.dumps({"tried": edits, "missed": missed, "byHash": by_hash, "after": said(folder)}))


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
