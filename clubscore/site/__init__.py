"""How Clubscore runs as a site: settings, addresses, server, logs. Django's part; the game's is beside this folder."""
