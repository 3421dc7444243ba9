//! What naga's validator finds, in words of the language: its messages print handles, flags and
//! types as Rust has them. What has no words of its own here passes through [`plain`], which lets
//! nothing of that kind out.

use std::error::Error;

use naga::valid::{
    CallError, ComposeError, ConstExpressionError, Disalignment, EntryPointError, ExpressionError, FunctionError,
    GlobalVariableError, LocalVariableError, SubgroupError, TypeError, TypeFlags, VaryingError, WidthError,
};
use naga::{AddressSpace, BinaryOperator, Handle, Module, StructMember, TypeInner, UnaryOperator};

use super::tidy::tidy;
use crate::layout::Type;

/// What to say where naga's own words will not do.
const UNSAYABLE: &str = "this is not allowed here";
const FEATURE: &str = "this is a feature of the language that is not supported";

/// An error and its causes, from the outermost in.
pub(super) fn chain(module: &Module, error: &(dyn Error + 'static)) -> Vec<String> {
    let mut said = Vec::new();
    let mut next = Some(error);
    while let Some(link) = next {
        if let Some(all) = whole(module, link) {
            said.push(all);
            break;
        }
        said.push(link.to_string());
        next = link.source();
    }
    let last = said.len().saturating_sub(1);
    // "Expression [7] is invalid" says nothing that the label does not.
    let told = |(i, text): (usize, String)| (i == last || !text.ends_with("is invalid")).then(|| plain(&text));
    said.into_iter().enumerate().filter_map(told).collect()
}

/// The text without what only naga's developers understand.
pub(super) fn plain(text: &str) -> String {
    let text = tidy(text);
    if is_plain(&text) { text } else { UNSAYABLE.to_owned() }
}

/// Whether it has nothing of that kind.
pub(super) fn is_plain(text: &str) -> bool {
    // What is quoted is the program's own, but for paths of Rust.
    let (mut own, mut quote) = (String::new(), None);
    for c in text.chars() {
        match (quote, c) {
            (None, '`' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, _) => own.push(c),
            (Some(_), _) => {}
        }
    }
    let ours = ["naga", "Naga", "::", " {", "Capabilit", "capabilit", "gfx-rs", "TypeFlags", "Handle"];
    // Enums as Rust prints them, and flags.
    let printed = |word: &str| {
        let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
        capital && (word.contains('(') || word.contains('_')) || word.starts_with('[')
    };
    !text.contains("naga::") && !ours.iter().any(|word| own.contains(word)) && !own.split(' ').any(printed)
}

/// What is meant by naga's name of an operator and the types that it cannot be applied to.
pub(super) fn operands(text: &str) -> Option<String> {
    let (_, after) = text.split_once("ncompatible operands: ")?;
    let name = after.split(|c: char| !c.is_alphanumeric()).next()?;
    let op = OPERATORS.iter().find(|op| format!("{op:?}") == name)?;
    Some(format!("the operands of `{}` have types that it does not take", binary(*op)))
}

/// An error and all its causes, where we have words for them.
fn whole(module: &Module, link: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = link.downcast_ref::<TypeError>() {
        return ty(module, error);
    }
    if let Some(error) = link.downcast_ref::<GlobalVariableError>() {
        return variable(module, error);
    }
    if let Some(error) = link.downcast_ref::<ExpressionError>() {
        return expression(module, error);
    }
    if let Some(error) = link.downcast_ref::<FunctionError>() {
        return function(module, error);
    }
    if let Some(EntryPointError::Function(error)) = link.downcast_ref() {
        return function(module, error);
    }
    if let Some(EntryPointError::Argument(_, error) | EntryPointError::Result(error)) = link.downcast_ref() {
        return varying(module, error);
    }
    if let Some(EntryPointError::UnsupportedCapability(_)) = link.downcast_ref() {
        return Some(FEATURE.to_owned());
    }
    if let Some(EntryPointError::InvalidGlobalUsage(handle, _)) = link.downcast_ref() {
        let name = module.global_variables[*handle].name.as_deref().unwrap_or_default();
        return Some(format!("`{name}` is not declared for what is done with it"));
    }
    match link.downcast_ref() {
        Some(ConstExpressionError::Width(error)) => return Some(width(error)),
        Some(ConstExpressionError::Compose(error)) => return Some(compose(module, error)),
        _ => {}
    }
    if let Some(LocalVariableError::InvalidType(ty)) = link.downcast_ref() {
        return Some(format!("a variable of a function cannot hold {}", name(module, *ty)));
    }
    match link.downcast_ref() {
        Some(SubgroupError::InvalidOperand(_)) => Some("the operand of the subgroup operation has a wrong type".into()),
        Some(SubgroupError::UnsupportedOperation(_)) => Some("this subgroup operation is not supported".into()),
        _ => None,
    }
}

fn width(error: &WidthError) -> String {
    match error {
        WidthError::Invalid(..) => "numbers of this many bits are not supported".to_owned(),
        WidthError::MissingCapability { name, .. } => format!("`{name}` is not supported"),
        WidthError::Abstract => "a number without a type cannot be stored; give it one".to_owned(),
    }
}

fn ty(module: &Module, error: &TypeError) -> Option<String> {
    Some(match error {
        TypeError::WidthError(error) => width(error),
        TypeError::MissingCapability(_) => FEATURE.to_owned(),
        TypeError::InvalidAtomicWidth(..) => "an atomic holds `u32`, `i32`, `u64`, `i64` or `f32`".to_owned(),
        TypeError::InvalidPointerBase(base) => format!("there are no pointers to {}", name(module, *base)),
        TypeError::InvalidPointerToUnsized { base, space } => {
            let space = memory(*space);
            format!("{} has no fixed size, so that it belongs in a storage buffer, not in {space}", name(module, *base))
        }
        TypeError::InvalidData(base) => format!("{} holds no data", name(module, *base)),
        TypeError::InvalidArrayBaseType(base) => {
            format!("an array cannot have elements of {}: their size must be fixed", name(module, *base))
        }
        TypeError::InvalidDynamicArray(member, _) => {
            format!("member `{member}` has no fixed size: only the last one may be an array without a length")
        }
        TypeError::BindingArrayBaseTypeNotStruct(_)
        | TypeError::UnresolvedOverride(_)
        | TypeError::UnsupportedSpecializedArrayLength(_)
        | TypeError::UnsupportedImageType { .. } => UNSAYABLE.to_owned(),
        TypeError::InvalidArraySize(_) => "an array must have at least one element".to_owned(),
        TypeError::InvalidBlendSrc(error) => return varying(module, error),
        TypeError::MemberOverlap { index, offset } => {
            format!("member {index} at byte {offset} overlaps the one before")
        }
        TypeError::MemberOutOfBounds { index, offset, size, span } => {
            format!("member {index} of {size} bytes at byte {offset} does not fit into the struct's {span}")
        }
        TypeError::MatrixElementNotFloat
        | TypeError::InvalidArrayStride { .. }
        | TypeError::BindingArrayBaseExternalTextures
        | TypeError::EmptyStruct => return None,
    })
}

fn variable(module: &Module, error: &GlobalVariableError) -> Option<String> {
    Some(match error {
        GlobalVariableError::InvalidImmediateType(_) => "immediates hold no `f16`".to_owned(),
        GlobalVariableError::InvalidUsage(space) => format!("{} cannot be used like this", memory(*space)),
        GlobalVariableError::InvalidType(space) => format!("{} cannot hold this type", memory(*space)),
        GlobalVariableError::InvalidBindingArray(ty) => format!("there are no binding arrays of {}", name(module, *ty)),
        GlobalVariableError::MissingTypeFlags { required, seen } => lacks(*required - *seen).to_owned(),
        GlobalVariableError::UnsupportedCapability(_)
        | GlobalVariableError::CoherentNotSupported
        | GlobalVariableError::VolatileNotSupported => FEATURE.to_owned(),
        GlobalVariableError::Alignment(space, ty, why) => {
            format!("{} cannot stand in {}: {}", name(module, *ty), memory(*space), misplaced(module, *ty, why))
        }
        GlobalVariableError::InitializerNotAllowed(space) => format!("{} takes no initial value", memory(*space)),
        GlobalVariableError::InvalidBinding
        | GlobalVariableError::InitializerExprType
        | GlobalVariableError::InitializerType
        | GlobalVariableError::StorageAddressSpaceWriteOnlyNotSupported
        | GlobalVariableError::ZeroSizedTaskPayload
        | GlobalVariableError::InvalidMemoryDecorationsAddressSpace => return None,
    })
}

/// What a type must be for a variable, and is not.
fn lacks(missing: TypeFlags) -> &'static str {
    if missing.contains(TypeFlags::DATA) {
        "its type holds no data"
    } else if missing.contains(TypeFlags::HOST_SHAREABLE) {
        "its type has a part that buffers cannot hold, such as a `bool`"
    } else if missing.contains(TypeFlags::SIZED) {
        "its type has no fixed size: arrays without a length belong in storage buffers"
    } else {
        "its type cannot be copied or made there: atomics belong in storage buffers and workgroup memory"
    }
}

