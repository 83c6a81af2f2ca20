"""Logs as tables, and what can be measured on them."""
