"""What came back and whose it is: files, archives, rosters, and how platforms name things."""
