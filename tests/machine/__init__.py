"""Reports on machines: probes, their bounds, and the command."""
