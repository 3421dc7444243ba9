//! The directives of one file.

use std::ops::Range;

use seawall_core::device::{Control, SubgroupSize};
use seawall_core::program::Overrides;

use crate::value::{self, Cell};

/// How many workgroups run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grid {
    /// So many.
    Workgroups([u32; 3]),
    /// The fewest that have so many invocations.
    Threads([u32; 3]),
}

/// What a buffer holds at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The buffer.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether the size need not be whole elements.
    pub ends_in_pad: bool,
}

/// What is said of a texture or a sampler, to be read when its type is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The variable.
    pub name: String,
    /// Format, size and levels of an image; filters and what is beyond the edge of a sampler.
    pub text: String,
}

/// What a buffer should hold at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The buffer.
    pub name: String,
    /// What is expected.
    pub cells: Vec<Cell>,
    /// The directive's lines, counted from 0, for blessing.
    pub lines: Range<usize>,
}

/// Who must find an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finder {
    /// The compiler.
    Program,
    /// The device.
    Device,
}

/// An error that must come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Who finds it.
    pub finder: Finder,
    /// The line, counted from 1, where its first primary label starts; `None` if it has none.
    pub line: Option<usize>,
    /// Its code.
    pub code: String,
    /// A part of its message or of that label; may be empty.
    pub text: String,
}

/// What a file asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// How much to run.
    pub grid: Grid,
    /// The entry point, if named.
    pub entry: Option<String>,
    /// Values of overrides.
    pub overrides: Overrides,
    /// What is bound to textures.
    pub images: Vec<View>,
    /// What is bound to samplers.
    pub samplers: Vec<View>,
    /// Buffers with a start value.
    pub inputs: Vec<Input>,
    /// Buffers with an expected value.
    pub outputs: Vec<Output>,
    /// Seeded interleavings, if said.
    pub seeds: Option<u64>,
    /// At least one seed must give a wrong answer.
    pub racy: bool,
    /// Seawall's own decision, not WGSL's.
    pub ours: bool,
    /// Statements that an invocation may execute, if said.
    pub steps: Option<u64>,
    /// Errors that must come.
    pub errors: Vec<Error>,
    /// Codes of what the sanitizer must find.
    pub finds: Vec<String>,
    /// Invocations of a subgroup, if that matters.
    pub subgroup: Option<SubgroupSize>,
}

/// One directive, continuations joined.
struct Directive {
    text: String,
    lines: Range<usize>,
}

impl Case {
    /// Whether the compiler must refuse the program, so that no device is needed.
    pub fn is_refused(&self) -> bool {
        self.errors.iter().any(|error| error.finder == Finder::Program)
    }

    /// Whether anything is expected by it; other files of WGSL have no directives.
    pub fn is_in(source: &str) -> bool {
        source.contains("//!") || source.contains("//~")
    }

    /// A hand on a run that ends when the case says so.
    pub fn control(&self) -> Control {
        Control { steps_max: self.steps.unwrap_or(Control::STEPS_MAX), ..Control::default() }
    }

    /// Seeded interleavings of the reference device; order can only matter to programs that share memory.
    pub fn seeds(&self, source: &str) -> u64 {
        let shares = ["Barrier", "atomic", "var<workgroup>"].iter().any(|word| source.contains(word));
        self.seeds.unwrap_or(match (self.racy, shares) {
            (true, _) => 16,
            (false, true) => 3,
            (false, false) => 0,
        })
    }
}

/// Reads the directives of a file; the error says which line is wrong.
pub fn parse(source: &str) -> Result<Case, String> {
    let mut case = Case {
        grid: Grid::Workgroups([1; 3]),
        entry: None,
        overrides: Overrides::new(),
        images: Vec::new(),
        samplers: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        seeds: None,
        racy: false,
        ours: false,
        steps: None,
        errors: Vec::new(),
        finds: Vec::new(),
        subgroup: None,
    };
    let mut seen = Vec::new();
    for directive in directives(source)? {
        read(&mut case, &directive, &mut seen)
            .map_err(|error| format!("line {}: {error}", directive.lines.start + 1))?;
    }
    for (index, line) in source.lines().enumerate() {
        if let Some((_, text)) = line.split_once("//~") {
            let error = located(text, index + 1).map_err(|error| format!("line {}: {error}", index + 1))?;
            case.errors.push(error);
        }
    }
    consistent(&case, &seen)?;
    Ok(case)
}

