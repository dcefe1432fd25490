"""The lab equipment: plants, virtual servos and arms, recordings, figures. Nothing here knows an exercise's answer."""