fn misplaced(module: &Module, ty: Handle<naga::Type>, why: &Disalignment) -> String {
    let member = |index: u32| {
        let TypeInner::Struct { members, .. } = &module.types[ty].inner else { return None };
        members.get(index as usize).and_then(|member: &StructMember| member.name.clone())
    };
    let member =
        |index: u32| member(index).map_or_else(|| format!("member {index}"), |name| format!("member `{name}`"));
    match why {
        Disalignment::ArrayStride { stride, alignment } => {
            format!("its elements are {stride} bytes apart, which must be a multiple of {alignment}")
        }
        Disalignment::StructSpan { span, alignment } => {
            format!("it has {span} bytes, which must be a multiple of {alignment}")
        }
        Disalignment::MemberOffset { index, offset, alignment } => {
            format!("{} lies at byte {offset}, which must be a multiple of {alignment}", member(*index))
        }
        Disalignment::MemberOffsetAfterStruct { index, offset, expected } => {
            format!("{} lies at byte {offset}, and must lie at {expected} or later", member(*index))
        }
        Disalignment::UnsizedMember { index } => format!("{} has no fixed size", member(*index)),
        Disalignment::NonHostShareable => "it has a part that buffers cannot hold, such as a `bool`".to_owned(),
    }
}

fn expression(module: &Module, error: &ExpressionError) -> Option<String> {
    let of = |inner: &TypeInner| spell(module, inner);
    Some(match error {
        ExpressionError::InvalidBinaryOperandTypes { op, lhs_type, rhs_type, .. } => {
            format!("`{}` takes no {} and {}", binary(*op), of(lhs_type), of(rhs_type))
        }
        ExpressionError::InvalidUnaryOperandType(op, _) => format!("`{}` cannot be applied to this", unary(*op)),
        ExpressionError::SelectValuesTypeMismatch { accept, reject } => {
            format!("`select` takes two values of one type, not {} and {}", of(reject), of(accept))
        }
        ExpressionError::SelectConditionNotABool { actual } => format!("`select` takes a `bool`, not {}", of(actual)),
        ExpressionError::ShiftAmountTooLarge { lhs_type, .. } => {
            format!("{} has fewer bits than it is shifted by", of(lhs_type))
        }
        ExpressionError::InvalidIndexType(_) => "an index must be an `i32` or `u32`".to_owned(),
        ExpressionError::NegativeIndex(_) => "the index is negative".to_owned(),
        ExpressionError::IndexOutOfBounds(_, index) => format!("the index {index} is out of bounds"),
        ExpressionError::InvalidArrayType(_) => "`arrayLength` takes a pointer to an array without a length".to_owned(),
        ExpressionError::InvalidArgumentType(_, index, _) => {
            format!("argument {} of the built-in function has a wrong type", index + 1)
        }
        ExpressionError::WrongArgumentCount(_) => "the built-in function takes another number of arguments".to_owned(),
        ExpressionError::InvalidZeroValue(ty) => format!("there is no zero of {}", name(module, *ty)),
        ExpressionError::InvalidWorkGroupUniformLoadResultType(ty) => {
            format!("`workgroupUniformLoad` cannot load {}", name(module, *ty))
        }
        ExpressionError::InvalidSwizzleComponent(..) => "the vector has no such component".to_owned(),
        ExpressionError::MissingCapabilities(_) => FEATURE.to_owned(),
        ExpressionError::UnsupportedWidth(..) => "this function does not take numbers of this many bits".to_owned(),
        ExpressionError::Compose(error) => compose(module, error),
        _ => return None,
    })
}

