"""``python -m fixbook``."""

from fixbook.cli import main

if __name__ == "__main__":
    main()
