"""What pages say of the book, in one language: entries and evidence put together, no layout."""
