//! An entry point around a kernel's own, for grids that the device runs in another shape.
//!
//! It takes the device's ids, works out the workgroup of the kernel's grid that this is, and
//! calls the kernel's entry point with the ids that follow from it.

use seawall_core::naga::{
    AddressSpace, Arena, BinaryOperator, Binding, Block, BuiltIn, Expression, Function, FunctionArgument,
    GlobalVariable, Handle, Literal, MemoryDecorations, Module, ResourceBinding, Scalar, Span, Statement, StructMember,
    SwizzleComponent, Type, TypeInner, VectorSize,
};

/// Bytes of what an outer entry point is told: two vectors of three numbers.
pub(crate) const TOLD_BYTES: u32 = 32;

/// Where the second of them stands.
const SECOND_OFFSET: u32 = 16;

/// The group whose binding 0 tells a folded grid.
pub(crate) const FOLDED_GROUP: u32 = 1;

/// How the workgroup is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A corner, to be added, and the grid: immediate data.
    Part,
    /// The device's grid, by which workgroups are counted row by row, and the kernel's: a
    /// uniform buffer. There may be more of the device's workgroups than the kernel has.
    Folded,
}

/// What a part is told: its corner and the size of the whole grid.
pub(crate) fn part(corner: [u32; 3], grid: [u32; 3]) -> [u8; TOLD_BYTES as usize] {
    let mut bytes = [0; TOLD_BYTES as usize];
    for (numbers, at) in [(corner, 0), (grid, SECOND_OFFSET as usize)] {
        for (i, number) in numbers.iter().enumerate() {
            bytes[at + 4 * i..][..4].copy_from_slice(&number.to_le_bytes());
        }
    }
    bytes
}

/// Puts the module's entry point inside another.
pub(crate) fn wrap(module: &mut Module, place: Place) {
    let vec3 = TypeInner::Vector { size: VectorSize::Tri, scalar: Scalar::U32 };
    let vec3 = module.types.insert(Type { name: None, inner: vec3 }, Span::UNDEFINED);
    let member = |name: &str, offset| StructMember { name: Some(name.to_owned()), ty: vec3, binding: None, offset };
    let members = vec![member("first", 0), member("second", SECOND_OFFSET)];
    let told = Type { name: Some("Told".to_owned()), inner: TypeInner::Struct { members, span: TOLD_BYTES } };
    let (space, binding) = match place {
        Place::Part => (AddressSpace::Immediate, None),
        Place::Folded => (AddressSpace::Uniform, Some(ResourceBinding { group: FOLDED_GROUP, binding: 0 })),
    };
    let told = GlobalVariable {
        name: Some("told".to_owned()),
        space,
        binding,
        ty: module.types.insert(told, Span::UNDEFINED),
        init: None,
        memory_decorations: MemoryDecorations::empty(),
    };
    let told = module.global_variables.append(told, Span::UNDEFINED);
    let mut inner = std::mem::take(&mut module.entry_points[0].function);
    let wanted = inner.arguments.clone();
    inner.arguments.iter_mut().for_each(|argument| argument.binding = None);
    let inner = module.functions.append(inner, Span::UNDEFINED);
    let outer = Outer::new(module, vec3, told, &wanted);
    module.entry_points[0].function = outer.build(module, place, &wanted, inner);
}

/// The outer entry point as it is written.
struct Outer {
    function: Function,
    vec3: Handle<Type>,
    told: Handle<Expression>,
    size: [Handle<Expression>; 3],
    /// The device's own, by what they are.
    builtins: Vec<(BuiltIn, Handle<Expression>)>,
    /// Expressions before this one have been evaluated.
    emitted: usize,
}

/// What the kernel should see.
struct Seen {
    workgroup: Handle<Expression>,
    grid: Handle<Expression>,
    id: Handle<Expression>,
}

impl Outer {
    /// With everything that needs no evaluation.
    fn new(module: &Module, vec3: Handle<Type>, told: Handle<GlobalVariable>, wanted: &[FunctionArgument]) -> Self {
        let size = module.entry_points[0].workgroup_size;
        let mut expressions = Arena::new();
        let told = expressions.append(Expression::GlobalVariable(told), Span::UNDEFINED);
        let size = size.map(|n| expressions.append(Expression::Literal(Literal::U32(n)), Span::UNDEFINED));
        let function = Function { expressions, ..Function::default() };
        let mut outer = Self { function, vec3, told, size, builtins: Vec::new(), emitted: 0 };
        outer.argument(BuiltIn::WorkGroupId, vec3);
        outer.argument(BuiltIn::LocalInvocationId, vec3);
        for argument in wanted {
            match (&argument.binding, &module.types[argument.ty].inner) {
                (Some(Binding::BuiltIn(builtin)), _) => outer.argument(*builtin, argument.ty),
                (None, TypeInner::Struct { members, .. }) => {
                    for member in members {
                        if let Some(Binding::BuiltIn(builtin)) = member.binding {
                            outer.argument(builtin, member.ty);
                        }
                    }
                }
                _ => unreachable!("invariant compute-inputs: builtins, or structs of them"),
            }
        }
        outer.emitted = outer.function.expressions.len();
        outer
    }

