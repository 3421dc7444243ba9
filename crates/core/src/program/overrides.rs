//! `override` declarations: what may be set, and a module with all of them decided.

use std::num::NonZeroU32;

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::{PipelineConstantError, process_overrides};
use naga::proc::IndexableLength;
use naga::valid::{ModuleInfo, Validator};
use naga::{ArraySize, Handle, Module, ShaderStage, TypeInner};

use super::front::Decided;
use super::{Override, Overrides, explain, front, words};
use crate::diag::{Diagnostic, Source, Span, closest};
use crate::layout::Scalar;

/// The overrides that have a name or an id; naga keeps sizes such as `n * 2` as nameless ones.
pub(super) fn list(module: &Module) -> Vec<Override> {
    let declared = module.overrides.iter().filter(|(_, item)| item.name.is_some() || item.id.is_some());
    declared
        .map(|(_, item)| Override {
            name: item.name.clone().unwrap_or_default(),
            id: item.id,
            scalar: scalar(module, item),
            has_default: item.init.is_some(),
        })
        .collect()
}

fn scalar(module: &Module, item: &naga::Override) -> Scalar {
    let scalar = module.types[item.ty].inner.scalar().and_then(Scalar::of);
    scalar.unwrap_or_else(|| unreachable!("invariant override-scalar: naga accepts scalar overrides only"))
}

/// The module with one entry point and every override replaced by its value.
pub(super) fn decide(
    (source, wgsl): (&Source, bool),
    (module, info): (&Module, &ModuleInfo),
    entry: &str,
    values: &Overrides,
) -> Result<(Module, ModuleInfo), Vec<Diagnostic>> {
    let constants = constants(module, values)?;
    let values = &converted(module, values);
    if !wgsl || module.overrides.is_empty() {
        return process(source, (module, info), entry, values, constants);
    }
    match front::decided(source, values) {
        Ok((early, info)) => {
            // What is left has no value, or one that only naga finds.
            let left = |key: &String| early.overrides.iter().any(|(_, item)| naga_key(item) == *key);
            let constants = constants.into_iter().filter(|(key, _)| left(key)).collect();
            process(source, (&early, &info), entry, values, constants)
        }
        Err(Decided::Wrong(wrong)) => {
            // What the entry point does not use may be wrong: naga leaves it out.
            let value = |told: Diagnostic| show(module, values, Diagnostic { code: "override-value", ..told });
            process(source, (module, info), entry, values, constants)
                .map_err(|_| wrong.into_iter().map(value).collect())
        }
        // Where all that is known is that some rule is broken, naga knows better which value did it.
        Err(Decided::Refused(told)) if told.iter().any(|told| told.code != "invalid") => {
            Err(told.into_iter().map(|told| show(module, values, told)).collect())
        }
        Err(Decided::Refused(told)) => match process(source, (module, info), entry, values, constants) {
            Ok(_) => Err(told),
            Err(better) => Err(better),
        },
    }
}

/// Lets naga decide the overrides that a module still has.
fn process(
    source: &Source,
    (module, info): (&Module, &ModuleInfo),
    entry: &str,
    values: &Overrides,
    mut constants: PipelineConstants,
) -> Result<(Module, ModuleInfo), Vec<Diagnostic>> {
    let mut missing = Vec::new();
    loop {
        match process_overrides(module, info, Some((ShaderStage::Compute, entry)), &constants) {
            Ok(decided) if missing.is_empty() => {
                let (module, info) = (decided.0.into_owned(), decided.1.into_owned());
                return freeze(source, module, info).map_err(|diagnostic| vec![diagnostic]);
            }
            // Pretends a value, to find the next one that is missing too.
            Err(PipelineConstantError::MissingValue(key)) => {
                missing.push(missing_value(module, &key));
                constants.insert(key, 1.0);
            }
            Err(error) if missing.is_empty() => {
                let told = refused(source, module, entry, error);
                return Err(vec![show(module, values, told)]);
            }
            Ok(_) | Err(_) => return Err(missing),
        }
    }
}

