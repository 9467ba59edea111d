//! The engine under test: this one, or a program that is started for every case.

use anyhow::{Context, Result};
use std::{
    fmt,
    io::{self, Read},
    process::{Child, Command, ExitStatus, Stdio},
    str::FromStr,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// Most that a program may print for one case; the longest recorded output has about 6 MB.
const MAX_OUTPUT: u64 = 64 << 20;
/// What is kept of its messages.
const MAX_MESSAGES: u64 = 64 << 10;
/// After so many timeouts a program is not started any more.
const MAX_TIMEOUTS: usize = 4;
/// How often a program that has closed its output is asked whether it has ended.
const POLL: Duration = Duration::from_millis(2);

/// What is tested.
pub(super) enum Engine {
    /// This engine, without a process.
    Own,
    /// Any other.
    Program(Program),
}

/// A program and how long it may take.
pub(super) struct Program {
    template: Template,
    timeout: Duration,
    timeouts: AtomicUsize,
}

/// A command with places for the files of a case.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Template(Vec<String>);

impl FromStr for Template {
    type Err = String;

    /// Words are separated by white space; quotes of either kind keep them together.
    fn from_str(text: &str) -> Result<Template, String> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for c in text.chars() {
            match quote {
                Some(end) if c == end => quote = None,
                None if c == '"' || c == '\'' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        if quote.is_some() {
            return Err("unclosed quote".to_owned());
        }
        words.extend(word);
        if words.is_empty() {
            return Err("a program is needed, such as 'python3 engine.py {dats} {scenario}'".to_owned());
        }
        Ok(Template(words))
    }
}

impl Template {
    fn command(&self, values: &[(&str, String)]) -> Command {
        let mut words = self.0.iter().map(|word| {
            values
                .iter()
                .fold(word.clone(), |word, (name, value)| word.replace(&format!("{{{name}}}"), value))
        });
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }
}

/// What a program printed, and what went wrong with it.
pub(super) struct Answer {
    pub(super) output: Vec<u8>,
    pub(super) fault: Option<Fault>,
}

/// Why an answer is not all that could be expected.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fault {
    /// It did not end in time and was killed.
    TimedOut(Duration),
    /// It was not started: it had timed out too often before.
    GivenUp,
    /// It printed more than fits and was killed.
    TooMuch,
    /// It did not end well; with the last line of its messages.
    Ended(ExitStatus, String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TimedOut(limit) => {
                write!(f, "the engine did not end within {} s and was killed", limit.as_secs_f32())
            }
            Fault::GivenUp => {
                write!(f, "not played: the engine did not end in time {MAX_TIMEOUTS} times before")
            }
            Fault::TooMuch => {
                write!(f, "the engine printed more than {} MiB and was killed", MAX_OUTPUT >> 20)
            }
            Fault::Ended(status, message) if message.is_empty() => {
                write!(f, "the engine ended with {status}")
            }
            Fault::Ended(status, message) => write!(f, "the engine ended with {status}: {message}"),
        }
    }
}

impl Engine {
    pub(super) fn program(template: Template, timeout: Duration) -> Engine {
        Engine::Program(Program { template, timeout, timeouts: AtomicUsize::new(0) })
    }
}

impl Program {
    /// Runs the program for one case. Only that it cannot be started at all is an error.
    pub(super) fn answer(&self, values: &[(&str, String)]) -> Result<Answer> {
        if self.timeouts.load(Ordering::Relaxed) >= MAX_TIMEOUTS {
            return Ok(Answer { output: Vec::new(), fault: Some(Fault::GivenUp) });
        }
        let mut command = self.template.command(values);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let name = || format!("--engine: {}", command.get_program().display());
        let name = name();
        let mut child = command.spawn().with_context(|| name.clone())?;
        let answer = self.listen(&mut child).with_context(|| name.clone());
        // Also after an error: nothing is left running.
        let _ = child.kill();
        let _ = child.wait();
        let answer = answer?;
        if matches!(answer.fault, Some(Fault::TimedOut(_))) {
            self.timeouts.fetch_add(1, Ordering::Relaxed);
        }
        Ok(answer)
    }

    fn listen(&self, child: &mut Child) -> io::Result<Answer> {
        let deadline = Instant::now() + self.timeout;
        let output = read_apart(child.stdout.take(), MAX_OUTPUT);
        let messages = read_apart(child.stderr.take(), MAX_MESSAGES);
        let output = match output.recv_timeout(self.timeout) {
            Ok(output) => output,
            Err(_) => return Ok(Answer { output: Vec::new(), fault: Some(Fault::TimedOut(self.timeout)) }),
        };
        if output.len() as u64 > MAX_OUTPUT {
            return Ok(Answer { output: Vec::new(), fault: Some(Fault::TooMuch) });
        }
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if Instant::now() >= deadline => {
                    return Ok(Answer { output, fault: Some(Fault::TimedOut(self.timeout)) });
                }
                None => thread::sleep(POLL),
            }
        };
        let fault = (!status.success()).then(|| {
            // Grandchildren may hold the pipe open for ever.
            let messages = messages.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
            let text = String::from_utf8_lossy(&messages);
            let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
            Fault::Ended(status, last.unwrap_or_default().chars().take(200).collect())
        });
        Ok(Answer { output, fault })
    }
}

/// Reads a pipe to its end, or a byte further than the limit, without stopping anybody who writes more.
fn read_apart(pipe: Option<impl Read + Send + 'static>, limit: u64) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut bytes = Vec::new();
        // What was read before an error counts.
        let _ = (&mut pipe).take(limit + 1).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
        let _ = io::copy(&mut pipe, &mut io::sink());
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_split_at_white_space_outside_of_quotes() {
        let words = |text: &str| text.parse::<Template>().map(|template| template.0);
        assert_eq!(words("a  'b c' \"d'e\" ''").unwrap(), ["a", "b c", "d'e", ""]);
        assert_eq!(words(r"C:\engine.exe {scenario}").unwrap(), [r"C:\engine.exe", "{scenario}"]);
        assert!(words("").is_err() && words(" ").is_err() && words("a 'b").is_err());
    }

    #[test]
    fn values_are_put_in_without_being_split() {
        let template: Template = "engine --world={dats} {scenario}".parse().unwrap();
        let command = template.command(&[("dats", "a b".to_owned()), ("scenario", "{dats}'c".to_owned())]);
        let args: Vec<_> = command.get_args().map(|arg| arg.to_str().unwrap()).collect();
        assert_eq!(args, ["--world=a b", "{dats}'c"]);
    }
}
