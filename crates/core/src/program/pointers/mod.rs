//! Functions that take pointers into buffers and workgroup memory, or to parts of variables:
//! `ptr<storage, …>`, `f(&rows[i].total)`.
//!
//! naga's validator refuses the former and its SPIR-V writer the latter, and devices are simpler
//! where a buffer is named by who uses it. Every pointer in WGSL comes from one variable by members
//! and indices, so such a function is written out for the places that it is called with. Members and
//! constant indices are fixed in it, and the other indices become arguments: as values of the call,
//! they are what they were when the pointer was made. Functions do not call themselves in WGSL, so
//! that this ends; functions with pointers into shared memory that nobody calls are left out.

mod fixed;

use std::collections::HashMap;

use naga::front::Typifier;
use naga::proc::{ResolveContext, TypeResolution};
use naga::{AddressSpace, Expression, Function, GlobalVariable, Handle, Module, Statement, Type};

use crate::diag::{Diagnostic, Span};
use crate::program::walk::{self, Link};

/// Expressions of all functions that are written out, together.
const EXPRESSIONS_MAX: usize = 1 << 18;

/// Where a pointer points to: a variable, and the way from there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Place {
    root: Root,
    way: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    /// A variable of the module.
    Global(Handle<GlobalVariable>),
    /// What a pointer of this type points to, which is an argument itself.
    Given(Handle<Type>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    /// A member, or an element whose index is constant.
    Fixed(u32),
    /// An element whose index is an argument of this type.
    Given(Handle<Type>),
}

/// What each argument of a function points to, for those that are fixed in it.
type Places = Vec<Option<Place>>;

/// Writes functions that take such pointers out for what they are called with.
pub(super) fn write_out(module: &mut Module) -> Result<(), Diagnostic> {
    let pointer = |ty: Handle<Type>| module.types[ty].inner.pointer_space().is_some();
    let points = |function: &Function| function.arguments.iter().any(|argument| pointer(argument.ty));
    if !module.functions.iter().any(|(_, function)| points(function)) {
        return Ok(());
    }
    let old = module.clone();
    module.functions.clear();
    let mut entries = std::mem::take(&mut module.entry_points);
    let mut writer = Writer { old: &old, module, made: HashMap::new(), expressions: 0 };
    for (handle, function) in old.functions.iter() {
        if !function.arguments.iter().any(|argument| is_shared(&old, argument.ty)) {
            writer.function(handle, vec![None; function.arguments.len()])?;
        }
    }
    entries.iter_mut().try_for_each(|entry| writer.calls(&mut entry.function))?;
    module.entry_points = entries;
    Ok(())
}

/// Whether it is a pointer into memory that more than one invocation can see, or a uniform one.
fn is_shared(module: &Module, ty: Handle<Type>) -> bool {
    match module.types[ty].inner.pointer_space() {
        Some(
            AddressSpace::Storage { .. } | AddressSpace::Uniform | AddressSpace::WorkGroup | AddressSpace::Immediate,
        ) => true,
        Some(
            AddressSpace::Function
            | AddressSpace::Private
            | AddressSpace::Handle
            | AddressSpace::TaskPayload
            | AddressSpace::RayPayload
            | AddressSpace::IncomingRayPayload,
        )
        | None => false,
    }
}

struct Writer<'a> {
    old: &'a Module,
    module: &'a mut Module,
    /// What has been written, by the function that it was and what its pointers point to.
    made: HashMap<(Handle<Function>, Places), Handle<Function>>,
    expressions: usize,
}