/// The caller's values under the keys that naga wants: the id where there is one, else the name.
fn constants(module: &Module, values: &Overrides) -> Result<PipelineConstants, Vec<Diagnostic>> {
    let mut constants = PipelineConstants::default();
    let mut wrong = Vec::new();
    for (key, &value) in values {
        let Some(handle) = find(module, key) else {
            wrong.push(unknown(module, key));
            continue;
        };
        let item = &module.overrides[handle];
        let span = Span::of(module.overrides.get_span(handle));
        match convert(scalar(module, item), value) {
            Err(reason) => {
                let message = format!("override `{key}` cannot be {value:?}: {reason}");
                wrong.push(Diagnostic::error("override-value", message).at(span, "declared here"));
            }
            Ok(value) => {
                if constants.insert(naga_key(item), value).is_some() {
                    let message = format!("override `{key}` is set twice, by name and by id");
                    wrong.push(Diagnostic::error("override-value", message).at(span, "declared here"));
                }
            }
        }
    }
    if wrong.is_empty() { Ok(constants) } else { Err(wrong) }
}

fn naga_key(item: &naga::Override) -> String {
    item.id.map_or_else(|| item.name.clone().unwrap_or_default(), |id| id.to_string())
}

fn find(module: &Module, key: &str) -> Option<Handle<naga::Override>> {
    let by = |matches: &dyn Fn(&naga::Override) -> bool| {
        module.overrides.iter().find(|(_, item)| matches(item)).map(|(handle, _)| handle)
    };
    by(&|item| item.name.as_deref() == Some(key))
        .or_else(|| by(&|item| item.id.is_some_and(|id| id.to_string() == key)))
}

/// The values as their types have them, after [`constants`] has found that all can be.
fn converted(module: &Module, values: &Overrides) -> Overrides {
    let of = |key: &str, value: f64| {
        let item = find(module, key).map(|handle| &module.overrides[handle]);
        item.and_then(|item| convert(scalar(module, item), value).ok()).unwrap_or(value)
    };
    values.iter().map(|(key, &value)| (key.clone(), of(key, value))).collect()
}

/// A value as one of the type's, by the rules of WebGPU's pipeline constants: for integers the
/// fraction is dropped, and every number but zero is true.
fn convert(scalar: Scalar, value: f64) -> Result<f64, &'static str> {
    if !value.is_finite() {
        return Err("it is not a finite number");
    }
    // Adding zero makes -0 the 0 that it is as an integer.
    let whole = value.trunc() + 0.0;
    match scalar {
        Scalar::Bool => Ok(f64::from(u8::from(value != 0.0))),
        Scalar::I32 if whole < f64::from(i32::MIN) || whole > f64::from(i32::MAX) => Err("it is out of range for i32"),
        Scalar::U32 if whole < 0.0 || whole > f64::from(u32::MAX) => Err("it is out of range for u32"),
        Scalar::I32 | Scalar::U32 => Ok(whole),
        Scalar::F32 if !(value as f32).is_finite() => Err("it is out of range for f32"),
        Scalar::F16 if !half::f16::from_f64(value).is_finite() => Err("it is out of range for f16"),
        Scalar::I64 | Scalar::U64 => {
            unreachable!("invariant override-scalar: naga accepts no 64-bit integer overrides")
        }
        Scalar::F32 | Scalar::F16 | Scalar::F64 => Ok(value),
    }
}

fn unknown(module: &Module, key: &str) -> Diagnostic {
    let list = list(module);
    let names: Vec<String> = list
        .iter()
        .map(|item| item.id.filter(|_| item.name.is_empty()).map_or(item.name.clone(), |id| id.to_string()))
        .collect();
    let diagnostic = Diagnostic::error("unknown-override", format!("the program has no override `{key}`"));
    match (closest(key, names.iter().map(String::as_str)), names.is_empty()) {
        (Some(near), _) => diagnostic.help(format!("did you mean `{near}`?")),
        (None, true) => diagnostic.help("it declares none"),
        (None, false) => diagnostic.help(format!("it has `{}`", names.join("`, `"))),
    }
}

