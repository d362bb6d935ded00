"""Batch: jobs and companies of a folder to motions beside them, by processes of this computer or of others."""
