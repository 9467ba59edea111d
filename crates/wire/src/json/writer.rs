//! The few forms of JSON that events need.

use std::fmt::{Display, Write};

/// An object that is being written.
pub(super) struct Object<'o> {
    out: &'o mut String,
    is_empty: bool,
}

impl Object<'_> {
    /// Writes a whole object.
    pub(super) fn write(out: &mut String, content: impl FnOnce(&mut Object<'_>)) {
        out.push('{');
        content(&mut Object { out, is_empty: true });
        out.push('}');
    }

    fn name(&mut self, name: &str) -> &mut String {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(',');
        }
        // Names are our own: nothing in them needs an escape.
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    fn put(&mut self, name: &str, value: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = self.name(name).write_fmt(value);
    }

    pub(super) fn number(&mut self, name: &str, number: impl Display) {
        self.put(name, format_args!("{number}"));
    }

    pub(super) fn float(&mut self, name: &str, number: f32) {
        self.put(name, format_args!("{number:?}"));
    }

    pub(super) fn double(&mut self, name: &str, number: f64) {
        self.put(name, format_args!("{number:?}"));
    }

    pub(super) fn floats(&mut self, name: &str, numbers: &[f32]) {
        let out = self.name(name);
        for (index, number) in numbers.iter().enumerate() {
            let before = if index == 0 { '[' } else { ',' };
            let _ = write!(out, "{before}{number:?}");
        }
        out.push(']');
    }

    pub(super) fn truth(&mut self, name: &str, truth: bool) {
        self.put(name, format_args!("{truth}"));
    }

    /// Eight digits.
    pub(super) fn hex(&mut self, name: &str, number: u32) {
        self.put(name, format_args!("\"0x{number:08X}\""));
    }

    /// Four digits or more.
    pub(super) fn short_hex(&mut self, name: &str, number: u32) {
        self.put(name, format_args!("\"0x{number:04X}\""));
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        let text = serde_json::Value::from(text);
        self.put(name, format_args!("{text}"));
    }

    pub(super) fn object(&mut self, name: &str, content: impl FnOnce(&mut Object<'_>)) {
        Object::write(self.name(name), content);
    }

    pub(super) fn list<T>(&mut self, name: &str, items: &[T], mut content: impl FnMut(&mut Object<'_>, &T)) {
        let out = self.name(name);
        out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            Object::write(out, |o| content(o, item));
        }
        out.push(']');
    }

    /// Writes what is there.
    pub(super) fn maybe<T>(&mut self, value: Option<T>, content: impl FnOnce(&mut Self, T)) {
        if let Some(value) = value {
            content(self, value);
        }
    }
}
