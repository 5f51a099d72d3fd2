"""`make mutants`: one small fault after the other is put into the engine, to find those that no test notices.

mutmut makes the faults and runs for each only the tests that reach the changed function, in a copy of the project.
It leaves out what stands outside of functions, and properties.
"""

import argparse
import os
import random
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import libcst as cst

if TYPE_CHECKING:
    from mutmut.mutation.data import SourceFileMutationData

COPIED = ("engine", "tests", "bot", "render", "storage", "benchmarks", "pyproject.toml")
CONFIG = """[mutmut]
source_paths =
    engine
only_mutate =
    {only}
also_copy =
    bot
    render
    storage
    benchmarks
pytest_add_cli_args =
    -n0
    -pno:cacheprovider
    --boards=20
    --ignore=tests/engine/tell/test_words.py
pytest_add_cli_args_test_selection =
    tests/titles
    tests/engine
    tests/golden
    tests/properties/test_best_routes.py
timeout_multiplier = 3
timeout_constant = 2
"""
"""Random games are left out: they reach everything, and would take longer than all other tests together.

So is the test of the book of words, which reads the source and not what it does.
"""
LEFT_TO_MYPY = ("operator_string", "operator_arg_removal", "operator_dict_arguments", "operator_lambda")
"""Faults not made: in words for players, and such as the type checker finds."""
NOTICED = ("killed", "timeout", "segfault")


def main() -> None:
    """Make the faults, try them, print how many are noticed in each module, and keep those that are not."""
    wish = _wish()
    root = Path.cwd()
    _copy(root, wish.out)
    os.chdir(wish.out)
    only = "\n    ".join(pattern for path in wish.only for pattern in _patterns(root, path))
    Path("setup.cfg").write_text(CONFIG.format(only=only), "utf-8")
    _make(wish.jobs)
    _choose(wish.sample, wish.seed)
    _try(wish.jobs)
    _tell(Path("survivors.txt"))


def _wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", default=["engine"], help="modules or packages, as engine/market")
    parser.add_argument("--sample", type=int, default=0, help="at most so many faults a module; 0: all")
    parser.add_argument("--seed", type=int, default=1830, help="chooses the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--out", type=Path, default=Path("mutants"), help="where the copy and the results are kept"
    )
    return parser.parse_args()


def _copy(root: Path, out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    for name in COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, out / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(root / name, out / name)


def _patterns(root: Path, path: str) -> list[str]:
    """What mutmut calls a module or everything in a package."""
    if (root / path).is_dir():
        return [f"{path.rstrip('/')}/*.py"]
    found = path if path.endswith(".py") else f"{path}.py"
    if not (root / found).is_file():
        raise SystemExit(f"There is no {path}.")
    return [found]


# --- the faults --------------------------------------------------------------------------------------------------


def _make(jobs: int) -> None:
    # mutmut reads its settings from the current folder as soon as it is imported.
    from mutmut.__main__ import create_mutants
    from mutmut.mutation.mutators import mutation_operators
    from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir

    kept = [(node, made) for node, made in mutation_operators if made.__name__ not in LEFT_TO_MYPY]
    cast(list[Any], mutation_operators)[:] = [*kept, (cst.Expr, _left_out_or_doubled), (cst.If, _negated)]
    Path("mutants").mkdir()
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(jobs)


def _left_out_or_doubled(node: cst.Expr) -> Iterator[cst.Expr]:
    """`pay()` is left out, or done twice."""
    if isinstance(node.value, cst.Call):
        yield node.with_changes(value=cst.Ellipsis())
        yield node.with_changes(
            value=cst.Tuple([cst.Element(node.value), cst.Element(node.value.deep_clone())])
        )


def _negated(node: cst.If) -> Iterator[cst.If]:
    """`if a:` becomes `if not a:`."""
    asked = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.with_changes(test=cst.UnaryOperation(cst.Not(), asked))


def _choose(sample: int, seed: int) -> None:
    for data in _results():
        names = sorted(data.exit_code_by_key)
        if 0 < sample < len(names):
            chosen = random.Random(f"{seed} {data.path}").sample(names, sample)
            data.exit_code_by_key = dict.fromkeys(sorted(chosen))
            data.save()


def _try(jobs: int) -> None:
    from mutmut.__main__ import cli

    cli(["run", "--max-children", str(jobs)], standalone_mode=False)


# --- the results -------------------------------------------------------------------------------------------------


def _results() -> "Iterator[SourceFileMutationData]":
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.utils.file_utils import walk_mutatable_files

    for path in sorted(walk_mutatable_files()):
        data = SourceFileMutationData(path=path)
        data.load()
        if data.exit_code_by_key:
            yield data


def _tell(survivors: Path) -> None:
    from mutmut.mutation.diff_apply import get_diff_for_mutant
    from mutmut.stats import status_by_exit_code

    counts, lines = [], []
    for data in _results():
        missed = [
            name for name, code in data.exit_code_by_key.items() if status_by_exit_code[code] not in NOTICED
        ]
        counts.append((str(data.path), len(data.exit_code_by_key) - len(missed), len(data.exit_code_by_key)))
        for name in missed:
            status = status_by_exit_code[data.exit_code_by_key[name]]
            lines.append(f"# {name}: {status}\n{get_diff_for_mutant(name, path=data.path)}\n")
    survivors.write_text("\n".join(lines), "utf-8")
    _print(counts, survivors)


def _print(counts: Sequence[tuple[str, int, int]], survivors: Path) -> None:
    print()
    for module, killed, tried in [*counts, _sum(counts)]:
        print(f"{module:44} {killed:5} of {tried:5} noticed {killed / tried:6.1%}")
    print(f"Those that were not: {survivors.resolve()}")


def _sum(counts: Iterable[tuple[str, int, int]]) -> tuple[str, int, int]:
    _, killed, tried = zip(*counts, strict=True)
    return "all", sum(killed), sum(tried)


if __name__ == "__main__":
    main()
