"""Folds over events: append, fold, tidy, verify, logs."""

from nb_agentscope.stream._append import append_event
from nb_agentscope.stream._coalesce import coalesce
from nb_agentscope.stream._fold import Fold, fold, fold_all

__all__ = ["Fold", "append_event", "coalesce", "fold", "fold_all"]