impl Writer<'_> {
    /// A function with these of its arguments fixed.
    fn function(&mut self, handle: Handle<Function>, places: Places) -> Result<Handle<Function>, Diagnostic> {
        let key = (handle, places);
        if let Some(&made) = self.made.get(&key) {
            return Ok(made);
        }
        let mut function = self.old.functions[handle].clone();
        if key.1.iter().any(Option::is_some) {
            function = fixed::at(&function, &key.1);
            self.expressions += function.expressions.len();
        }
        if self.expressions > EXPRESSIONS_MAX {
            let message = "functions that take pointers into buffers or workgroup memory are called with so many \
                           places that they are too large together";
            let name = function.name.as_deref().unwrap_or("a function");
            return Err(Diagnostic::error("too-large", message)
                .help(format!("one of them is `{name}`: name the buffer in it, and pass an index")));
        }
        self.calls(&mut function)?;
        // After those that it calls, as naga has them.
        let made = self.module.functions.append(function, self.old.functions.get_span(handle));
        self.made.insert(key, made);
        Ok(made)
    }

    /// Lets a function call those that are written for it.
    fn calls(&mut self, function: &mut Function) -> Result<(), Diagnostic> {
        let mut body = std::mem::take(&mut function.body);
        let mut typed = None;
        let mut open = vec![&mut body];
        while let Some(block) = open.pop() {
            for (statement, span) in block.span_iter_mut() {
                if let Statement::Call { function: called, arguments, result } = statement {
                    let typed = match &mut typed {
                        Some(typed) => typed,
                        None => typed.insert(self.types(function)?),
                    };
                    let span = span.as_deref().and_then(|span| Span::of(*span));
                    *called = self.call(*called, arguments, (function, typed), span)?;
                    if let Some(result) = *result {
                        function.expressions[result] = Expression::CallResult(*called);
                    }
                }
                open.extend(walk::blocks_mut(statement));
            }
        }
        function.body = body;
        Ok(())
    }

    /// The function that a call gets, and its arguments for it.
    fn call(
        &mut self,
        called: Handle<Function>,
        arguments: &mut Vec<Handle<Expression>>,
        (function, typed): (&Function, &Typifier),
        span: Option<Span>,
    ) -> Result<Handle<Function>, Diagnostic> {
        let callee = &self.old.functions[called];
        let name = callee.name.as_deref().unwrap_or("the function");
        let (takes, given) = (callee.arguments.len(), arguments.len());
        if takes != given {
            let message = format!("`{name}` takes {takes} arguments, but {given} are given");
            return Err(Diagnostic::error("invalid", message).at(span, "in this call"));
        }
        let (mut places, mut kept, mut last) = (Places::new(), Vec::new(), Vec::new());
        for (at, &argument) in arguments.iter().enumerate() {
            let ty = callee.arguments[at].ty;
            let part =
                matches!(function.expressions[argument], Expression::Access { .. } | Expression::AccessIndex { .. })
                    && self.old.types[ty].inner.pointer_space().is_some();
            if !part && !is_shared(self.old, ty) {
                kept.push(argument);
                places.push(None);
                continue;
            }
            if !self.module.to_ctx().compare_types(&TypeResolution::Handle(ty), &typed[argument]) {
                let message = format!("argument {} of `{name}` is no pointer of the type that it takes", at + 1);
                return Err(Diagnostic::error("invalid", message).at(span, "in this call").help(
                    "address space, type and access must be the same, as in `ptr<storage, array<u32>, read_write>`",
                ));
            }
            places.push(Some(self.place((function, typed), argument, &mut last)));
        }
        kept.append(&mut last);
        *arguments = kept;
        self.function(called, places)
    }

    /// Where a pointer points to; what of that is found at run time is added to `given`.
    fn place(
        &mut self,
        (function, typed): (&Function, &Typifier),
        mut pointer: Handle<Expression>,
        given: &mut Vec<Handle<Expression>>,
    ) -> Place {
        let (mut way, mut indices) = (Vec::new(), Vec::new());
        loop {
            match walk::link(&function.expressions[pointer]) {
                Link::Member { base, index } => {
                    way.push(Step::Fixed(index));
                    pointer = base;
                }
                Link::Element { base, index } => {
                    way.push(Step::Given(typed.register_type(index, &mut self.module.types)));
                    indices.push(index);
                    pointer = base;
                }
                Link::Global(_) | Link::Local(_) | Link::Argument(_) | Link::Value => break,
            }
        }
        way.reverse();
        let root = if let Expression::GlobalVariable(root) = function.expressions[pointer] {
            Root::Global(root)
        } else {
            given.push(pointer);
            Root::Given(typed.register_type(pointer, &mut self.module.types))
        };
        given.extend(indices.into_iter().rev());
        Place { root, way }
    }

    /// The types of a function's expressions.
    fn types(&self, function: &Function) -> Result<Typifier, Diagnostic> {
        let mut typed = Typifier::new();
        let context = ResolveContext {
            functions: &self.old.functions,
            ..ResolveContext::with_locals(self.module, &function.local_variables, &function.arguments)
        };
        let Some((last, _)) = function.expressions.iter().next_back() else { return Ok(typed) };
        typed.grow(last, &function.expressions, &context).map_err(|_| {
            let name = function.name.as_deref().unwrap_or("a function");
            Diagnostic::error("invalid", format!("an expression of `{name}` has no type"))
        })?;
        Ok(typed)
    }
}
