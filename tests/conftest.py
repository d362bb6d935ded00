"""What must be so before any test module is loaded."""

import os

# As the worker has it: OpenBLAS gives other last digits with other numbers of threads, and then walks differ.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
