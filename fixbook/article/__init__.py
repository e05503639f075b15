"""The page of an entry or a message as plain data, in one language: what every face of it shows.

The terminal, ``--json``, agents and the site's interface read the same `Article`. A package of the
book carries them ready, so that no YAML is parsed and no evidence read to show one. Nothing is
imported here that reading a ready one does not need.
"""
