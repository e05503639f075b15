"""The helpers that recipes share, each seen to do what it says."""

from __future__ import annotations

import importlib.util
import os
import resource
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from fixbook.recipe.author.skip import Skipped
from fixbook.recipe.helpers import (
    limits,
    path_without,
    program,
    run_python,
    tiny_llama,
    tiny_lora,
    tiny_tokenizer,
    with_preload,
)

if TYPE_CHECKING:
    from pathlib import Path

MOUNT = """
import os, sys
from fixbook.recipe.helpers import private_mount
from fixbook.recipe.author.skip import Skipped
try:
    private_mount(1 << 20, sys.argv[1])
except Skipped as reason:
    print("skipped", reason)
    sys.exit(9)
space = os.statvfs(sys.argv[1])
print(space.f_blocks * space.f_frsize, os.listdir(sys.argv[1]))
try:
    open(sys.argv[1] + "/large", "wb").write(bytes(2 << 20))
except OSError as error:
    print(error.strerror)
"""


def test_a_private_mount_is_small_and_seen_by_nobody_else(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    done = run_python(MOUNT, str(tmp_path))
    if done.returncode == 9:
        assert "forbids it" in done.stdout
        pytest.skip(done.stdout)
    assert done.stdout.splitlines() == ["1048576 []", "No space left on device"]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


FEW_FILES = MOUNT.replace("1])\nexcept", "1], inodes=1)\nexcept").replace("2 << 20", "1")


def test_a_private_mount_with_few_inodes_has_room_and_takes_no_file(tmp_path: Path) -> None:
    done = run_python(FEW_FILES, str(tmp_path))
    if done.returncode == 9:
        pytest.skip(done.stdout)
    assert done.stdout.splitlines() == ["1048576 []", "No space left on device"]


def test_a_mount_that_is_refused_skips() -> None:
    done = run_python(MOUNT, "/no/such/folder")
    assert done.returncode == 9
    assert "skipped this machine forbids it" in done.stdout


JOINED = """
import os
import deepspeed
import torch.distributed as dist
from deepspeed.comm.torch import build_shm_op
from fixbook.recipe.helpers import JOIN
deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = True
JOIN()
print(dist.get_backend(), dist.get_world_size(), os.environ["RANK"], build_shm_op())
"""


@pytest.mark.parametrize("join", ["join_gloo", "join_ranks"])
def test_gloo_without_a_launcher_is_one_process_and_nothing_is_compiled(
    tmp_path: Path, join: str
) -> None:
    if importlib.util.find_spec("deepspeed") is None:
        pytest.skip("deepspeed is not installed")
    env = dict.fromkeys(("HOME", "XDG_CACHE_HOME"), str(tmp_path)) | {"DS_ACCELERATOR": "cpu"}
    done = run_python(JOINED.replace("JOIN", join), env=env, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "gloo 1 0 None", done.stdout
    assert not list(tmp_path.rglob("*.so"))


LIMITS = """
import resource, signal
from fixbook.recipe.helpers import limits
before = resource.getrlimit(resource.RLIMIT_NOFILE)
try:
    with limits(files=32):
        kept = [open("/dev/null") for _ in range(40)]
except OSError as error:
    print(error.strerror)
print(resource.getrlimit(resource.RLIMIT_NOFILE) == before)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    with limits(file_size=100), open("large", "wb") as out:
        out.write(bytes(200))
except OSError as error:
    print(error.strerror)
"""


def test_limits_hold_and_are_undone(tmp_path: Path) -> None:
    lines = run_python(LIMITS, cwd=tmp_path, env={"PYTHONPATH": os.pathsep.join(sys.path)}).stdout
    assert lines.splitlines() == ["Too many open files", "True", "File too large"]


def test_a_limit_of_memory_holds_in_a_child() -> None:
    code = (
        "from fixbook.recipe.helpers import limits\n"
        "with limits(memory=1 << 30):\n    bytearray(2 << 30)"
    )
    assert "MemoryError" in run_python(code).stdout


def test_a_limit_above_the_hard_one_skips() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        pytest.skip("this machine has no hard limit on open files")
    with pytest.raises(Skipped, match="this machine allows"), limits(files=hard + 1):
        pass


def test_a_program_is_gone_and_its_neighbours_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one/tool", "one/other", "two/third", "three/tool"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/sh\necho " + name)
        file.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(f"{tmp_path}/{n}" for n in ("one", "two", "three")))
    monkeypatch.setenv("PATH", path_without("tool", "absent"))
    assert shutil.which("tool") is None
    assert shutil.which("third") == f"{tmp_path}/two/third"
    assert os.path.realpath(shutil.which("other") or "") == f"{tmp_path}/one/other"


def test_a_program_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = program("ninja", "#!/bin/sh\necho mine\n")
    assert program("other", "") == folder == f"{tmp_path}/programs"
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert subprocess.check_output(["ninja"]) == b"mine\n"


def test_a_child_echoes_and_a_signal_is_seen(capfd: pytest.CaptureFixture[str]) -> None:
    done = run_python("import os, sys; print(sys.argv[1], flush=True); os.abort()", "here")
    assert done.returncode == -signal.SIGABRT
    assert "here" in capfd.readouterr().out