fn directives(source: &str) -> Result<Vec<Directive>, String> {
    let mut all: Vec<Directive> = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let Some((before, text)) = line.split_once("//!") else { continue };
        let indent = text.len() - text.trim_start().len();
        let misplaced = !before.is_empty() || indent == 0;
        match all.last_mut() {
            _ if misplaced => {
                return Err(format!(
                    "line {}: a directive is `//!` at the start of a line, a space, and a word",
                    index + 1
                ));
            }
            Some(last) if indent > 1 && last.lines.end == index => {
                last.text = format!("{} {}", last.text, text.trim());
                last.lines.end = index + 1;
            }
            _ if indent > 1 => return Err(format!("line {}: this continues nothing", index + 1)),
            _ => all.push(Directive { text: text.trim().to_owned(), lines: index..index + 1 }),
        }
    }
    Ok(all)
}

fn read(case: &mut Case, directive: &Directive, seen: &mut Vec<String>) -> Result<(), String> {
    let text = directive.text.as_str();
    for (word, finder) in [("error[", Finder::Program), ("runtime-error[", Finder::Device)] {
        if text.starts_with(word) {
            case.errors.push(error(text, finder, None)?);
            return Ok(());
        }
    }
    let (word, rest) = text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim()));
    match word {
        "grid" => case.grid = Grid::Workgroups(triple(rest)?),
        "threads" => case.grid = Grid::Threads(triple(rest)?),
        "entry" => case.entry = Some(identifier(rest)?),
        "seeds" => case.seeds = Some(number(rest)?),
        "steps" => case.steps = Some(number(rest)?),
        "subgroup" => {
            let size = u32::try_from(number(rest)?).ok().and_then(SubgroupSize::new);
            case.subgroup = Some(size.ok_or_else(|| format!("subgroups do not have {rest} invocations"))?);
        }
        "racy" | "ours" if !rest.is_empty() => return Err(format!("`{word}` takes no argument")),
        "racy" => case.racy = true,
        "ours" => case.ours = true,
        "finds" if rest.is_empty() => return Err("`finds` names what the sanitizer finds".to_owned()),
        "finds" => case.finds = rest.split(',').map(|code| code.trim().to_owned()).collect(),
        "set" => {
            let (name, value) = assignment(rest)?;
            let value = match value {
                "true" => 1.0,
                "false" => 0.0,
                _ => value.parse().map_err(|_| format!("`{value}` is not a number"))?,
            };
            if case.overrides.insert(name.clone(), value).is_some() {
                return Err(format!("`{name}` is set twice"));
            }
            return Ok(());
        }
        "image" | "sampler" => {
            let (name, text) = assignment(rest)?;
            let views = if word == "image" { &mut case.images } else { &mut case.samplers };
            if views.iter().any(|view| view.name == name) {
                return Err(format!("a second `{word}` for `{name}`"));
            }
            views.push(View { name, text: text.to_owned() });
            return Ok(());
        }
        "in" => {
            let (name, text) = assignment(rest)?;
            if case.inputs.iter().any(|input| input.name == name) {
                return Err(format!("a second `in` for `{name}`"));
            }
            let cells = value::parse(text)?;
            let ends_in_pad = cells.last() == Some(&Cell::Pad);
            case.inputs.push(Input { name, bytes: value::bytes(&cells)?, ends_in_pad });
            return Ok(());
        }
        "out" => {
            let (name, text) = assignment(rest)?;
            if case.outputs.iter().any(|output| output.name == name) {
                return Err(format!("a second `out` for `{name}`"));
            }
            case.outputs.push(Output { name, cells: value::parse(text)?, lines: directive.lines.clone() });
            return Ok(());
        }
        _ => return Err(format!("there is no directive `{word}`")),
    }
    if seen.iter().any(|other| other == word) {
        return Err(format!("a second `{word}`"));
    }
    seen.push(word.to_owned());
    Ok(())
}

