//! Finds out on the device whether its driver cut a loop short.
//!
//! An invocation notes that it leaves a loop by its own will, in a word of workgroup memory; after
//! the loop it looks whether it did, and if not, says so in a word that the host reads. The note
//! stands in memory because a compiler that does not know of its driver's habit would see that a
//! loop is only ever left where the note is made, and drop the question.

use seawall_core::naga::{
    AddressSpace, ArraySize, BinaryOperator, Binding, Block, BuiltIn, Expression, Function, FunctionArgument,
    GlobalVariable, Handle, Literal, MemoryDecorations, Module, ResourceBinding, Scalar, Span, Statement,
    StorageAccess, SwitchCase, Type, TypeInner,
};
use seawall_core::program::{Kernel, walk};

/// Workgroup memory that the notes take at the most, for so many invocations.
pub(crate) fn note_bytes(invocations: u32) -> u32 {
    invocations.saturating_mul(4)
}

/// Whether a kernel has anything to watch.
pub(crate) fn has_loops(kernel: &Kernel) -> bool {
    let (module, entry) = (kernel.module(), &kernel.entry().function);
    let helpers = walk::helpers(module, entry).into_iter().map(|handle| &module.functions[handle]);
    helpers.chain([entry]).any(loops)
}

fn loops(function: &Function) -> bool {
    walk::statements(&function.body).iter().any(|(statement, _)| matches!(statement, Statement::Loop { .. }))
}

/// Watches all loops of a module's entry point; what is found goes to this binding of group 0.
pub(crate) fn watch(module: &mut Module, binding: u32) {
    let size = module.entry_points[0].workgroup_size;
    let invocations = size.iter().product::<u32>().max(1);
    let mut ty = |inner| module.types.insert(Type { name: None, inner }, Span::UNDEFINED);
    let word = ty(TypeInner::Scalar(Scalar::U32));
    let atomic = ty(TypeInner::Atomic(Scalar::U32));
    let count = std::num::NonZeroU32::new(invocations).unwrap_or(std::num::NonZeroU32::MIN);
    let notes = ty(TypeInner::Array { base: word, size: ArraySize::Constant(count), stride: 4 });
    let mut global = |name: &str, space, binding, ty| {
        let memory_decorations = MemoryDecorations::empty();
        let name = Some(name.to_owned());
        let variable = GlobalVariable { name, space, binding, ty, init: None, memory_decorations };
        module.global_variables.append(variable, Span::UNDEFINED)
    };
    let storage = AddressSpace::Storage { access: StorageAccess::LOAD | StorageAccess::STORE };
    let cut = global("loop_cut", storage, Some(ResourceBinding { group: 0, binding }), atomic);
    let notes = global("loops_left", AddressSpace::WorkGroup, None, notes);
    let own = global("own_note", AddressSpace::Private, None, word);
    let globals = Globals { cut, notes, own };
    for (_, function) in module.functions.iter_mut() {
        if loops(function) {
            Watcher::new(function, &globals).all(Vec::new());
        }
    }
    let types = &module.types;
    let entry = &mut module.entry_points[0].function;
    let (index, emitted) = local_index(entry, word, |ty| {
        let TypeInner::Struct { members, .. } = &types[ty].inner else { return None };
        let found = |binding: &Option<Binding>| *binding == Some(Binding::BuiltIn(BuiltIn::LocalInvocationIndex));
        members.iter().position(|member| found(&member.binding))
    });
    let pointer = entry.expressions.append(Expression::GlobalVariable(own), Span::UNDEFINED);
    let first: Vec<Statement> = emitted.into_iter().chain([Statement::Store { pointer, value: index }]).collect();
    Watcher::new(entry, &globals).all(first);
}

struct Globals {
    cut: Handle<GlobalVariable>,
    notes: Handle<GlobalVariable>,
    own: Handle<GlobalVariable>,
}

/// The entry point's index in its workgroup, and what must be evaluated for it. `member` says which
/// member of a type it is.
fn local_index(
    entry: &mut Function,
    word: Handle<Type>,
    member: impl Fn(Handle<Type>) -> Option<usize>,
) -> (Handle<Expression>, Option<Statement>) {
    let builtin = Some(Binding::BuiltIn(BuiltIn::LocalInvocationIndex));
    let plain = entry.arguments.iter().position(|argument| argument.binding == builtin);
    let inside = || entry.arguments.iter().enumerate().find_map(|(at, argument)| Some((at, member(argument.ty)?)));
    match (plain, inside()) {
        (Some(at), _) => (entry.expressions.append(Expression::FunctionArgument(at as u32), Span::UNDEFINED), None),
        (None, Some((at, member))) => {
            let base = entry.expressions.append(Expression::FunctionArgument(at as u32), Span::UNDEFINED);
            let first = entry.expressions.len();
            let index = Expression::AccessIndex { base, index: member as u32 };
            let index = entry.expressions.append(index, Span::UNDEFINED);
            (index, Some(Statement::Emit(entry.expressions.range_from(first))))
        }
        (None, None) => {
            entry.arguments.push(FunctionArgument { name: None, ty: word, binding: builtin });
            let at = entry.arguments.len() as u32 - 1;
            (entry.expressions.append(Expression::FunctionArgument(at), Span::UNDEFINED), None)
        }
    }
}

