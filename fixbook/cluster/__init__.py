"""More than this machine: what runs on a Ray cluster (the extra ``ray``)."""
