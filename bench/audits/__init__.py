"""Hold each finding of an audit beside a run on the release that it accuses."""
