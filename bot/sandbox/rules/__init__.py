"""Discord's rules: requests are read here, and accepted or refused."""