fn compose(module: &Module, error: &ComposeError) -> String {
    match error {
        ComposeError::Type(ty) => format!("{} cannot be made of parts", name(module, *ty)),
        ComposeError::ComponentCount { given, expected } => format!("it has {expected} parts, but {given} are given"),
        ComposeError::ComponentType { index } => format!("part {} has a wrong type", index + 1),
    }
}

fn function(module: &Module, error: &FunctionError) -> Option<String> {
    Some(match error {
        FunctionError::InvalidCall { function, error: CallError::ArgumentType { index, required, .. } } => {
            let called = module.functions[*function].name.as_deref().unwrap_or_default();
            format!("argument {} of `{called}` must be {}", index + 1, name(module, *required))
        }
        FunctionError::InvalidCall { function, error: CallError::ArgumentCount { required, seen } } => {
            let called = module.functions[*function].name.as_deref().unwrap_or_default();
            format!("`{called}` takes {required} arguments, but {seen} are given")
        }
        FunctionError::InvalidReturnType { expected_ty: Some(ty), expression: Some(_) } => {
            format!("what is returned must be {}", name(module, *ty))
        }
        FunctionError::InvalidReturnType { expected_ty: Some(ty), expression: None } => {
            format!("a value must be returned, {}", name(module, *ty))
        }
        FunctionError::InvalidReturnType { expected_ty: None, .. } => "the function returns no value".to_owned(),
        FunctionError::ConflictingSwitchCase(value) => match value {
            naga::SwitchValue::I32(value) => format!("there are several cases for {value}"),
            naga::SwitchValue::U32(value) => format!("there are several cases for {value}"),
            naga::SwitchValue::Default => "there are several `default` cases".to_owned(),
        },
        FunctionError::InvalidStoreTypes { .. } => "what is stored has another type than the place for it".to_owned(),
        FunctionError::InvalidStorePointer(_) => "nothing can be stored there".to_owned(),
        FunctionError::InvalidIfType(_) => "the condition must be a `bool`".to_owned(),
        FunctionError::InvalidSwitchType(_) => "the value of a `switch` must be an `i32` or `u32`".to_owned(),
        FunctionError::MissingCapability(_) => FEATURE.to_owned(),
        // naga does not make this type known, only its text.
        FunctionError::InvalidAtomic(error) => match error.to_string() {
            text if text.starts_with("Operator") => "there is no such atomic operation for this type".to_owned(),
            text if text.starts_with("Operand") => "the operand of the atomic operation has a wrong type".to_owned(),
            text if text.starts_with("Pointer") => "an atomic operation takes a pointer to an atomic".to_owned(),
            text => plain(&text),
        },
        FunctionError::WorkgroupUniformLoadInvalidPointer(_) => {
            "`workgroupUniformLoad` takes a pointer into workgroup memory".to_owned()
        }
        _ => return None,
    })
}

