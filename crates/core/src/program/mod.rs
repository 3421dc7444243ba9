//! From text to a [`Program`] and from there to [`Kernel`]s.
//!
//! A `Program` is a validated naga module that keeps only what Seawall runs: compute
//! entry points over buffers. A [`Kernel`] is one entry point with every `override`
//! decided; it is what devices see. Whatever is wrong with the text is found here, so
//! that nothing later has to look at it again.

mod guard;
mod directives;
mod tidy;
mod words;
mod explain;
mod attributes;
mod offsets;
pub(crate) mod grid;
pub mod walk;
pub mod operands;
pub mod size;
mod effects;
mod extent;
mod immediate;
pub mod texture;
mod needs;
mod subgroup;
mod uniform;
mod consts;
mod mend;
mod requires;
mod filters;
mod pointers;
mod bindable;
mod front;
mod overrides;
mod table;
mod text;

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use naga::valid::ModuleInfo;

use crate::diag::{Diagnostic, Location, Report, Severity, Source, Span};
use crate::layout::{Scalar, Type};
use crate::texture::{Format, Sampler, View};

pub(crate) use effects::of as touched;
pub(crate) use grid::is_barrier as is_grid_barrier;
pub use uniform::Uniform;
pub(crate) use uniform::varying;

/// A validated module with compute entry points.
#[derive(Debug, Clone)]
pub struct Program {
    source: Arc<Source>,
    /// What it was read from, where that is not the source's text.
    binary: Option<Arc<[u8]>>,
    /// Whether the source's text is WGSL, which is read again when overrides are decided.
    wgsl: bool,
    others: Vec<Other>,
    module: naga::Module,
    info: ModuleInfo,
    views: texture::Views,
}

/// An entry point of another stage than compute, which is not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// Its name.
    pub name: String,
    /// `vertex`, `fragment` and the like.
    pub stage: &'static str,
    /// Where its name is declared, if the source is WGSL.
    pub span: Option<Span>,
}

/// A pipeline-overridable constant, as declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// Its name; empty if it has only an id.
    pub name: String,
    /// `@id(n)`.
    pub id: Option<u16>,
    /// Its type.
    pub scalar: Scalar,
    /// Whether it may be left unset.
    pub has_default: bool,
}

impl Override {
    /// Whether this is its name, or its id in decimal.
    pub fn is_called(&self, key: &str) -> bool {
        self.name == key || self.id.is_some_and(|id| id.to_string() == key)
    }
}

/// Values for overrides, by name or by decimal `@id`.
pub type Overrides = BTreeMap<String, f64>;

/// What a kernel may do with a buffer, as declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// `var<uniform>`
    Uniform,
    /// `var<storage, read>`
    Read,
    /// `var<storage, read_write>`
    ReadWrite,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uniform => "uniform",
            Self::Read => "read",
            Self::ReadWrite => "read_write",
        })
    }
}

/// What a kernel really does with a buffer, through helper functions and pointers too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effects {
    /// Some value is loaded (`atomicLoad` counts; `arrayLength` does not), or is updated so that the
    /// order of updates can be told.
    pub reads: bool,
    /// Some value is stored (`atomicStore` counts).
    pub writes: bool,
    /// Some value is updated by a read-modify-write atomic. If nothing is read, all of them add to
    /// integers and nobody looks at what was there, so that they commute with others of that kind.
    pub updates: bool,
}

/// One row of a kernel's buffer table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    /// The variable's name (`g0b1` where the source has none).
    pub name: String,
    /// `@group`
    pub group: u32,
    /// `@binding`
    pub binding: u32,
    /// As declared.
    pub access: Access,
    /// Whether it is declared as `var<immediate>`, and its access is that of the buffer which stands for it.
    pub immediate: bool,
    /// What it holds.
    pub ty: Type,
    /// The least that may be bound.
    pub min_bytes: u64,
    /// As used.
    pub effects: Effects,
    /// Where it is declared.
    pub span: Option<Span>,
}

impl Buffer {
    /// The address space or access mode that it is declared with.
    pub fn declared(&self) -> String {
        if self.immediate { "immediate".to_owned() } else { self.access.to_string() }
    }
}

/// What a kernel asks of a device beyond the core language, each with the first place that asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// `f16` arithmetic or storage.
    pub f16: Option<Need>,
    /// 64-bit integers.
    pub int64: Option<Need>,
    /// `f64`.
    pub f64: Option<Need>,
    /// Subgroup operations or builtins.
    pub subgroup: Option<Need>,
    /// Barriers of a subgroup.
    pub subgroup_barrier: Option<Need>,
    /// Atomics of `f32`.
    pub atomic_f32: Option<Need>,
    /// 64-bit atomics, be they no more than minima and maxima whose results nobody takes.
    pub atomic_int64_min_max: Option<Need>,
    /// Other 64-bit atomics.
    pub atomic_int64: Option<Need>,
    /// Barriers of the whole grid.
    pub grid_barrier: Option<Need>,
}

