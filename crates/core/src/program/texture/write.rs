//! The rewriting itself: functions, callees first, with calls in the place of operations on textures.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    AddressSpace, ArraySize, Block, Expression, Function, GlobalVariable, Handle, ImageQuery, Literal, Module, Range,
    ResourceBinding, SampleLevel, ScalarKind, Span, Statement, StorageAccess, TypeInner,
};

use super::find::Found;
use super::helper::{self, Helper};
use super::link::{self, Names};
use super::op::{Lod, Op, Whole};
use super::{SHAPES, Texture, Views, texel_name};
use crate::program::{Access, walk};

pub(super) fn lower(module: &mut Module, info: &ModuleInfo, found: Found) -> Views {
    let reached: BTreeSet<usize> = module
        .entry_points
        .iter()
        .flat_map(|point| walk::helpers(module, &point.function))
        .map(naga::Handle::index)
        .collect();
    let mut writer = Writer::new(module, found);
    let old = writer.module.functions.take();
    // What other stages do with textures is not lowered, and not kept.
    for (handle, function) in old.iter().filter(|(handle, _)| reached.contains(&handle.index())) {
        let written = writer.function(function.clone(), &info[handle]);
        let new = writer.module.functions.append(written, old.get_span(handle));
        writer.written.insert(handle, new);
    }
    for at in 0..writer.module.entry_points.len() {
        let function = std::mem::take(&mut writer.module.entry_points[at].function);
        let written = writer.function(function, info.get_entry_point(at));
        writer.module.entry_points[at].function = written;
    }
    writer.found.views
}

/// What is written so far.
struct Writer<'a> {
    module: &'a mut Module,
    found: Found,
    shapes: Handle<GlobalVariable>,
    rows: u32,
    written: HashMap<Handle<Function>, Handle<Function>>,
    helpers: HashMap<(u32, Op), Handle<Function>>,
}

/// A function that is being written.
struct Scope<'a> {
    function: Function,
    info: &'a FunctionInfo,
}

impl Scope<'_> {
    fn texture(&self, image: Handle<Expression>) -> Handle<GlobalVariable> {
        let Expression::GlobalVariable(variable) = self.function.expressions[image] else {
            unreachable!("invariant texture-named: a texture is a variable, once functions are specialised")
        };
        variable
    }
}

impl<'a> Writer<'a> {
    fn new(module: &'a mut Module, found: Found) -> Self {
        let (textures, samplers) = (found.views.textures.len() as u32, found.views.samplers.len() as u32);
        let rows = textures * helper::SHAPE_ROWS + samplers * helper::SAMPLER_ROWS;
        let word = module.types.insert(scalar_type(ScalarKind::Uint), Span::UNDEFINED);
        let words = array(module, word, ArraySize::Dynamic, 4);
        for (&handle, &at) in &found.textures {
            let variable = &mut module.global_variables[handle];
            variable.ty = words;
            let access = match found.views.textures[at].access() {
                Access::Uniform | Access::Read => StorageAccess::LOAD,
                Access::ReadWrite => StorageAccess::LOAD | StorageAccess::STORE,
            };
            variable.space = AddressSpace::Storage { access };
        }
        let four = TypeInner::Vector { size: naga::VectorSize::Quad, scalar: naga::Scalar::U32 };
        let four = module.types.insert(naga::Type { name: None, inner: four }, Span::UNDEFINED);
        let length = NonZeroU32::new(rows.max(1)).unwrap_or(NonZeroU32::MIN);
        let ty = array(module, four, ArraySize::Constant(length), 16);
        let taken: BTreeSet<u32> =
            module.global_variables.iter().filter_map(|(_, var)| Some(var.binding?.group)).collect();
        let group = (0..u32::MAX).find(|group| !taken.contains(group)).unwrap_or(u32::MAX);
        let shapes = GlobalVariable {
            name: Some(SHAPES.to_owned()),
            space: AddressSpace::Uniform,
            binding: Some(ResourceBinding { group, binding: 0 }),
            ty,
            init: None,
            memory_decorations: naga::MemoryDecorations::empty(),
        };
        let shapes = module.global_variables.append(shapes, Span::UNDEFINED);
        Self { module, found, shapes, rows, written: HashMap::new(), helpers: HashMap::new() }
    }

