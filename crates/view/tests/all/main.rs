//! Tests in one program, which is linked once; those that need a process of their own lie beside this folder.

mod camera_sweep;
mod contents;
mod hostile;
#[path = "../support/houses.rs"]
mod houses;
#[path = "../support/oracle.rs"]
mod oracle;
mod outside;
mod random_rooms;
mod recorded_views;
#[path = "../support/sanity.rs"]
mod sanity;
mod stability;
#[path = "../support/mod.rs"]
mod support;
mod traversal;
mod views;
mod visible_lists;
