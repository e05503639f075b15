"""From tree to site: a renderer, the last pass on files, the local server."""
