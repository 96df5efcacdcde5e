"""The kernel of the book is the Python that runs this, whatever else is installed.

A person may have a python3 kernelspec of another environment, one without rooflib, in the folders
that Jupyter searches. With no folder to search, Jupyter falls back on the one in ipykernel, which
starts the running interpreter.
"""

import zmq
from ipykernel.kernelspec import RESOURCES
from jupyter_client.kernelspec import NATIVE_KERNEL_NAME, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets import default

# Where it can be had, between server and kernel too: a kernel warns at every start without it.
ENCRYPTION = "auto" if zmq.has("curve") else "disabled"


class ThisPython(KernelSpecManager):
    """Knows one kernel: `python3`, which is this environment's."""

    def _kernel_dirs_default(self) -> list[str]:
        return []

    def find_kernel_specs(self) -> dict[str, str]:
        return {NATIVE_KERNEL_NAME: RESOURCES}


class ThisPythonKernel(AsyncKernelManager):
    """A kernel of that kind."""

    @default("kernel_spec_manager")
    def _this_python(self) -> KernelSpecManager:
        return ThisPython()

    @default("transport_encryption")
    def _encryption(self) -> str:
        return ENCRYPTION