    /// Takes a builtin, once; those that are worked out are not taken.
    fn argument(&mut self, builtin: BuiltIn, ty: Handle<Type>) {
        let worked_out = matches!(builtin, BuiltIn::GlobalInvocationId | BuiltIn::NumWorkGroups);
        if worked_out || self.builtins.iter().any(|(other, _)| *other == builtin) {
            return;
        }
        let at = self.function.arguments.len() as u32;
        let binding = Some(Binding::BuiltIn(builtin));
        self.function.arguments.push(FunctionArgument { name: None, ty, binding });
        let value = self.add(Expression::FunctionArgument(at));
        self.builtins.push((builtin, value));
    }

    fn add(&mut self, expression: Expression) -> Handle<Expression> {
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.add(Expression::Binary { op, left, right })
    }

    fn component(&mut self, base: Handle<Expression>, component: SwizzleComponent) -> Handle<Expression> {
        self.add(Expression::AccessIndex { base, index: component as u32 })
    }

    fn builtin(&self, builtin: BuiltIn) -> Handle<Expression> {
        let found = self.builtins.iter().find(|(other, _)| *other == builtin);
        found.unwrap_or_else(|| unreachable!("invariant builtins: all that are wanted were taken")).1
    }

    /// Evaluates what was added since the last time.
    fn emit(&mut self) {
        let range = self.function.expressions.range_from(self.emitted);
        self.function.body.push(Statement::Emit(range), Span::UNDEFINED);
        self.emitted = self.function.expressions.len();
    }

    fn build(
        mut self,
        module: &Module,
        place: Place,
        wanted: &[FunctionArgument],
        inner: Handle<Function>,
    ) -> Function {
        let [first, grid] = [0, 1].map(|index| {
            let pointer = self.add(Expression::AccessIndex { base: self.told, index });
            self.add(Expression::Load { pointer })
        });
        let here = self.builtin(BuiltIn::WorkGroupId);
        let workgroup = match place {
            Place::Part => self.binary(BinaryOperator::Add, here, first),
            Place::Folded => self.unfolded(here, first, grid),
        };
        let size = self.add(Expression::Compose { ty: self.vec3, components: self.size.to_vec() });
        let corner = self.binary(BinaryOperator::Multiply, workgroup, size);
        let local = self.builtin(BuiltIn::LocalInvocationId);
        let id = self.binary(BinaryOperator::Add, corner, local);
        let seen = Seen { workgroup, grid, id };
        let mut arguments = Vec::new();
        for argument in wanted {
            arguments.push(match (&argument.binding, &module.types[argument.ty].inner) {
                (None, TypeInner::Struct { members, .. }) => {
                    let part = |member: &StructMember| self.seen(&seen, member.binding.as_ref());
                    let components = members.iter().map(part).collect();
                    self.add(Expression::Compose { ty: argument.ty, components })
                }
                (Some(binding), _) => self.seen(&seen, Some(binding)),
                (None, _) => unreachable!("invariant compute-inputs: builtins, or structs of them"),
            });
        }
        self.emit();
        let call = Statement::Call { function: inner, arguments, result: None };
        self.function.body.push(call, Span::UNDEFINED);
        self.function.body.push(Statement::Return { value: None }, Span::UNDEFINED);
        self.function
    }

    /// The kernel's workgroup, counted row by row of the device's grid; returns where the
    /// kernel has none.
    fn unfolded(
        &mut self,
        here: Handle<Expression>,
        rows: Handle<Expression>,
        grid: Handle<Expression>,
    ) -> Handle<Expression> {
        use BinaryOperator::{Add, Divide, GreaterEqual, Modulo, Multiply};
        use SwizzleComponent::{X, Y, Z};
        let [x, y] = [X, Y].map(|component| self.component(here, component));
        let row = self.component(rows, X);
        let start = self.binary(Multiply, y, row);
        let flat = self.binary(Add, start, x);
        let [gx, gy, gz] = [X, Y, Z].map(|component| self.component(grid, component));
        let plane = self.binary(Multiply, gx, gy);
        let all = self.binary(Multiply, plane, gz);
        let beyond = self.binary(GreaterEqual, flat, all);
        self.emit();
        let accept = Block::from_vec(vec![Statement::Return { value: None }]);
        let leave = Statement::If { condition: beyond, accept, reject: Block::new() };
        self.function.body.push(leave, Span::UNDEFINED);
        let x = self.binary(Modulo, flat, gx);
        let line = self.binary(Divide, flat, gx);
        let y = self.binary(Modulo, line, gy);
        let z = self.binary(Divide, flat, plane);
        self.add(Expression::Compose { ty: self.vec3, components: vec![x, y, z] })
    }

    /// The value that the kernel sees for a builtin.
    fn seen(&self, seen: &Seen, binding: Option<&Binding>) -> Handle<Expression> {
        match binding {
            Some(Binding::BuiltIn(BuiltIn::NumWorkGroups)) => seen.grid,
            Some(Binding::BuiltIn(BuiltIn::WorkGroupId)) => seen.workgroup,
            Some(Binding::BuiltIn(BuiltIn::GlobalInvocationId)) => seen.id,
            Some(Binding::BuiltIn(other)) => self.builtin(*other),
            Some(Binding::Location { .. }) | None => {
                unreachable!("invariant compute-inputs: builtins, or structs of them")
            }
        }
    }
}
