"""Whether this processor has the instructions that the compiled module may use, looked up before the module is loaded."""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from pathlib import Path

#: Names in /proc/cpuinfo of what x86-64-v3 adds to the baseline.
NEEDED = ("avx", "avx2", "fma", "f16c", "movbe", "bmi1", "bmi2", "abm")
MARK = b"supple-compiled-for:x86-64-v3;"


def missing(cpuinfo: str | None = None) -> list[str]:
    """What this processor lacks of x86-64-v3; empty where it has everything, or where that cannot be found out."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return []
    if cpuinfo is None:
        cpuinfo = _cpuinfo()
    for line in cpuinfo.splitlines():
        if line.startswith("flags"):
            found = line.split(":", 1)[1].split()
            return [name for name in NEEDED if name not in found]
    return []


def _cpuinfo() -> str:
    if sys.platform == "win32":
        # PF_AVX2_INSTRUCTIONS_AVAILABLE; processors with AVX2 have the rest.
        has = ctypes.windll.kernel32.IsProcessorFeaturePresent(40)
        return "flags : " + (" ".join(NEEDED) if has else "")
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""


def needs_v3(module: Path) -> bool:
    """Whether a compiled module was built for x86-64-v3."""
    with module.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(MARK) >= 0


def check(folder: Path, lacks: list[str]) -> None:
    """Raises ImportError where the compiled module in `folder` needs what the processor lacks."""
    if not lacks:
        return
    for module in [*folder.glob("_supple*.so"), *folder.glob("_supple*.pyd")]:
        if needs_v3(module):
            raise ImportError(
                f"supple was compiled for processors with instructions that this one lacks: {', '.join(lacks)}; "
                'install the baseline wheel, or build one here: RUSTFLAGS="-C target-cpu=x86-64" pip install .'
            )
