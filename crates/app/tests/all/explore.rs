//! `threshold explore` starts the program that lies beside it.

use std::{fs, path::Path, process::Command, sync::Mutex};

/// A process that one test starts while another still writes its program would hold that program open for writing,
/// and it could not be started.
static ALONE: Mutex<()> = Mutex::new(());

fn copy_program(dir: &Path) -> std::path::PathBuf {
    let program = dir.join(format!("threshold{}", std::env::consts::EXE_SUFFIX));
    fs::copy(env!("CARGO_BIN_EXE_threshold"), &program).unwrap();
    program
}

#[test]
fn without_the_explorer_it_says_how_to_build_it() {
    let _alone = ALONE.lock();
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(copy_program(dir.path())).args(["explore", "--at", "Inn"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("cargo run --release -p threshold-explorer"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn help_is_there_before_the_explorer_is() {
    let _alone = ALONE.lock();
    let dir = tempfile::tempdir().unwrap();
    let program = copy_program(dir.path());
    for arguments in [["explore", "--help"], ["help", "explore"]] {
        let output = Command::new(&program).args(arguments).output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
        assert!(help.contains("--at 'Tower Lookout'") && help.contains("--dats DIR"), "{help}");
    }
}

#[cfg(unix)]
#[test]
fn it_becomes_the_explorer_with_its_arguments() {
    use std::os::unix::fs::PermissionsExt;
    let _alone = ALONE.lock();
    let dir = tempfile::tempdir().unwrap();
    let explorer = dir.path().join("threshold-explorer");
    fs::write(&explorer, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&explorer, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(copy_program(dir.path()));
    let output = command.args(["explore", "--at", "Tower Lookout", "--help"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "<--at><Tower Lookout><--help>");
    assert_eq!(output.status.code(), Some(7));
}
