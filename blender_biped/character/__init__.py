"""Who walks: roles, bones to links and joints, masses. numpy only."""
