# SPDX-License-Identifier: MIT
"""Builds the shared library with CMake and puts it beside the Python files.

The C sources are one folder up, or in `c/` of a source distribution, which
`sdist` copies them to. With BESTDAG_SYSTEM=1 no library is built: the package
then uses the one that is installed on the system.
"""

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "c" if (HERE / "c").is_dir() else HERE.parent
NEEDED = ("CMakeLists.txt", "LICENSE", "cmake", "include", "src")
SYSTEM = os.environ.get("BESTDAG_SYSTEM") == "1"


def version():
    text = (SOURCES / "CMakeLists.txt").read_text()
    return re.search(r"project\(bestdag VERSION ([0-9.]+)", text).group(1)


class BuildLibrary(build_py):
    def run(self):
        super().run()
        if SYSTEM:
            return
        work = Path(self.get_finalized_command("build").build_temp).resolve()
        work.mkdir(parents=True, exist_ok=True)
        subprocess.check_call(
            ["cmake", "-S", str(SOURCES), "-B", str(work), "-DBUILD_TESTING=OFF",
             "-DCMAKE_BUILD_TYPE=Release"]
        )
        subprocess.check_call(
            ["cmake", "--build", str(work), "--target", "bestdag_shared",
             "--parallel", str(os.cpu_count() or 1)]
        )
        target = Path(self.build_lib) / "bestdag"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(work / "libbestdag.so.0", target / "libbestdag.so.0")


class PlatformWheel(bdist_wheel):
    """One wheel for all versions of Python: no compiled extension in it."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = SYSTEM

    def get_tag(self):
        if SYSTEM:
            return "py3", "none", "any"
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return "py3", "none", platform


class SourceDistribution(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        to = Path(base_dir) / "c"
        for name in NEEDED:
            source = SOURCES / name
            if source.is_dir():
                shutil.copytree(source, to / name, dirs_exist_ok=True)
            else:
                to.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, to / name)


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return not SYSTEM


setup(
    version=version(),
    distclass=WithLibrary,
    cmdclass={
        "build_py": BuildLibrary,
        "bdist_wheel": PlatformWheel,
        "sdist": SourceDistribution,
    },
)
