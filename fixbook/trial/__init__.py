"""An entry tried at the reader's: which of its steps run on what is here, and what they show."""
