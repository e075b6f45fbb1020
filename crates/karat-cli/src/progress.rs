//! A progress bar on a terminal, nothing elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat::formats::Progress;
use std::io::IsTerminal;
use std::sync::Arc;

/// A bar over the bytes of an input.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar for so many bytes; invisible when standard error is no terminal.
    pub(crate) fn new(bytes: u64, quiet: bool) -> Arc<Bar> {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(bytes), target);
        let style = ProgressStyle::with_template(
            "{msg} [{bar:30}] {bytes}/{total_bytes} {binary_bytes_per_sec} {eta}",
        );
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        Arc::new(Bar(bar))
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, step: &'static str, total: u64) {
        self.0.set_message(step);
        self.0.set_length(total);
        self.0.set_position(0);
    }

    fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}
