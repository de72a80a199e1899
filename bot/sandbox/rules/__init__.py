"""What Discord accepts and what it refuses: requests are read and judged here."""
