"""Results for people and machines: one file per form."""
