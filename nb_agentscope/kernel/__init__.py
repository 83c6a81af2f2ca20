"""Room: kernel."""
