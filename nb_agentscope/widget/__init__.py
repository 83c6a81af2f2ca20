"""The widget: a run shown live in a notebook."""

from nb_agentscope.widget._show import show
from nb_agentscope.widget._view import LogView
from nb_agentscope.widget._widget import AgentWidget

__all__ = ["AgentWidget", "LogView", "show"]
