//! Turns the bytes of a record into values and back.
