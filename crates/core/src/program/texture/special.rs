//! Functions that take textures and samplers, once for each combination that they are called with.
//!
//! After this, whatever is done to a texture names its variable. It comes before naga's validator, which does not
//! let functions store to textures that they are given, although WGSL does.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use naga::{Block, Expression, Function, GlobalVariable, Handle, Module, Statement, TypeInner};

use crate::diag::Diagnostic;
use crate::program::walk::{self, Link};

/// Functions at most, with what they are written for.
const VARIANTS_MAX: usize = 4096;

/// For each argument of a function, the texture or sampler that it is in one variant of it.
type Given = Vec<Option<Handle<GlobalVariable>>>;

/// By function, the variants that are called.
type Variants = BTreeMap<usize, BTreeSet<Given>>;

pub(super) fn specialise(module: &mut Module) -> Result<(), Diagnostic> {
    let is_view = |ty| matches!(module.types[ty].inner, TypeInner::Image { .. } | TypeInner::Sampler { .. });
    let takes = |function: &Function| function.arguments.iter().any(|argument| is_view(argument.ty));
    if !module.functions.iter().any(|(_, function)| takes(function)) {
        return Ok(());
    }
    let variants = variants(module)?;
    let old = module.functions.take();
    let mut written = HashMap::new();
    for (handle, function) in old.iter() {
        for given in variants.get(&handle.index()).into_iter().flatten() {
            let variant = variant(module, function.clone(), given, &written);
            let new = module.functions.append(variant, old.get_span(handle));
            written.insert((handle.index(), given.clone()), new);
        }
    }
    let mut points = std::mem::take(&mut module.entry_points);
    for point in &mut points {
        let given = vec![None; point.function.arguments.len()];
        point.function = variant(module, std::mem::take(&mut point.function), &given, &written);
    }
    module.entry_points = points;
    Ok(())
}

/// Callers come first, for what a function is given decides what it gives to others. What nobody calls is
/// kept as it is.
fn variants(module: &Module) -> Result<Variants, Diagnostic> {
    let mut variants = Variants::new();
    let mut count = 0;
    let mut call = |function: &Function, given: &Given, variants: &mut Variants| {
        for (statement, _) in walk::statements(&function.body) {
            let Statement::Call { function: callee, arguments, .. } = statement else { continue };
            let handed = arguments.iter().map(|&argument| handed(module, function, given, argument)).collect();
            count += usize::from(variants.entry(callee.index()).or_default().insert(handed));
        }
        count <= VARIANTS_MAX.max(module.functions.len())
    };
    let mut fits = true;
    for point in &module.entry_points {
        fits &= call(&point.function, &vec![None; point.function.arguments.len()], &mut variants);
    }
    for (handle, function) in module.functions.iter().rev() {
        let plain = || BTreeSet::from([vec![None; function.arguments.len()]]);
        for given in variants.entry(handle.index()).or_insert_with(plain).clone() {
            fits = fits && call(function, &given, &mut variants);
        }
    }
    if fits {
        return Ok(variants);
    }
    let message = format!("functions are called with more than {VARIANTS_MAX} combinations of textures");
    Err(Diagnostic::error("too-large", message).help("name the textures in the functions that use them"))
}

/// The texture or sampler that an expression is.
fn handed(
    module: &Module,
    function: &Function,
    given: &Given,
    argument: Handle<Expression>,
) -> Option<Handle<GlobalVariable>> {
    match walk::link(&function.expressions[argument]) {
        Link::Global(variable) => {
            let inner = &module.types[module.global_variables[variable].ty].inner;
            matches!(inner, TypeInner::Image { .. } | TypeInner::Sampler { .. }).then_some(variable)
        }
        Link::Argument(at) => given.get(at as usize).copied().flatten(),
        Link::Element { .. } | Link::Member { .. } | Link::Local(_) | Link::Value => None,
    }
}

/// A function without the arguments that are given.
fn variant(
    module: &Module,
    mut function: Function,
    given: &Given,
    written: &HashMap<(usize, Given), Handle<Function>>,
) -> Function {
    let mut body = std::mem::take(&mut function.body);
    calls(module, &mut function, given, written, &mut body);
    function.body = body;
    let is_given = |at: u32| given.get(at as usize).copied().flatten();
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::FunctionArgument(at) = expression {
            let before = (0..*at).filter(|&at| is_given(at).is_some()).count() as u32;
            *expression = is_given(*at).map_or(Expression::FunctionArgument(*at - before), Expression::GlobalVariable);
        }
    }
    let mut at = 0..;
    function.arguments.retain(|_| at.next().is_none_or(|at| is_given(at).is_none()));
    function
}

fn calls(
    module: &Module,
    function: &mut Function,
    given: &Given,
    written: &HashMap<(usize, Given), Handle<Function>>,
    block: &mut Block,
) {
    for statement in block.iter_mut() {
        if let Statement::Call { function: callee, arguments, result } = statement {
            let views: Given = arguments.iter().map(|&argument| handed(module, function, given, argument)).collect();
            let mut stays = views.iter().map(Option::is_none);
            arguments.retain(|_| stays.next().unwrap_or(true));
            *callee = written[&(callee.index(), views)];
            if let Some(result) = *result {
                function.expressions[result] = Expression::CallResult(*callee);
            }
        }
        for inner in walk::blocks_mut(statement) {
            calls(module, function, given, written, inner);
        }
    }
}