fn varying(module: &Module, error: &VaryingError) -> Option<String> {
    Some(match error {
        VaryingError::InvalidBuiltInStage(_) => "compute entry points have no such built-in value".to_owned(),
        VaryingError::InvalidBuiltInType(_, found) => format!("the built-in value is no {}", spell(module, found)),
        VaryingError::DuplicateBuiltIn(_) => "a built-in value is asked for twice".to_owned(),
        VaryingError::InvalidType(_) | VaryingError::NotIOShareableType(_) => "it cannot have this type".to_owned(),
        VaryingError::UnsupportedCapability(_) => FEATURE.to_owned(),
        VaryingError::MissingBinding => {
            "arguments and results of an entry point need an attribute such as `@builtin(global_invocation_id)`"
                .to_owned()
        }
        _ => return None,
    })
}

fn name(module: &Module, handle: Handle<naga::Type>) -> String {
    spell(module, &module.types[handle].inner)
        .replace("``", &format!("`{}`", module.types[handle].name.as_deref().unwrap_or("a type")))
}

/// The type as WGSL has it.
fn spell(module: &Module, inner: &TypeInner) -> String {
    let ty = naga::Type { name: None, inner: inner.clone() };
    match Type::of_type(module, &ty) {
        Some(ty) => format!("`{ty}`"),
        None if inner.is_abstract(&module.types) => "a number".to_owned(),
        None if matches!(inner, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. }) => "a pointer".to_owned(),
        None => "a type".to_owned(),
    }
}

fn memory(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Function => "a function's memory",
        AddressSpace::Private => "private memory",
        AddressSpace::WorkGroup => "workgroup memory",
        AddressSpace::Uniform => "a uniform buffer",
        AddressSpace::Storage { .. } => "a storage buffer",
        AddressSpace::Handle => "a binding",
        AddressSpace::Immediate => "immediates",
        AddressSpace::TaskPayload | AddressSpace::RayPayload | AddressSpace::IncomingRayPayload => "a payload",
    }
}

const OPERATORS: [BinaryOperator; 18] = [
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Modulo,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::LessEqual,
    BinaryOperator::Greater,
    BinaryOperator::GreaterEqual,
    BinaryOperator::And,
    BinaryOperator::ExclusiveOr,
    BinaryOperator::InclusiveOr,
    BinaryOperator::LogicalAnd,
    BinaryOperator::LogicalOr,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
];

fn unary(op: UnaryOperator) -> &'static str {
    match op {
        UnaryOperator::Negate => "-",
        UnaryOperator::LogicalNot => "!",
        UnaryOperator::BitwiseNot => "~",
    }
}

fn binary(op: BinaryOperator) -> &'static str {
    match op {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Modulo => "%",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::And => "&",
        BinaryOperator::ExclusiveOr => "^",
        BinaryOperator::InclusiveOr => "|",
        BinaryOperator::LogicalAnd => "&&",
        BinaryOperator::LogicalOr => "||",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
    }
}
