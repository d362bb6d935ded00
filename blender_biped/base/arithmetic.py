# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the last digits of arithmetic the same on many processors. Standard library only; starts on Python 3.7.

numpy and its OpenBLAS choose code by the processor and by the number of threads, and other code rounds
otherwise. Walking is chaotic: another last digit is another walk some seconds later. What is chosen here is code
for processors with AVX2, which round alike; a processor without it (an older one, an ARM), and a Mac, where it
cannot be found out cheaply, keep what numpy finds best there.
"""

import os
import sys
import warnings

DISABLED = "NPY_DISABLE_CPU_FEATURES"
# one thread: matrices are small, and more threads only wait for each other
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
AVX2 = {
    "OPENBLAS_CORETYPE": "Haswell",
    # numpy 1.26 to 2.3 have the first nine (not all of them on all systems), numpy 2.4 and newer the last three.
    DISABLED: "AVX512F AVX512CD AVX512_KNL AVX512_KNM AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR X86_V4",
}
PROCESSORS = "/proc/cpuinfo"
_WINDOWS_AVX2 = 40  # PF_AVX2_INSTRUCTIONS_AVAILABLE of winnt.h


def make_reproducible() -> None:
    """Choose the code of the numpy that this process, and those it starts, import from now on.

    What the environment already says about it stays.
    """
    for name, value in {**THREADS, **(AVX2 if has_avx2() else {})}.items():
        os.environ.setdefault(name, value)
    # of the names that the numpy at hand has no code for; hidden unless Python shows all warnings
    warnings.filterwarnings("ignore", f"During parsing environment variable: '{DISABLED}'", ImportWarning)


def has_avx2() -> bool:
    """Return whether the processor has AVX2 and FMA, which Haswell's code needs; False where that is not known."""
    if sys.platform == "win32":
        import ctypes

        return bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(_WINDOWS_AVX2))
    try:
        with open(PROCESSORS, encoding="ascii", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return {"avx2", "fma"} <= set(flags.split())
