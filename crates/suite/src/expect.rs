//! Whether the errors that came are those that were expected.

use seawall_core::diag::{Diagnostic, Report, Severity};

use crate::case;

/// Every expected error has come, and no other.
pub fn errors(expected: &[case::Error], report: &Report) -> Result<(), String> {
    let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let mut came: Vec<&Diagnostic> = errors.collect();
    for want in expected {
        let Some(at) = came.iter().position(|diagnostic| matches(want, diagnostic, &report.source.text)) else {
            return Err(format!("expected {}, got:\n{report}", describe(want)));
        };
        came.remove(at);
    }
    if came.is_empty() { Ok(()) } else { Err(format!("more errors than expected:\n{report}")) }
}

/// An expected error, in words.
pub fn describe(want: &case::Error) -> String {
    let place = want.line.map_or("without a place".to_owned(), |line| format!("on line {line}"));
    format!("error[{}] {:?} {place}", want.code, want.text)
}

fn matches(want: &case::Error, diagnostic: &Diagnostic, source: &str) -> bool {
    let primary = diagnostic.labels.iter().find(|label| label.primary);
    let line = primary.map(|label| 1 + source[..label.span.start as usize].matches('\n').count());
    let said = |text: &str| text.contains(&want.text);
    diagnostic.code == want.code
        && line == want.line
        && (said(&diagnostic.message) || primary.is_some_and(|label| said(&label.text)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seawall_core::diag::{Source, Span};

    use super::*;

    const TEXT: &str = "one\ntwo\nthree\n";

    fn report(diagnostics: Vec<Diagnostic>) -> Report {
        Report { source: Arc::new(Source { name: "x".to_owned(), text: TEXT.to_owned() }), diagnostics }
    }

    fn on_two() -> Diagnostic {
        Diagnostic::error("bad", "this is bad")
            .context(Some(Span { start: 0, end: 3 }), "context")
            .at(Some(Span { start: 4, end: 7 }), "here")
    }

    fn want(directives: &str) -> Vec<case::Error> {
        case::parse(directives).unwrap().errors
    }

    #[test]
    fn the_right_error() {
        for directives in ["\n//~ error[bad]", "\n\n//~^ error[bad] is bad", "\n//~ error[bad] here"] {
            errors(&want(directives), &report(vec![on_two()])).unwrap();
        }
        errors(&want("//! error[bad] is"), &report(vec![Diagnostic::error("bad", "this is bad")])).unwrap();
    }

    #[test]
    fn a_wrong_line_code_or_text() {
        for directives in
            ["//~ error[bad]", "\n\n//~ error[bad]", "\n//~ error[worse]", "\n//~ error[bad] there", "//! error[bad]"]
        {
            assert!(errors(&want(directives), &report(vec![on_two()])).is_err(), "{directives:?}");
        }
        assert!(errors(&want("\n//~ error[bad]"), &report(vec![Diagnostic::error("bad", "x")])).is_err());
    }

    #[test]
    fn too_many_or_too_few() {
        let want = want("\n//~ error[bad]");
        assert!(errors(&want, &report(vec![on_two(), on_two()])).is_err());
        let twice = [want.clone(), want].concat();
        assert!(errors(&twice, &report(vec![on_two()])).is_err());
        errors(&twice, &report(vec![on_two(), on_two()])).unwrap();
    }
}