fn missing_value(module: &Module, key: &str) -> Diagnostic {
    let declared = module.overrides.iter().find(|(_, item)| naga_key(item) == key);
    let name = declared.and_then(|(_, item)| item.name.as_deref()).unwrap_or(key);
    let span = declared.and_then(|(handle, _)| Span::of(module.overrides.get_span(handle)));
    Diagnostic::error("missing-override", format!("override `{name}` has no default and is not set"))
        .at(span, "needs a value")
        .help(format!("set `{name}`, or give it a default here"))
}

fn refused(source: &Source, module: &Module, entry: &str, error: PipelineConstantError) -> Diagnostic {
    match error {
        // The module was valid before: whatever is wrong now, the values did it.
        PipelineConstantError::ValidationError(error) => match explain::validation(source, module, &error) {
            told if told.code == "invalid" => Diagnostic { code: "override-value", ..told },
            told => told,
        },
        PipelineConstantError::NegativeWorkgroupSize => explain::workgroup_size(source, entry),
        PipelineConstantError::ConstantEvaluatorError(error) => {
            let message = format!("the overrides give no value: {}", words::plain(&error.to_string()));
            Diagnostic::error("override-value", message)
        }
        PipelineConstantError::MissingValue(_)
        | PipelineConstantError::NotFound(_)
        | PipelineConstantError::SrcNeedsToBeFinite
        | PipelineConstantError::DstRangeTooSmall
        | PipelineConstantError::NegativeMeshOutputMax => {
            unreachable!("invariant override-checked: keys and values are checked before naga sees them")
        }
    }
}

/// Adds the declaration of each override that the caller has set.
fn show(module: &Module, values: &Overrides, diagnostic: Diagnostic) -> Diagnostic {
    values.iter().fold(diagnostic, |diagnostic, (key, value)| {
        let span = find(module, key).and_then(|handle| Span::of(module.overrides.get_span(handle)));
        let text = format!("set to {value:?}");
        if diagnostic.labels.is_empty() { diagnostic.at(span, text) } else { diagnostic.context(span, text) }
    })
}

/// Gives arrays whose length was an override their length, which naga leaves to back ends,
/// and drops the overrides, which nothing names any more.
fn freeze(source: &Source, mut module: Module, info: ModuleInfo) -> Result<(Module, ModuleInfo), Diagnostic> {
    let pending = |ty: &naga::Type| matches!(ty.inner, TypeInner::Array { size: ArraySize::Pending(_), .. });
    let arrays: Vec<_> = module.types.iter().filter(|(_, ty)| pending(ty)).map(|(handle, _)| handle).collect();
    if arrays.is_empty() && module.overrides.is_empty() {
        return Ok((module, info));
    }
    for handle in arrays {
        let TypeInner::Array { base, size, stride } = module.types[handle].inner else {
            unreachable!("invariant override-array: only arrays were collected")
        };
        let length = match size.resolve(module.to_ctx()) {
            Ok(IndexableLength::Known(length)) => NonZeroU32::new(length),
            Ok(IndexableLength::Dynamic) | Err(_) => None,
        }
        .unwrap_or_else(|| unreachable!("invariant override-array: naga has checked that lengths are positive"));
        // The name keeps it apart from a type of the same shape: arenas hold no two equal types.
        let name = Some(format!("array {}", handle.index()));
        let inner = TypeInner::Array { base, size: ArraySize::Constant(length), stride };
        module.types.replace(handle, naga::Type { name, inner });
    }
    module.overrides.clear();
    let info = Validator::new(naga::valid::ValidationFlags::all(), front::capabilities())
        .validate(&module)
        .map_err(|error| explain::validation(source, &module, &error))?;
    Ok((module, info))
}
