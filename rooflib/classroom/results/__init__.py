"""What a graded class becomes: records, tables, pages and paper."""