/// Where a feature is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// The place, where known.
    pub span: Option<Span>,
}

/// One entry point with every override decided: the unit that devices compile.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The entry point's name.
    pub name: String,
    /// Invocations per workgroup.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u64,
    /// The buffers it uses, by group and binding; those of textures and samplers are among them.
    pub buffers: Vec<Buffer>,
    /// The textures it uses.
    pub textures: Vec<texture::Texture>,
    /// The samplers it uses.
    pub samplers: Vec<texture::Sampler>,
    /// Language features it needs.
    pub needs: Needs,
    source: Arc<Source>,
    binary: Option<Arc<[u8]>>,
    /// Of the text and the binary, which may be long: kernels are looked up for every schedule.
    digest: u64,
    overrides: Overrides,
    /// Which part of the entry point it is, of how many, if that is cut at grid barriers.
    segment: Option<(u32, u32)>,
    aliased: bool,
    module: naga::Module,
    info: ModuleInfo,
}

/// Kernels are equal when they come from the same text with the same decisions.
impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.same_entry(other)
            && self.aliased == other.aliased
            && self.decisions().eq(other.decisions())
            && self.formats().eq(other.formats())
    }
}

impl Eq for Kernel {}

impl Hash for Kernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, self.segment, self.digest, self.aliased).hash(state);
        self.decisions().for_each(|decision| decision.hash(state));
        self.formats().for_each(|format| format.hash(state));
    }
}

impl Program {
    /// Parses and validates WGSL.
    pub fn wgsl(text: &str) -> Result<Self, Report> {
        Self::wgsl_named("<wgsl>", text)
    }

    /// Parses and validates WGSL; diagnostics say `name`.
    pub fn wgsl_named(name: &str, text: &str) -> Result<Self, Report> {
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        Self::new(&source, front::wgsl(text), false).map(|program| Self { wgsl: true, ..program })
    }

    /// Reads and validates a SPIR-V binary. There is no source text: diagnostics have no spans.
    #[cfg(feature = "spirv")]
    pub fn spirv(bytes: &[u8]) -> Result<Self, Report> {
        let source = Arc::new(Source { name: "<spirv>".to_owned(), text: String::new() });
        Self::new(&source, front::spirv(bytes), true).map(|program| Self { binary: Some(bytes.into()), ..program })
    }

    /// Parses and validates a GLSL compute shader.
    #[cfg(feature = "glsl")]
    pub fn glsl(text: &str) -> Result<Self, Report> {
        let source = Arc::new(Source { name: "<glsl>".to_owned(), text: text.to_owned() });
        Self::new(&source, front::glsl(text), true)
    }

    /// Validates a module that was made elsewhere. Its spans, if it has any, point into `text`, which
    /// diagnostics call `name`. Subgroups may be split at their operations: naga lets them, and does not keep where
    /// a text asks for WGSL's rule.
    ///
    /// ```
    /// use seawall_core::{naga, program::Program};
    ///
    /// let text = "@compute @workgroup_size(64) fn main() {}";
    /// let module = naga::front::wgsl::parse_str(text).expect("it is valid");
    /// assert!(Program::module(module, "empty.wgsl", text)?.entries().eq(["main"]));
    /// # Ok::<(), seawall_core::diag::Report>(())
    /// ```
    pub fn module(module: naga::Module, name: &str, text: &str) -> Result<Self, Report> {
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        // The text may be missing, or another's: what tells two modules apart is all that they are made of.
        let content = format!("{module:?}").into_bytes();
        let program = Self::by_rule(&source, Ok(module), true, &subgroup::Rule::off());
        program.map(|program| Self { binary: Some(content.into()), ..program })
    }

    fn new(
        source: &Arc<Source>,
        parsed: Result<naga::Module, Vec<Diagnostic>>,
        follow_private: bool,
    ) -> Result<Self, Report> {
        Self::by_rule(source, parsed, follow_private, &subgroup::Rule::errors(&source.text))
    }

