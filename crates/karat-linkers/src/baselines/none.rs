//! Finds nothing.

use crate::answer::LinkAnswer;
use crate::failure::LinkFailure;
use crate::info::LinkerInfo;
use crate::linker::Linker;
use crate::registry::BuiltIn;
use crate::task::LinkTask;

/// The linker that finds nothing: what everything else costs, measured.
pub(super) static NONE: BuiltIn = BuiltIn {
    name: "none",
    title: "Finds nothing",
    about: "Answers every text with no mention. Its score is what a linker gets that never dares.",
    settings: &[],
    needs_base: false,
    make: |_| Ok(Box::new(NoLinker(LinkerInfo::named("none", env!("CARGO_PKG_VERSION"))))),
};

struct NoLinker(LinkerInfo);

impl Linker for NoLinker {
    fn info(&self) -> &LinkerInfo {
        &self.0
    }

    fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
        tasks.iter().map(|_| Ok(LinkAnswer::default())).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{LinkTask, LinkerContext, built_in};

    #[test]
    fn it_answers_with_nothing_and_takes_no_settings() {
        let mut context = LinkerContext::default();
        let linker = built_in("none", &context).unwrap().unwrap();
        let answers =
            linker.link(&[LinkTask::of_text("d1", "Berlin"), LinkTask::of_text("d2", "")]);
        assert!(answers.iter().all(|answer| answer.as_ref().unwrap().mentions.is_empty()));
        assert_eq!(answers.len(), 2);
        context.settings.insert("seed".into(), "1".into());
        let refused = built_in("none", &context).unwrap().err().unwrap();
        assert_eq!(refused.message, "`none` has no setting `seed`");
    }
}
