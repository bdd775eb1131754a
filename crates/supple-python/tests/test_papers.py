"""Every public name is documented, examples run, types hold."""

import doctest
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import supple

ROOT = Path(__file__).parents[3]
PACKAGE = Path(supple.__file__).parent


def public():
    """Public names of the package with their members."""
    for name in supple.__all__:
        thing = getattr(supple, name)
        yield f"supple.{name}", thing
        if inspect.isclass(thing):
            for member in dir(thing):
                if not member.startswith("_") and not isinstance(inspect.getattr_static(thing, member), (str, int, list, type(None))):
                    if not (issubclass(thing, Exception) and hasattr(Exception, member)):
                        yield f"supple.{name}.{member}", inspect.getattr_static(thing, member)


@pytest.mark.parametrize("name, thing", list(public()), ids=lambda value: value if isinstance(value, str) else "")
def test_every_public_name_has_its_text(name, thing):
    text = inspect.getdoc(thing.__func__ if isinstance(thing, staticmethod) else thing)
    assert text and len(text) > 4, name


def test_examples_in_texts_run():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    texts = {name: inspect.getdoc(thing) or "" for name, thing in public()}
    texts["supple"] = supple.__doc__ or ""
    texts = {name: text for name, text in texts.items() if ">>>" in text}
    assert len(texts) > 12
    for name, text in texts.items():
        runner.run(parser.get_doctest(text, {}, name, None, 0))
    assert runner.summarize(verbose=False).failed == 0


def test_types_hold():
    pytest.importorskip("mypy")
    # The sources, not what is installed: mypy takes the folder of a file that it is given for one of sources, with all that is installed beside it.
    sources = ROOT / "crates/supple-python/python"
    files = [str(sources / "supple"), *map(str, sorted((ROOT / "crates/supple-python/examples").glob("*.py")))]
    options = ["--strict", "--no-error-summary", "--cache-dir", str(ROOT / "target/mypy"), "--ignore-missing-imports"]
    answer = subprocess.run([sys.executable, "-m", "mypy", *options, *files], capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(sources)})
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_stubs_name_what_the_module_has():
    stub = (PACKAGE / "_supple.pyi").read_text()
    from supple import _supple

    for name in dir(_supple):
        if name.startswith("_"):
            continue
        assert f"class {name}" in stub or f"def {name}(" in stub, name
        thing = getattr(_supple, name)
        if inspect.isclass(thing):
            body = stub.split(f"class {name}", 1)[1].split("\nclass ", 1)[0]
            for member in dir(thing):
                if not member.startswith("_"):
                    assert f"def {member}(" in body or f"    {member}:" in body, f"{name}.{member}"


@pytest.mark.parametrize("path", sorted((ROOT / "crates/supple-python/examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(path):
    pytest.importorskip("control")
    pytest.importorskip("gymnasium")
    pytest.importorskip("matplotlib")
    answer = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "Agg"}, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("path", sorted((ROOT / "docs/python").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()


@pytest.mark.parametrize("path", sorted((ROOT / "docs/python").glob("*.md")), ids=lambda path: path.stem)
def test_pages_run(path):
    if path.stem == "learning":
        pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    blocks = [part.split("```", 1)[0] for part in path.read_text().split("```python\n")[1:]]
    assert blocks
    for block in blocks:
        exec(compile(block, str(path), "exec"), {})
