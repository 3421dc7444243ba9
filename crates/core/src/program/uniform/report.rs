//! How a missed barrier, or an analysis that would not end in time, is told.

use naga::Statement;

use super::{Analysis, CALLS_MAX, DEPTH_MAX, Fact, Flow, Scope, subgroup};
use crate::diag::{Diagnostic, Span};

impl Analysis<'_> {
    /// A barrier at `span` is reached in `flow`.
    pub(super) fn barrier(&mut self, name: &str, span: naga::Span, flow: Flow) {
        let span = Span::of(span);
        let Some(split) = flow else { return };
        if !self.reported.insert(span) {
            return;
        }
        let whom = self.whom();
        // The `break` of a `for` has the place of its condition.
        let around = |left: &Span| split.condition.is_some_and(|c| left.start <= c.start && c.end <= left.end);
        let cause = &self.causes[split.cause.0 as usize];
        let message = format!("`{name}` may not be reached by every invocation of the {whom}");
        let mut diagnostic = match self.scope {
            Scope::Subgroup => Diagnostic::error("subgroup-divergence", message),
            Scope::Workgroup | Scope::Grid => Diagnostic::error("barrier-divergence", message),
        };
        diagnostic = diagnostic
            .at(span, format!("all invocations of the {whom} must come here together"))
            .context(split.condition, "this may differ between them")
            .context(split.left.filter(|left| !around(left)), "some of them may leave here")
            .context(cause.span.filter(|span| Some(*span) != split.condition), &cause.text);
        for site in self.calls.iter().rev() {
            diagnostic = diagnostic.context(*site, "called here");
        }
        if cause.span.is_none() || cause.span == split.condition {
            diagnostic = diagnostic.help(format!("it {}", cause.text));
        }
        let help = match &cause.written {
            Some(name) => format!(
                "put a `gridBarrier()` between the last write to `{name}` and that load, and one between the load and \
                 the next write: then the value is the same for all"
            ),
            None if self.scope == Scope::Subgroup => {
                "if those that are not there need not take part, say so at the top: \
                 `diagnostic(off, subgroup_uniformity);`"
                    .to_owned()
            }
            None => format!("move it to where the whole {whom} passes, or branch on a value that is the same for all"),
        };
        self.found.push(diagnostic.help(help));
    }

    /// An operation of subgroups, if `statement` is one, is reached in `flow`.
    pub(super) fn meet(&mut self, statement: &Statement, span: naga::Span, flow: Flow) {
        let Some(name) = subgroup::name(statement).filter(|_| self.scope == Scope::Subgroup) else { return };
        // One that has no place in the text is where it is called.
        let place = Span::of(span).or(self.calls.last().copied().flatten());
        if !self.rule.is_mild(place) {
            self.barrier(name, span, flow);
        }
    }

    /// The address of a `workgroupUniformLoad` at `span` has `fact`.
    pub(super) fn uniform_load(&mut self, span: naga::Span, fact: Fact) {
        let span = Span::of(span);
        let Some(cause) = fact else { return };
        if !self.reported.insert(span) {
            return;
        }
        let cause = &self.causes[cause.0 as usize];
        self.found.push(
            Diagnostic::error("barrier-divergence", "`workgroupUniformLoad` reads one place for the whole workgroup")
                .at(span, "its address may differ between invocations")
                .context(cause.span, &cause.text)
                .help("load a place whose index is the same for all invocations"),
        );
    }

    /// The program is too deep to look at.
    pub(super) fn too_deep(&mut self, span: naga::Span) {
        let message = format!("blocks and calls are more than {DEPTH_MAX} deep on the way to here");
        self.beyond.get_or_insert(
            Diagnostic::error("too-deep", message)
                .at(Span::of(span), "too deep to tell whether barriers are reached together"),
        );
    }

    /// Functions are called in too many different ways.
    pub(super) fn too_many(&mut self, span: naga::Span) {
        let message = format!("functions are called in more than {CALLS_MAX} different ways");
        self.beyond.get_or_insert(
            Diagnostic::error("too-large", message)
                .at(Span::of(span), "too many calls to tell whether barriers are reached together"),
        );
    }

    fn whom(&self) -> &'static str {
        match self.scope {
            Scope::Workgroup => "workgroup",
            Scope::Grid => "grid",
            Scope::Subgroup => "subgroup",
        }
    }
}
