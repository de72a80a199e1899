"""Games and the players that play them; knows no Discord, no database and no clock."""
