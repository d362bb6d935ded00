"""What came out: Motion, its measures, BVH. numpy only."""
