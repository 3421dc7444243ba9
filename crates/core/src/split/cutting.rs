//! Which functions a kernel is cut in.

use naga::{Module, Statement};

use crate::program::{is_grid_barrier, walk};

/// By function: whether it has grid barriers, through others too. The barrier itself counts.
pub(super) fn cutting(module: &Module) -> Vec<bool> {
    let mut cutting: Vec<bool> = Vec::with_capacity(module.functions.len());
    // Functions stand after those that they call.
    for (_, function) in module.functions.iter() {
        let calls =
            |statement: &Statement| matches!(statement, Statement::Call { function, .. } if cutting[function.index()]);
        let inside = walk::statements(&function.body).iter().any(|(statement, _)| calls(statement));
        cutting.push(is_grid_barrier(function) || inside);
    }
    cutting
}
