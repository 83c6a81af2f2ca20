"""Room: widget."""