    fn function(&mut self, mut function: Function, info: &FunctionInfo) -> Function {
        let body = std::mem::take(&mut function.body);
        let mut scope = Scope { function, info };
        let body = self.block(&mut scope, body);
        let mut function = scope.function;
        function.body = body;
        // Nothing uses a sampler any more, and there is no buffer for it.
        for (_, expression) in function.expressions.iter_mut() {
            if matches!(expression, Expression::GlobalVariable(variable) if self.found.samplers.contains_key(variable))
            {
                *expression = Expression::Literal(Literal::U32(0));
            }
        }
        function
    }

    fn block(&mut self, scope: &mut Scope<'_>, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for (mut statement, span) in block.span_into_iter() {
            for inner in walk::blocks_mut(&mut statement) {
                *inner = self.block(scope, std::mem::take(inner));
            }
            match &mut statement {
                Statement::Emit(range) => {
                    self.emit(scope, range.clone(), span, &mut out);
                    continue;
                }
                Statement::Call { function, result, .. } => {
                    *function = self.written[function];
                    if let Some(result) = *result {
                        scope.function.expressions[result] = Expression::CallResult(*function);
                    }
                }
                Statement::ImageStore { image, coordinate, array_index, value } => {
                    let at = scope.texture(*image);
                    let op = Op::Store { at: whole(self.module, scope, *coordinate), layer: self.layer(scope, *array_index) };
                    let arguments = [Some(*coordinate), *array_index, Some(*value)].into_iter().flatten().collect();
                    statement = Statement::Call { function: self.helper(at, op), arguments, result: None };
                }
                Statement::Block(_)
                | Statement::If { .. }
                | Statement::Switch { .. }
                | Statement::Loop { .. }
                | Statement::Break
                | Statement::Continue
                | Statement::Return { .. }
                | Statement::Kill
                | Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_)
                | Statement::Store { .. }
                | Statement::Atomic { .. }
                // Of textures that are refused.
                | Statement::ImageAtomic { .. }
                | Statement::WorkGroupUniformLoad { .. }
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. }
                | Statement::CooperativeStore { .. } => {}
            }
            out.push(statement, span);
        }
        out
    }

    /// What is emitted, up to the next call, and the calls.
    fn emit(&mut self, scope: &mut Scope<'_>, range: Range<Expression>, span: Span, out: &mut Block) {
        let mut open: Option<(Handle<Expression>, Handle<Expression>)> = None;
        let flush = |open: &mut Option<(Handle<Expression>, Handle<Expression>)>, out: &mut Block| {
            if let Some((first, last)) = open.take() {
                out.push(Statement::Emit(Range::new_from_bounds(first, last)), span);
            }
        };
        for handle in range {
            let Some((function, arguments)) = self.call(scope, handle) else {
                open = Some((open.map_or(handle, |(first, _)| first), handle));
                continue;
            };
            flush(&mut open, out);
            let at = scope.function.expressions.get_span(handle);
            scope.function.expressions[handle] = Expression::CallResult(function);
            out.push(Statement::Call { function, arguments, result: Some(handle) }, at);
        }
        flush(&mut open, out);
    }

    /// The function that stands for an expression, and its arguments; `None` if it is none of a texture.
    fn call(
        &mut self,
        scope: &mut Scope<'_>,
        handle: Handle<Expression>,
    ) -> Option<(Handle<Function>, Vec<Handle<Expression>>)> {
        let (image, op, arguments) = match scope.function.expressions[handle] {
            Expression::ImageLoad { image, coordinate, array_index, level, sample: _ } => {
                // Level 0 is always there.
                let level = level.filter(|&level| !is_zero(&scope.function, level));
                let at = whole(self.module, scope, coordinate);
                let (layer, on) = (self.layer(scope, array_index), self.layer(scope, level));
                (image, Op::Load { at, layer, level: on }, vec![Some(coordinate), array_index, level])
            }
            Expression::ImageQuery { image, query } => match query {
                ImageQuery::Size { level } => (image, Op::Size { level: self.layer(scope, level) }, vec![level]),
                ImageQuery::NumLevels => (image, Op::Levels, vec![]),
                ImageQuery::NumLayers => (image, Op::Layers, vec![]),
                // Of textures that are refused.
                ImageQuery::NumSamples => return None,
            },
            Expression::ImageSample {
                image,
                sampler,
                gather,
                coordinate,
                array_index,
                offset,
                level,
                depth_ref: _,
                clamp_to_edge: clamped,
            } => {
                let Expression::GlobalVariable(sampler) = scope.function.expressions[sampler] else { return None };
                let sampler = self.found.views.samplers[self.found.samplers[&sampler]].at;
                let layer = self.layer(scope, array_index);
                if let Some(component) = gather {
                    let op = Op::Gather { sampler, layer, offset: offset.is_some(), component: component as u32 };
                    (image, op, vec![Some(coordinate), array_index, offset])
                } else {
                    let (lod, first, second) = match level {
                        SampleLevel::Zero => (Lod::Zero, None, None),
                        SampleLevel::Exact(level) => (Lod::Exact, Some(level), None),
                        SampleLevel::Gradient { x, y } => (Lod::Gradient, Some(x), Some(y)),
                        SampleLevel::Auto | SampleLevel::Bias(_) => {
                            unreachable!("invariant texture-level: what has none is refused")
                        }
                    };
                    let op = Op::Sample { sampler, layer, lod, offset: offset.is_some(), clamped };
                    (image, op, vec![Some(coordinate), array_index, first, second, offset])
                }
            }
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::Override(_)
            | Expression::ZeroValue(_)
            | Expression::Compose { .. }
            | Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::Splat { .. }
            | Expression::Swizzle { .. }
            | Expression::FunctionArgument(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
            | Expression::Load { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Select { .. }
            | Expression::Derivative { .. }
            | Expression::Relational { .. }
            | Expression::Math { .. }
            | Expression::As { .. }
            | Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::ArrayLength(_)
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. } => return None,
        };
        let at = scope.texture(image);
        Some((self.helper(at, op), arguments.into_iter().flatten().collect()))
    }

    fn layer(&self, scope: &Scope<'_>, layer: Option<Handle<Expression>>) -> Option<Whole> {
        layer.map(|layer| whole(self.module, scope, layer))
    }

    /// The function for an operation, written if nobody has asked for it.
    fn helper(&mut self, variable: Handle<GlobalVariable>, op: Op) -> Handle<Function> {
        let texture = self.found.views.textures[self.found.textures[&variable]].clone();
        if let Some(&known) = self.helpers.get(&(texture.slot, op)) {
            return known;
        }
        let mut functions = HashMap::new();
        for (name, callee) in op.calls() {
            functions.insert(name, self.helper(variable, callee));
        }
        let variables = HashMap::from([("texels", variable), ("shapes", self.shapes)]);
        let text = Helper { texture: &texture, rows: self.rows }.text(op);
        let mut function = link::function(self.module, &text, op.name(), &Names { variables, functions });
        function.name = Some(match op {
            Op::Texel => texel_name(&texture.name),
            _ => format!("{} {}", texture.name, op.name()),
        });
        let handle = self.module.functions.append(function, Span::UNDEFINED);
        self.helpers.insert((texture.slot, op), handle);
        handle
    }
}

