"""The ground of one walk behind one protocol: level, treads, slopes."""
