"""What Ludo's messages say."""
