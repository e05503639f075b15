"""What programs read and readers take along: JSON, Markdown twins, feeds, the wheel."""