/// What no single line can get wrong.
fn consistent(case: &Case, seen: &[String]) -> Result<(), String> {
    let said = |word: &str| seen.iter().any(|other| other == word);
    if said("grid") && said("threads") {
        return Err("`grid` and `threads` exclude each other".to_owned());
    }
    if case.errors.is_empty() {
        return if case.outputs.is_empty() {
            Err("nothing is expected: no `out` and no error".to_owned())
        } else {
            Ok(())
        };
    }
    if !case.outputs.is_empty() || case.racy {
        return Err("an expected error excludes `out` and `racy`".to_owned());
    }
    if case.errors.iter().any(|error| error.finder != case.errors[0].finder) {
        return Err("`error` and `runtime-error` exclude each other".to_owned());
    }
    if case.is_refused()
        && (!case.inputs.is_empty() || said("grid") || said("threads") || said("seeds") || said("steps"))
    {
        return Err("a program that is refused does not run: no `in`, `grid`, `threads`, `seeds` or `steps`".to_owned());
    }
    Ok(())
}

/// An error after `//~`, on line `line` or, for each `^`, one line above.
fn located(text: &str, line: usize) -> Result<Error, String> {
    let rest = text.trim_start_matches('^');
    let line = line.checked_sub(text.len() - rest.len()).filter(|&line| line > 0).ok_or("`^` points above the file")?;
    let rest = rest.trim();
    let finder = if rest.starts_with("runtime-error[") { Finder::Device } else { Finder::Program };
    error(rest, finder, Some(line))
}

fn error(text: &str, finder: Finder, line: Option<usize>) -> Result<Error, String> {
    let word = match finder {
        Finder::Program => "error[",
        Finder::Device => "runtime-error[",
    };
    let parts = text.strip_prefix(word).and_then(|rest| rest.split_once(']'));
    let (code, text) = parts.ok_or_else(|| format!("expected `error[code]`, found `{text}`"))?;
    if code.is_empty() || !code.chars().all(|c| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit()) {
        return Err(format!("`{code}` is not a code"));
    }
    Ok(Error { finder, line, code: code.to_owned(), text: text.trim().to_owned() })
}

fn assignment(text: &str) -> Result<(String, &str), String> {
    let (name, value) = text.split_once('=').ok_or("expected `NAME = …`")?;
    Ok((identifier(name.trim())?, value.trim()))
}

