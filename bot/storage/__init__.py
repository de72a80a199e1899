"""Where tables are kept; the only importer of sqlalchemy."""
