"""Where the swing foot goes, and over what."""
