//! What this device cannot run although its adapter could: found before the driver sees it, and
//! shown in the source.

use seawall_core::check::Checked;
use seawall_core::device::{self, Error, Unsupported};
use seawall_core::diag::{Diagnostic, Report, Span};
use seawall_core::naga::valid::FunctionInfo;
use seawall_core::naga::{Expression, Function, Handle, MathFunction, ScalarKind, Statement, TypeInner};
use seawall_core::program::{Kernel, size, walk};
use seawall_core::schedule::Step;

use crate::memory::ALIGN_BYTES;

/// Operations of a kernel, with every call written out as drivers do it. They take a second for about
/// so many, or minutes: there is no way to stop them.
const OPERATIONS_MAX: u64 = 1 << 18;

/// Something that cannot be run, and where it stands.
struct Gap {
    what: String,
    span: Option<Span>,
}

/// Whether nothing in the schedule falls into a gap.
pub(crate) fn fit(schedule: &Checked, device_id: &str, vulkan: bool) -> Result<(), Error> {
    for kernel in &schedule.kernels {
        let operations = size::written_out(kernel.module(), kernel.info());
        if operations > OPERATIONS_MAX {
            let reason = format!("it comes to {operations} operations; the limit is {OPERATIONS_MAX}");
            return Err(device::too_large(kernel, device_id, "too-large", &reason, None));
        }
    }
    if vulkan {
        for kernel in &schedule.kernels {
            spirv(kernel).map_or(Ok(()), |gap| Err(gap.error(kernel, device_id)))?;
        }
    }
    for step in &schedule.steps {
        let (Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. }) = step else {
            continue;
        };
        let kernel = &schedule.kernels[kernel.0 as usize];
        for (row, binding) in kernel.buffers.iter().zip(bindings) {
            let stride = row.ty.tail().map_or(ALIGN_BYTES, |(_, stride)| stride.into());
            if !stride.is_multiple_of(ALIGN_BYTES) && !binding.bytes.is_multiple_of(ALIGN_BYTES) {
                let what = format!("`{}` of {} bytes, which are not whole words, is", row.name, binding.bytes);
                return Err(Gap { what, span: row.span }.error(kernel, device_id));
            }
        }
    }
    Ok(())
}

/// The gap that a kernel falls into, however it is called.
pub(crate) fn of(kernel: &Kernel, device_id: &str, vulkan: bool) -> Option<Diagnostic> {
    spirv(kernel).filter(|_| vulkan).map(|gap| gap.diagnostic(device_id))
}

impl Gap {
    fn diagnostic(self, device: &str) -> Diagnostic {
        let message = format!("{} not supported by device `{device}`", self.what);
        Diagnostic::error("unsupported", message).at(self.span, "needed here")
    }

    fn error(self, kernel: &Kernel, device: &str) -> Error {
        let report = Report { source: kernel.source().clone(), diagnostics: vec![self.diagnostic(device)] };
        Error::Unsupported(Box::new(Unsupported { device: device.to_owned(), report }))
    }
}

/// What naga writes wrongly or not at all as SPIR-V.
fn spirv(kernel: &Kernel) -> Option<Gap> {
    let (module, info) = (kernel.module(), kernel.info());
    let entry = &kernel.entry().function;
    let helpers = walk::helpers(module, entry).into_iter();
    let functions = helpers.map(|handle| (&module.functions[handle], &info[handle]));
    let mut functions = functions.chain([(entry, info.get_entry_point(0))]);
    functions.find_map(|(function, info)| {
        wide_bits(kernel, function, info).or_else(|| part_as_argument(kernel, function, info))
    })
}

/// Bit functions of 64-bit integers, and conversions to them that change the sign.
fn wide_bits(kernel: &Kernel, function: &Function, info: &FunctionInfo) -> Option<Gap> {
    let scalar = |handle: Handle<Expression>| info[handle].ty.inner_with(&kernel.module().types).scalar();
    function.expressions.iter().find_map(|(handle, expression)| {
        let what = match expression {
            Expression::Math { fun, arg, .. } if bit_function(*fun) && scalar(*arg)?.width == 8 => {
                format!("`{fun:?}` of 64-bit integers is")
            }
            Expression::As { expr, kind: to @ (ScalarKind::Sint | ScalarKind::Uint), convert: Some(8) } => {
                let from = scalar(*expr)?;
                let integer = matches!(from.kind, ScalarKind::Sint | ScalarKind::Uint);
                if !integer || from.width != 4 || from.kind == *to {
                    return None;
                }
                "a conversion between a 32-bit and a 64-bit integer of different sign is".to_owned()
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
            | Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. }
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
        Some(Gap { what, span: Span::of(function.expressions.get_span(handle)) })
    })
}

fn bit_function(fun: MathFunction) -> bool {
    matches!(
        fun,
        MathFunction::CountTrailingZeros
            | MathFunction::CountLeadingZeros
            | MathFunction::CountOneBits
            | MathFunction::ReverseBits
            | MathFunction::ExtractBits
            | MathFunction::InsertBits
            | MathFunction::FirstTrailingBit
            | MathFunction::FirstLeadingBit
    )
}

/// A pointer to an element or a member, handed to a function.
fn part_as_argument(kernel: &Kernel, function: &Function, info: &FunctionInfo) -> Option<Gap> {
    let part = |handle: &Handle<Expression>| {
        let inner = info[*handle].ty.inner_with(&kernel.module().types);
        let pointer = matches!(inner, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. });
        let access =
            matches!(function.expressions[*handle], Expression::Access { .. } | Expression::AccessIndex { .. });
        pointer && access
    };
    walk::statements(&function.body).into_iter().find_map(|(statement, span)| {
        let Statement::Call { arguments, .. } = statement else { return None };
        let what = || "a pointer to a part of a variable as an argument is".to_owned();
        arguments.iter().any(part).then(|| Gap { what: what(), span: Span::of(span) })
    })
}
