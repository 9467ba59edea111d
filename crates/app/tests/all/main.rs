//! Tests in one program, which is linked once; those that need a process of their own lie beside this folder.

mod conform;
mod dat;
mod doors;
mod expected_lines;
mod explore;
mod faults;
#[path = "../faulty/mod.rs"]
mod faulty;
mod inspect;
mod instances;
mod links;
mod map;
mod movement;
mod overlay;
mod overwrite;
mod path;
mod places;
mod progress;
mod readme_pictures;
mod spec_references;
mod supply_chain;
mod view;
mod wire;
mod world;
