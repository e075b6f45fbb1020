//! An operation as the command that does it.

use super::operation::{Handler, Operation, Takes};
use super::{GROUPS, PREFIX};
use crate::page::{Asked, Page};
use crate::pages::board::NamedBoard;
use axum::http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// An operation with everything that it needs, as a line for a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CurlCommand {
    /// What stands between `curl` and the address.
    options: String,
    /// The path with its query.
    path: String,
}

impl CurlCommand {
    /// The line, for a server at this address.
    pub(crate) fn written(&self, origin: &str) -> String {
        format!("curl{} '{origin}{}'", self.options, self.path)
    }

    /// The same in words of the operation, with the names of braces in capital letters.
    pub(crate) fn in_general(operation: &Operation) -> String {
        let mut path = operation.path.to_owned();
        for name in operation.parameters() {
            path = path.replace(&format!("{{{name}}}"), &name.to_uppercase());
        }
        let body = match operation.takes {
            Takes::Nothing => "",
            Takes::Json(_) => " --json '{...}'",
            Takes::File => " --data-binary @FILE",
        };
        let form = match operation.handler {
            Handler::Page(..) => " -H \"Accept: text/markdown\"",
            Handler::Function(_) => "",
        };
        format!("curl{}{body}{form} $KARAT{PREFIX}{path}", options(operation))
    }

    /// An operation with these braces and keys.
    pub(crate) fn of<'v>(
        operation: &Operation,
        parameters: impl Fn(&str) -> &'v str,
        query: &[(&str, &str)],
    ) -> CurlCommand {
        let mut path = format!("{PREFIX}{}", operation.path);
        for name in operation.parameters() {
            path = path.replace(&format!("{{{name}}}"), &plain(parameters(name)));
        }
        let query: Vec<String> =
            query.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
        if !query.is_empty() {
            path.push('?');
            path.push_str(&query.join("&"));
        }
        CurlCommand { options: options(operation), path }
    }

    /// The same with a body, or more headers.
    #[must_use]
    pub(crate) fn with(mut self, options: &str) -> CurlCommand {
        self.options.push(' ');
        self.options.push_str(options);
        self
    }
}

fn options(operation: &Operation) -> String {
    let mut options = String::from(" -H \"Authorization: Bearer $TOKEN\"");
    let is_implied = operation.method == Method::GET
        || (operation.method == Method::POST && !matches!(operation.takes, Takes::Nothing));
    if !is_implied {
        options.push_str(&format!(" -X {}", operation.method));
    }
    options
}

/// An operation by its name.
pub(crate) fn operation(id: &str) -> Option<&'static Operation> {
    GROUPS.iter().flat_map(|(_, operations)| operations.iter()).find(|known| known.id == id)
}

/// The command that does what a page does, if there is an operation for it.
pub(crate) fn command_of(
    page: &dyn Page,
    asked: &Asked<'_>,
    has_forms: bool,
) -> Option<CurlCommand> {
    // The board of everything is one of the boards.
    let path = if page.path() == "/" { NamedBoard.path() } else { page.path() };
    let of_page = |operation: &&Operation| match operation.handler {
        Handler::Page(other, _) => has_forms && other.path() == path,
        Handler::Function(_) => operation.page == page.path(),
    };
    let fixed = |operation: &Operation| match operation.handler {
        Handler::Page(_, fixed) => fixed,
        Handler::Function(_) => &[],
    };
    let fits = |operation: &&Operation| {
        fixed(operation).iter().all(|(name, value)| {
            let given = asked.query.iter().find(|(key, _)| key == name);
            given.is_some_and(|(_, given)| given == value)
        })
    };
    let all = || GROUPS.iter().flat_map(|(_, operations)| operations.iter()).filter(of_page);
    // The first of several is the view that a page has if nothing is chosen.
    let operation = all().find(fits).or_else(|| all().next())?;
    let parameter = |name: &str| match asked.parameter(name) {
        "" if name == "board" => "all",
        value => value,
    };
    let keys = operation.query_keys();
    let open = asked.query.iter().filter(|(name, _)| keys.iter().any(|key| key.name == *name));
    let query: Vec<(&str, &str)> = open.map(|(name, value)| (*name, value.as_str())).collect();
    Some(CurlCommand::of(operation, parameter, &query))
}

/// A part of an address; what stands in ids stays readable.
fn plain(value: &str) -> String {
    const SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'@');
    utf8_percent_encode(value, SET).to_string()
}
