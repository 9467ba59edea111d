//! Finds, stores and removes the bytes of a record by its id.