/// One function as it is rewritten.
struct Watcher<'a> {
    function: &'a mut Function,
    /// Pointers: to the word that the host reads, and to this invocation's note.
    cut: Handle<Expression>,
    note: Handle<Expression>,
    zero: Handle<Expression>,
    one: Handle<Expression>,
    /// Evaluates the note's place.
    place: Statement,
}

impl<'a> Watcher<'a> {
    fn new(function: &'a mut Function, globals: &Globals) -> Self {
        let mut add = |expression| function.expressions.append(expression, Span::UNDEFINED);
        let [cut, notes, own] =
            [globals.cut, globals.notes, globals.own].map(|global| add(Expression::GlobalVariable(global)));
        let [zero, one] = [0, 1].map(|word| add(Expression::Literal(Literal::U32(word))));
        let first = function.expressions.len();
        let mut add = |expression| function.expressions.append(expression, Span::UNDEFINED);
        let index = add(Expression::Load { pointer: own });
        let note = add(Expression::Access { base: notes, index });
        let place = Statement::Emit(function.expressions.range_from(first));
        Self { function, cut, note, zero, one, place }
    }

    /// Rewrites the body, which begins with these statements.
    fn all(mut self, first: Vec<Statement>) {
        let body = std::mem::take(&mut self.function.body);
        let mut new = Block::from_vec(first);
        new.push(self.place.clone(), Span::UNDEFINED);
        self.block(body, false, &mut new);
        self.function.body = new;
    }

    /// Rewrites a block; in a loop, a break leaves that.
    fn block(&mut self, block: Block, in_loop: bool, new: &mut Block) {
        for (statement, span) in block.span_into_iter() {
            let statement = match statement {
                Statement::Break if in_loop => {
                    self.leaves(new);
                    Statement::Break
                }
                Statement::Block(inner) => Statement::Block(self.inner(inner, in_loop)),
                Statement::If { condition, accept, reject } => {
                    let (accept, reject) = (self.inner(accept, in_loop), self.inner(reject, in_loop));
                    Statement::If { condition, accept, reject }
                }
                Statement::Switch { selector, cases } => {
                    let case = |case: SwitchCase| SwitchCase { body: self.inner(case.body, false), ..case };
                    Statement::Switch { selector, cases: cases.into_iter().map(case).collect() }
                }
                Statement::Loop { body, continuing, break_if } => {
                    let (body, mut continuing) = (self.inner(body, true), self.inner(continuing, true));
                    if let Some(condition) = break_if {
                        let mut accept = Block::new();
                        self.leaves(&mut accept);
                        let leaves = Statement::If { condition, accept, reject: Block::new() };
                        continuing.push(leaves, Span::UNDEFINED);
                    }
                    new.push(Statement::Loop { body, continuing, break_if }, span);
                    self.look(new);
                    continue;
                }
                other @ (Statement::Emit(_)
                | Statement::Break
                | Statement::Continue
                | Statement::Return { .. }
                | Statement::Kill
                | Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_)
                | Statement::Store { .. }
                | Statement::ImageStore { .. }
                | Statement::Atomic { .. }
                | Statement::ImageAtomic { .. }
                | Statement::WorkGroupUniformLoad { .. }
                | Statement::Call { .. }
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. }
                | Statement::CooperativeStore { .. }) => other,
            };
            new.push(statement, span);
        }
    }

    fn inner(&mut self, block: Block, in_loop: bool) -> Block {
        let mut new = Block::with_capacity(block.len());
        self.block(block, in_loop, &mut new);
        new
    }

    /// Notes that a loop is left.
    fn leaves(&self, new: &mut Block) {
        new.push(Statement::Store { pointer: self.note, value: self.one }, Span::UNDEFINED);
    }

    /// Looks whether the loop before was left, and takes the note back, for whatever is around it.
    fn look(&mut self, new: &mut Block) {
        let first = self.function.expressions.len();
        let mut add = |expression| self.function.expressions.append(expression, Span::UNDEFINED);
        let left = add(Expression::Load { pointer: self.note });
        let condition = add(Expression::Binary { op: BinaryOperator::Equal, left, right: self.zero });
        new.push(Statement::Emit(self.function.expressions.range_from(first)), Span::UNDEFINED);
        let accept = Block::from_vec(vec![Statement::Store { pointer: self.cut, value: self.one }]);
        new.push(Statement::If { condition, accept, reject: Block::new() }, Span::UNDEFINED);
        new.push(Statement::Store { pointer: self.note, value: self.zero }, Span::UNDEFINED);
    }
}
