"""Systems to study attackers on: what is true of each is known exactly."""
