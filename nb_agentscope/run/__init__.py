"""Room: run."""
