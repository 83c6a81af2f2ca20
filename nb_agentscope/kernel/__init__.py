"""What a notebook's kernel knows and does: displays that can be replaced, the executing cell, the host."""

from nb_agentscope.kernel._cell import current_cell
from nb_agentscope.kernel._display import Shown, display
from nb_agentscope.kernel._host import has_kernel, host

__all__ = ["Shown", "current_cell", "display", "has_kernel", "host"]