/// The function that loads a texel, for the format that a texture has.
pub(super) fn texel(module: &mut Module, texture: &Texture, variable: Handle<GlobalVariable>) -> Function {
    let names = Names { variables: HashMap::from([("texels", variable)]), functions: HashMap::new() };
    let text = Helper { texture, rows: 1 }.text(Op::Texel);
    let mut function = link::function(module, &text, Op::Texel.name(), &names);
    function.name = Some(texel_name(&texture.name));
    function
}

fn is_zero(function: &Function, handle: Handle<Expression>) -> bool {
    matches!(function.expressions[handle], Expression::Literal(Literal::I32(0) | Literal::U32(0)))
}

/// What whole numbers an expression has.
fn whole(module: &Module, scope: &Scope<'_>, handle: Handle<Expression>) -> Whole {
    let kind = scope.info[handle].ty.inner_with(&module.types).scalar_kind();
    if kind == Some(ScalarKind::Uint) { Whole::Unsigned } else { Whole::Signed }
}

fn scalar_type(kind: ScalarKind) -> naga::Type {
    naga::Type { name: None, inner: TypeInner::Scalar(naga::Scalar { kind, width: 4 }) }
}

fn array(module: &mut Module, base: Handle<naga::Type>, size: ArraySize, stride: u32) -> Handle<naga::Type> {
    module.types.insert(naga::Type { name: None, inner: TypeInner::Array { base, size, stride } }, Span::UNDEFINED)
}
