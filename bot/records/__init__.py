"""What finished games mean for those who played them."""