fn identifier(text: &str) -> Result<String, String> {
    let fine = !text.is_empty() && text.chars().all(|c| c == '_' || c.is_alphanumeric());
    if fine { Ok(text.to_owned()) } else { Err(format!("`{text}` is not a name")) }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn triple(text: &str) -> Result<[u32; 3], String> {
    let mut triple = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err(format!("`{text}` has more than three dimensions"));
    }
    for (slot, part) in triple.iter_mut().zip(parts) {
        *slot = part.trim().parse().map_err(|_| format!("`{part}` is not a number"))?;
    }
    Ok(triple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_directive() {
        let case = parse(
            "//! grid 4,2\n//! entry go\n//! set N = 4\n//! set 7 = true\n//! in a = u32[1,\n//!     2]\n//! out b = u32[3]\n\
             //! seeds 5\n//! ours\n//! steps 99\nfn go() {}\n",
        )
        .unwrap();
        assert_eq!(case.grid, Grid::Workgroups([4, 2, 1]));
        assert_eq!(case.entry.as_deref(), Some("go"));
        assert_eq!(case.overrides, Overrides::from([("N".to_owned(), 4.0), ("7".to_owned(), 1.0)]));
        assert_eq!(
            case.inputs,
            [Input { name: "a".to_owned(), bytes: vec![1, 0, 0, 0, 2, 0, 0, 0], ends_in_pad: false }]
        );
        assert_eq!(case.outputs[0].lines, 6..7);
        assert_eq!((case.seeds, case.ours, case.racy, case.steps), (Some(5), true, false, Some(99)));
    }

    #[test]
    fn reads_errors() {
        let case = parse("fn f( //~ error[syntax] expected\n\n//~^^ error[other]\n//! error[no-place] x\n").unwrap();
        let error = |line, code: &str, text: &str| Error {
            finder: Finder::Program,
            line,
            code: code.to_owned(),
            text: text.to_owned(),
        };
        let expected =
            [error(None, "no-place", "x"), error(Some(1), "syntax", "expected"), error(Some(1), "other", "")];
        assert_eq!(case.errors, expected);
        assert!(case.is_refused());
        let case = parse("//! steps 10\nloop {} //~ runtime-error[endless-loop]\n").unwrap();
        assert_eq!((case.errors[0].finder, case.errors[0].line), (Finder::Device, Some(2)));
        assert!(!case.is_refused());
    }

    #[test]
    fn refuses_nonsense() {
        for (text, message) in [
            ("", "nothing is expected"),
            ("//! grid 1\n", "nothing is expected"),
            ("//! outt b = u32[1]\n", "line 1: there is no directive `outt`"),
            ("//!out b = u32[1]\n", "line 1: a directive is"),
            ("  //! out b = u32[1]\n", "line 1: a directive is"),
            ("//!   u32[1]\n", "line 1: this continues nothing"),
            ("//! out b = u32[1]\n\n//!   2]\n", "line 3: this continues nothing"),
            ("\n//! out b\n", "line 2: expected `NAME"),
            ("//! out b = u32[x]\n", "line 1: `x` is not a number of type u32"),
            ("//! in b = u32[_]\n", "make no sense in an input"),
            ("//! out b c = u32[1]\n", "`b c` is not a name"),
            ("//! out b = u32[1]\n//! out b = u32[1]\n", "line 2: a second `out` for `b`"),
            ("//! in b = u32[1]\n//! in b = u32[1]\n", "line 2: a second `in` for `b`"),
            ("//! out b = u32[1]\n//! grid 1\n//! grid 2\n", "line 3: a second `grid`"),
            ("//! out b = u32[1]\n//! grid 1\n//! threads 2\n", "exclude each other"),
            ("//! grid 1,2,3,4\n", "more than three"),
            ("//! grid\n", "`` is not a number"),
            ("//! racy yes\n", "takes no argument"),
            ("//! set N = x\n", "`x` is not a number"),
            ("//! set N = 1\n//! set N = 2\n", "`N` is set twice"),
            ("//~ warning[x]\n", "line 1: expected `error[code]`"),
            ("//~^ error[x]\n", "above the file"),
            ("//~ error[X y]\n", "is not a code"),
            ("//~ error[x]\n//! out b = u32[1]\n", "excludes `out`"),
            ("//~ error[x]\n//! runtime-error[y]\n", "exclude each other"),
            ("//~ error[x]\n//! grid 2\n", "does not run"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(message), "{text:?} gave {error:?}");
        }
    }

    #[test]
    fn order_matters_to_programs_that_share_memory() {
        let seeds =
            |directive: &str, code: &str| parse(&format!("{directive}//! out b = u32[1]\n")).unwrap().seeds(code);
        assert_eq!(seeds("", "b[0] = 1;"), 0);
        assert_eq!(seeds("", "atomicAdd(&b, 1);"), 3);
        assert_eq!(seeds("", "storageBarrier();"), 3);
        assert_eq!(seeds("", "var<workgroup> a: u32;"), 3);
        assert_eq!(seeds("//! seeds 0\n", "storageBarrier();"), 0);
        assert_eq!(seeds("//! racy\n", ""), 16);
    }
}