    fn by_rule(
        source: &Arc<Source>,
        parsed: Result<naga::Module, Vec<Diagnostic>>,
        follow_private: bool,
        rule: &subgroup::Rule,
    ) -> Result<Self, Report> {
        let checked = |module| {
            let others = front::others(source, &module);
            let (module, info, views) = front::validate(source, module, &others, (follow_private, rule))?;
            Ok(Self { source: source.clone(), binary: None, wgsl: false, others, module, info, views })
        };
        parsed.and_then(checked).map_err(|diagnostics| Report { source: source.clone(), diagnostics })
    }

    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.source.text, &self.binary).hash(&mut hasher);
        hasher.finish()
    }

    /// The text it came from.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Names of the compute entry points, in source order.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.module.entry_points.iter().map(|entry| entry.name.as_str())
    }

    /// Entry points of other stages, in source order. They are not validated and never run.
    pub fn others(&self) -> &[Other] {
        &self.others
    }

    /// Operations of subgroups that not all of one may come to, where WGSL's rule is to warn of that.
    pub(crate) fn split_subgroups(&self) -> Vec<Diagnostic> {
        if !self.wgsl {
            return Vec::new();
        }
        let mut found = uniform::check(&self.module, false, &subgroup::Rule::warnings(&self.source.text));
        found.retain(|diagnostic| diagnostic.code == "subgroup-divergence");
        found.into_iter().map(|diagnostic| Diagnostic { severity: Severity::Warning, ..diagnostic }).collect()
    }

    /// Where a span of the program starts, in lines and characters.
    ///
    /// ```
    /// use seawall_core::program::Program;
    ///
    /// let program = Program::wgsl("enable f16;\n@compute @workgroup_size(1) fn main() {\n\tlet x = 1h;\n}")?;
    /// let (feature, need) = program.needs().list()[0];
    /// let place = program.location(need.span.unwrap());
    /// assert_eq!((feature, place.line, place.column), ("f16", 3, 2));
    /// # Ok::<(), seawall_core::diag::Report>(())
    /// ```
    pub fn location(&self, span: Span) -> Location {
        self.source.location(span)
    }

    /// What some entry point or other asks of a device, each with the first place that asks.
    pub fn needs(&self) -> Needs {
        let entries = 0..self.module.entry_points.len();
        entries.fold(Needs::default(), |needs, entry| needs.and(&self.needs_at(entry)))
    }

    /// What one entry point asks of a device, if there is one of this name.
    pub fn needs_of(&self, entry: &str) -> Option<Needs> {
        self.entries().position(|name| name == entry).map(|entry| self.needs_at(entry))
    }

    fn needs_at(&self, entry: usize) -> Needs {
        let touched = effects::of(&self.module, &self.module.entry_points[entry].function);
        needs::of(&self.module, &self.info, entry, &touched)
    }

    /// The overrides that may be set.
    pub fn overrides(&self) -> Vec<Override> {
        overrides::list(&self.module)
    }

    /// Bindings that no entry point uses, by name, with where they are declared.
    pub fn unused_bindings(&self) -> Vec<(&str, Option<Span>)> {
        // No code names samplers any more.
        let lowered = |name: &str| name == texture::SHAPES || self.views.samplers.iter().any(|used| used.name == name);
        table::unused(&self.module).into_iter().filter(|(name, _)| !lowered(name)).collect()
    }

    /// The textures that it declares.
    pub fn textures(&self) -> &[texture::Texture] {
        &self.views.textures
    }

    /// The buffers that any entry point uses, with what all of them do.
    pub fn buffers(&self) -> Vec<Buffer> {
        table::all_buffers(&self.module)
    }

    /// One entry point with its overrides decided, as calls and graphs take it.
    ///
    /// ```
    /// use seawall_core::program::{Overrides, Program};
    ///
    /// let program = Program::wgsl(
    ///     "override size: u32 = 64;
    ///      @compute @workgroup_size(size) fn main() {}",
    /// )?;
    /// let kernel = program.kernel("main", &Overrides::from([("size".to_owned(), 32.0)]))?;
    /// assert_eq!(kernel.workgroup_size, [32, 1, 1]);
    /// # Ok::<(), seawall_core::diag::Report>(())
    /// ```
    pub fn kernel(&self, entry: &str, overrides: &Overrides) -> Result<Arc<Kernel>, Report> {
        table::kernel((&self.source, self.wgsl), (&self.module, &self.info), &self.views, entry, overrides)
            .map(|kernel| Arc::new(Kernel { binary: self.binary.clone(), digest: self.digest(), ..kernel }))
            .map_err(|diagnostics| Report { source: self.source.clone(), diagnostics })
    }
}

impl Kernel {
    /// The text it came from.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Whether the other comes from the same entry point of the same text.
    pub fn same_entry(&self, other: &Self) -> bool {
        self.name == other.name
            && self.segment == other.segment
            && self.digest == other.digest
            && self.source.text == other.source.text
            && self.binary == other.binary
    }