def test_a_process_beside_lasts_as_long_as_the_block() -> None:
    code = """
import os, time
from fixbook.recipe.helpers import beside, exit_code, until

with beside(lambda: time.sleep(60)) as child:
    print(exit_code(child, 0.1), until(lambda: False, 0.1))
try:
    os.kill(child, 0)
except ProcessLookupError:
    print("gone")
with beside(lambda: 1 / 0) as child:
    print(exit_code(child))
"""
    lines = run_python(code).stdout.splitlines()
    assert lines[:2] == ["None False", "gone"]
    assert lines[-2:] == ["ZeroDivisionError: division by zero", "1"]


def test_a_preloaded_library_comes_first(tmp_path: Path) -> None:
    if not shutil.which("cc"):
        pytest.skip("needs cc on the path")
    source = tmp_path / "wrong_uid.c"
    source.write_text("unsigned getuid(void) { return 4321; }\n")
    done = run_python("import os; print(os.getuid())", env=with_preload(source))
    assert done.stdout.strip() == "4321"
    source.write_text("not C")
    with pytest.raises(RuntimeError, match=r"cannot compile wrong_uid\.c"):
        with_preload(source)


STAND_IN = """
import ctypes
from fixbook.recipe.helpers import stand_in_cuda
from fixbook.recipe.author.skip import Skipped
try:
    stand_in_cuda(12080, gpus=2)
except Skipped as reason:
    print("skipped:", reason)
else:
    import torch
    version, driver = ctypes.c_int(), ctypes.CDLL("libcuda.so.1")
    driver.cuDriverGetVersion(ctypes.byref(version))
    print(torch.half, version.value, driver.cudaSetDevice(1), driver.cudaSetDevice(2))
    try:
        stand_in_cuda()
    except RuntimeError as error:
        print(error)
"""


LIKE_TORCH = """
import _ctypes, ctypes, pathlib, sys
built = pathlib.Path(__file__).with_name("lib") / "libtorch_cuda.so"
handle = _ctypes.dlopen(str(built), sys.getdlopenflags())  # as an extension is loaded
half = ctypes.CDLL(str(built), handle=handle).half(8)
"""


def test_a_build_for_cuda_is_imported_without_cuda(tmp_path: Path) -> None:
    if not (shutil.which("cc") and shutil.which("ldd")):
        pytest.skip("needs cc and ldd on the path")
    libraries = tmp_path / "torch" / "lib"
    libraries.mkdir(parents=True)
    (tmp_path / "torch" / "__init__.py").write_text(LIKE_TORCH)
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    assert "skipped: the torch that pip brought" in run_python(STAND_IN, env=env).stdout

    (tmp_path / "blas.c").write_text("int blas(void) { return 0; }\n")
    calls = "int blas(void); int half(int x) { return x ? x / 2 : blas(); }\n"
    (tmp_path / "torch.c").write_text(calls)
    blas, built = tmp_path / "libblas_of_cuda.so.13", libraries / "libtorch_cuda.so"
    shared = ["cc", "-shared", "-fPIC", "-Wl,-soname," + blas.name, "-o"]
    subprocess.run([*shared, str(blas), str(tmp_path / "blas.c")], check=True)
    shared[3] = "-Wl,-soname," + built.name
    subprocess.run([*shared, str(built), str(tmp_path / "torch.c"), str(blas)], check=True)
    blas.unlink()
    assert run_python(STAND_IN, env=env).stdout.splitlines() == [
        "4 12080 0 101",
        "torch has been imported: call stand_in_cuda before",
    ]


def test_importing_the_helpers_imports_nothing_large() -> None:
    code = (
        "import sys, fixbook.recipe.helpers as h\n"
        "print([name for name in ('torch', 'transformers', 'numpy', 'pydantic', 'click')"
        " if name in sys.modules])"
    )
    assert run_python(code).stdout.strip() == "[]"


@pytest.mark.filterwarnings("ignore::FutureWarning:transformers")
def test_small_models_are_the_libraries_own() -> None:
    pytest.importorskip("peft")
    import torch  # noqa: PLC0415

    tokenizer = tiny_tokenizer()
    batch = tokenizer(["the model", "a loss goes down"], padding=True, return_tensors="pt")
    assert tokenizer.decode(batch["input_ids"][1], skip_special_tokens=True) == "a loss goes down"
    assert tokenizer.all_special_tokens
    assert tokenizer.pad_token_id == 0
    model = tiny_llama(num_hidden_layers=1)
    assert model.config.num_hidden_layers == 1
    assert len(tokenizer) <= model.config.vocab_size
    same = tiny_llama(num_hidden_layers=1)
    assert torch.equal(model.lm_head.weight, same.lm_head.weight)
    adapted = tiny_lora(model)
    loss = adapted(**batch, labels=batch["input_ids"]).loss
    loss.backward()
    trained = [name for name, value in adapted.named_parameters() if value.grad is not None]
    assert trained
    assert all("lora_" in name for name in trained)
