"""Natural walking: the steps of KLAW, walked by joint torques (Bruderlin 1988; Coros and others 2010)."""
