"""Room: interop."""