    /// The part of it that this module is: number `at` of `of`. After its own buffers, it has these
    /// variables of the module.
    pub(crate) fn segment(
        &self,
        module: naga::Module,
        rows: &[naga::Handle<naga::GlobalVariable>],
        (at, of): (u32, u32),
    ) -> Self {
        Self { segment: Some((at, of)), ..table::segment(self, module, rows, (at, of)) }
    }

    /// The overrides as bits: -0 decides something else than 0.
    fn decisions(&self) -> impl Iterator<Item = (&str, u64)> {
        self.overrides.iter().map(|(name, value)| (name.as_str(), value.to_bits()))
    }

    /// What its textures are made of.
    fn formats(&self) -> impl Iterator<Item = Format> {
        self.textures.iter().map(|texture| texture.format)
    }

    /// The texture of this name.
    pub fn texture(&self, name: &str) -> Option<&texture::Texture> {
        self.textures.iter().find(|texture| texture.name == name)
    }

    /// The sampler of this name.
    pub fn sampler(&self, name: &str) -> Option<&texture::Sampler> {
        self.samplers.iter().find(|sampler| sampler.name == name)
    }

    /// Whether its storage buffers may have bytes in common, those that it changes too.
    pub fn is_aliased(&self) -> bool {
        self.aliased
    }

    /// The same for storage buffers that may have bytes in common: what it writes to one may be read from another.
    /// WGSL leaves that undefined, and wgpu lets programs do it; no schedule may do it with other kernels,
    /// whose code may be faster for it.
    #[must_use]
    pub fn aliased(self: &Arc<Self>) -> Arc<Self> {
        if self.aliased { self.clone() } else { Arc::new(Self { aliased: true, ..Self::clone(self) }) }
    }

    /// What the invocations of a workgroup evaluate together, with one result.
    pub fn uniform(&self) -> Uniform {
        // What counts as read-only may be changed by others all the same.
        if self.aliased { Uniform::default() } else { Uniform::of(&self.module, &self.entry().function) }
    }

    /// The same for images of other formats, one for each texture, which it fits.
    fn with_formats(self: &Arc<Self>, formats: &[Format]) -> Arc<Self> {
        let mut textures = self.textures.clone();
        for (texture, &format) in textures.iter_mut().zip(formats) {
            texture.format = format;
        }
        if textures == self.textures {
            return self.clone();
        }
        let mut module = self.module.clone();
        let changed = textures.iter().zip(&self.textures).filter(|(new, old)| new.format != old.format);
        texture::reformat(&mut module, changed.map(|(new, _)| new));
        let info = front::valid(&module);
        Arc::new(Self { textures, module, info, ..Self::clone(self) })
    }

    /// What is bound to [`texture::SHAPES`]: an image for each texture and a sampler for each that it has,
    /// in their order.
    fn shapes(&self, images: &[View], samplers: &[Sampler]) -> Vec<u8> {
        let row = self.buffer(texture::SHAPES).map_or(0, |row| row.min_bytes as usize);
        let mut words = vec![0_u32; row / 4];
        texture::tell(&mut words, (&self.textures, images), (&self.samplers, samplers));
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The decisions that made it.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// The module, which has this one entry point and no overrides left.
    pub fn module(&self) -> &naga::Module {
        &self.module
    }

    /// The module as WGSL text, for reading.
    pub fn wgsl(&self) -> Result<String, naga::back::wgsl::Error> {
        naga::back::wgsl::write_string(&self.module, &self.info, naga::back::wgsl::WriterFlags::empty())
    }

    /// What naga knows about the module.
    pub fn info(&self) -> &ModuleInfo {
        &self.info
    }

    /// The entry point itself.
    pub fn entry(&self) -> &naga::EntryPoint {
        &self.module.entry_points[0]
    }

    /// Whether it has a loop anywhere. One that has none takes its time by its grid alone.
    pub fn has_loops(&self) -> bool {
        let entry = &self.entry().function;
        let helpers = walk::helpers(&self.module, entry).into_iter().map(|helper| &self.module.functions[helper]);
        let loops = |statement: &naga::Statement| matches!(statement, naga::Statement::Loop { .. });
        std::iter::once(entry)
            .chain(helpers)
            .any(|function| walk::statements(&function.body).iter().any(|(statement, _)| loops(statement)))
    }

    /// The row of the buffer table with this name.
    pub fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.buffers.iter().find(|buffer| buffer.name == name)
    }

    /// Invocations in a workgroup.
    pub fn workgroup_invocations(&self) -> u64 {
        self.workgroup_size.iter().map(|&n| u64::from(n)).product()
    }
}
