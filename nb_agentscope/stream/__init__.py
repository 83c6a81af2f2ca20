"""Folds over events: append, fold, tidy, verify, logs."""

from nb_agentscope.stream._append import append_event

__all__ = ["append_event"]
