//! How long each frame took: a table, and a line that sums it up.

use crate::{
    platform::{self, Instant, OutputFile},
    session::Session,
};
use anyhow::{Context, Result};
use std::{
    fmt,
    io::Write,
    path::{Path, PathBuf},
};

/// A CSV file with a line per frame.
pub struct FrameTimes {
    file: OutputFile,
    path: PathBuf,
    begun: Instant,
    summary: Summary,
}

impl FrameTimes {
    /// Begins the file. Times in it count from when the program began.
    pub fn create(path: &Path, begun: Instant) -> Result<FrameTimes> {
        let mut file = platform::create_file(path)?;
        writeln!(file, "second,frame_ms,cell,loading").with_context(|| path.display().to_string())?;
        Ok(FrameTimes { file, path: path.to_owned(), begun, summary: Summary::default() })
    }

    /// A frame begins, so many seconds after the one before it.
    pub(super) fn note(&mut self, seconds: f64, session: &Session) -> Result<()> {
        let (now, ms) = (self.begun.elapsed().as_secs_f64(), seconds * 1000.0);
        // What came before the first picture was no frame.
        if self.summary.first_picture.is_some() {
            self.summary.frames.push(seconds as f32);
        }
        let loading = session.loading().unwrap_or_default();
        // A reader of the table sees whole lines.
        writeln!(self.file, "{now:.3},{ms:.2},{},{loading}", session.position().cell)
            .and_then(|()| self.file.flush())
            .with_context(|| self.path.display().to_string())
    }

    /// A picture is on the screen.
    pub(super) fn note_picture(&mut self) {
        self.summary.first_picture.get_or_insert_with(|| self.begun.elapsed().as_secs_f32());
    }

    /// What there was so far.
    pub(super) fn summary(&self) -> &Summary {
        &self.summary
    }
}

/// Start and frames, in seconds.
#[derive(Default)]
pub(super) struct Summary {
    first_picture: Option<f32>,
    frames: Vec<f32>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.first_picture else { return f.write_str("no picture was shown") };
        write!(f, "first picture after {first:.2} s")?;
        let mut sorted = self.frames.clone();
        sorted.sort_by(f32::total_cmp);
        let Some(&longest) = sorted.last() else { return Ok(()) };
        let within = |share: usize| 1000.0 * sorted[(sorted.len() - 1) * share / 100];
        let per_second = sorted.len() as f32 / sorted.iter().sum::<f32>();
        write!(f, "; {} frames, {per_second:.1} a second: ", sorted.len())?;
        write!(f, "median {:.1} ms, 99 % within {:.1} ms, ", within(50), within(99))?;
        write!(f, "longest {:.1} ms", 1000.0 * longest)
    }
}

#[cfg(test)]
mod tests {
    use super::Summary;

    #[test]
    fn frames_are_summed_up() {
        let mut summary = Summary::default();
        assert_eq!(summary.to_string(), "no picture was shown");
        summary.first_picture = Some(1.5);
        assert_eq!(summary.to_string(), "first picture after 1.50 s");
        summary.frames = (1..=200).rev().map(|ms| ms as f32 / 1000.0).collect();
        assert_eq!(
            summary.to_string(),
            "first picture after 1.50 s; 200 frames, 10.0 a second: median 100.0 ms, 99 % within 198.0 ms, longest 200.0 ms"
        );
    }
}
