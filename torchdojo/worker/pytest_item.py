"""Run one test of an adopted pytest file on the learner's module, with pytest itself, in the process of the learner's code.

Everything here can be changed by that code, so the answer is only what the process says (see "Adopted tests" in docs/security.md).
"""

from __future__ import annotations

import ast
import os
import re
import sys
import types
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import torch

from torchdojo.worker.raised import MissingName

FILE = "adopted_tests.py"  # the name of the tests in tracebacks; no such file exists
OFF = ("cacheprovider", "faulthandler", "terminal", "threadexception", "unraisableexception", "doctest", "junitxml", "pastebin")
OPTIONS = ["-c", os.devnull, "--rootdir", os.curdir, "--noconftest", "--capture=sys", *(f"-pno:{plugin}" for plugin in OFF)]


def complaint_of(solution: Any, source: str, test: str, modules: Sequence[str]) -> str:
    """Why the test fails, with the values that pytest shows; '' if it passes.

    source: the text of the file. test: 'test_a' or 'TestB::test_c'; of one with parameters, the first case that fails counts.
    modules: the names under which the file imports the learner's. An error of our code is raised unchanged.
    """
    import pytest  # slow to import

    item = _item_plugin(solution._module, source, test)
    found = _standing_for(solution._module, modules)
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # no plugin of ours, or of anybody else's
    with mock.patch.dict(sys.modules, found), mock.patch.dict(os.environ, alone), torch.random.fork_rng(devices=[]):
        pytest.main(OPTIONS, plugins=[item])
    if item.error is not None:
        raise item.error
    return item.complaint if item.complaint or item.ran else "pytest did not run this test"


def _standing_for(module: Any, names: Sequence[str]) -> dict[str, Any]:
    """The modules for these names: the learner's module, in packages that contain nothing else."""
    found: dict[str, Any] = {}
    for name in names:
        is_package = any(other.startswith(f"{name}.") for other in names)
        found[name] = types.ModuleType(name) if is_package else module
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(found[parent], last, found[name])
    return found


def _item_plugin(module: Any, source: str, test: str) -> Any:
    """A plugin that collects the one test and notes its result."""
    import pytest  # slow to import
    from _pytest.assertion.rewrite import rewrite_asserts

    class File(pytest.Module):
        def _getobj(self) -> types.ModuleType:
            tree = ast.parse(source)
            rewrite_asserts(tree, source.encode(), config=self.config)
            tests = types.ModuleType(FILE.removesuffix(".py"))
            exec(compile(tree, FILE, "exec", dont_inherit=True), vars(tests))
            return tests

    class Item:
        error: BaseException | None = None
        complaint = ""
        ran = False

        @pytest.hookimpl(tryfirst=True)
        def pytest_collection(self, session: pytest.Session) -> bool:
            file = File.from_parent(session, path=Path(session.config.rootpath, FILE))
            try:
                file.obj  # noqa: B018 (runs the file)
            except ImportError as error:
                name = re.search(r"cannot import name '(\w+)'", str(error))
                self.error = MissingName(name[1]) if name else error
            except BaseException as error:
                self.error = error
            else:
                session.items = [i for i in session.genitems(file) if i.nodeid.partition("::")[2].partition("[")[0] == test]
            return True

        def pytest_configure(self, config: pytest.Config) -> None:
            config.addinivalue_line("markers", "points: what the test is worth")

        @pytest.hookimpl(wrapper=True, tryfirst=True)  # outside the one that knows what is expected to fail
        def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
            report = yield
            expected = hasattr(report, "wasxfail")
            self.ran |= report.when == "call" and (report.passed or expected)
            if call.excinfo is not None and not expected and not self.complaint and self.error is None:
                self._note(item, call.excinfo, report.skipped)
            return report

        def _note(self, item: pytest.Item, raised: pytest.ExceptionInfo[BaseException], skipped: bool) -> None:
            """Why the test failed: a complaint of its own, or an error of the learner's code."""
            error, own = raised.value, raised.traceback[-1].frame.f_globals is not getattr(module, "__dict__", None)
            if skipped:
                self.complaint = f"pytest skipped this test: {error}"
            elif isinstance(error, pytest.FixtureLookupError):
                self.complaint = f"fixture '{error.argname}' not found"
            elif own and isinstance(error, (AssertionError, pytest.fail.Exception)):
                case = f"case {item.name.partition('[')[2].rstrip(']')}: " if "[" in item.name else ""
                self.complaint = case + raised.exconly(tryshort=True)
            else:
                self.error = error

    return Item()
