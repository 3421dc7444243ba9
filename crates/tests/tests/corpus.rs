//! Runs the corpus: each pair of a device and a file is one test.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use seawall::Runtime;
use seawall_core::device::{Device, Kind};
use seawall_core::reference;
use seawall_core::route::{Registry, Slot};
use seawall_cpu::Edge;
use seawall_tests::corpus::case::{self, Case};
use seawall_tests::corpus::run::{self, Bench, Job};
use seawall_tests::corpus::{bless, failures, mutate};

/// The devices that this build knows.
static REGISTRY: LazyLock<Registry> =
    LazyLock::new(|| Runtime::builder().registry().expect("the build registers each device once"));

/// A file of the corpus.
struct File {
    /// `folder/file`
    name: String,
    path: PathBuf,
    source: String,
    case: Result<Case, String>,
}

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files = Vec::new();
    read(&root, &root, &mut files);
    assert!(!files.is_empty(), "the corpus is empty");
    let files: Vec<Arc<File>> = files.into_iter().map(Arc::new).collect();
    let mut trials: Vec<Trial> = files.iter().filter(|file| !runs(file)).map(refusal).collect();
    trials.push(Trial::test("expected-failures", || Ok(failures::owned(&lists(), &devices())?)));
    for slot in REGISTRY.slots() {
        trials.extend(on_device(slot, expected_failures(&root, slot), &files));
    }
    for edge in [Edge::End, Edge::Start] {
        trials.extend(guarded(edge, &expected_failures(&root, cpu()).unwrap_or_default(), &files));
    }
    trials.extend(files.iter().filter(|file| runs(file)).filter_map(mutants));
    libtest_mimic::run(&args, trials).exit_code()
}

/// The device's list, and that of its driver: `gpu.txt` and `gpu-NAME.txt`, where the device's
/// name begins with NAME.
fn expected_failures(root: &Path, slot: &Slot) -> Result<failures::List, String> {
    let mut list = failures::List::new();
    let device = slot.device().map_or(String::new(), |device| device.caps().name.to_lowercase());
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join("expected-failures"))
        .map_err(|error| error.to_string())?
        .map(|entry| entry.map(|entry| entry.path()).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let driver = name.strip_prefix(&format!("{}-", slot.id));
        if name == slot.id || driver.is_some_and(|driver| device.starts_with(driver)) {
            let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            list.extend(failures::parse(&text).map_err(|error| format!("{name}.txt: {error}"))?);
        }
    }
    Ok(list)
}

fn devices() -> Vec<&'static str> {
    REGISTRY.slots().iter().map(|slot| slot.id.as_str()).collect()
}

/// Names of the files that list expected failures; there need not be any.
fn lists() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/expected-failures");
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("the folder can be listed").file_name().to_string_lossy().into_owned()).collect()
}

/// All `.wgsl` files below a folder, in the order of their names.
fn read(root: &Path, folder: &Path, files: &mut Vec<File>) {
    let entries = fs::read_dir(folder).expect("the corpus is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the corpus can be listed").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            let source = fs::read_to_string(&path).expect("a case is UTF-8 text");
            let name = path.strip_prefix(root).expect("it lies below the root").with_extension("");
            let name = name.to_string_lossy().replace('\\', "/");
            files.push(File { case: case::parse(&source), name, path, source });
        }
    }
}

/// Whether devices get to see it.
fn runs(file: &File) -> bool {
    file.case.as_ref().is_ok_and(|case| !case.is_refused())
}

/// The compiler alone decides it; so does a file whose directives are wrong.
fn refusal(file: &Arc<File>) -> Trial {
    let file = file.clone();
    Trial::test(format!("program/{}", file.name), move || {
        let case = file.case.as_ref().map_err(Failed::from)?;
        Ok(run::refused(&file.name, &file.source, case)?)
    })
}

/// Takes the barriers of a sound case away, if it has any.
fn mutants(file: &Arc<File>) -> Option<Trial> {
    let sound = file.case.as_ref().is_ok_and(|case| !case.racy && case.errors.is_empty());
    if !sound || mutate::without_barriers(&file.source).is_empty() {
        return None;
    }
    let file = file.clone();
    Some(Trial::test(format!("barriers/{}", file.name), move || {
        let case = file.case.as_ref().map_err(Failed::from)?;
        Ok(mutate::barriers_matter(&reference(), &file.name, &file.source, case)?)
    }))
}

/// The cases of one device, and its list of expected failures.
fn on_device(slot: &'static Slot, list: Result<failures::List, String>, files: &[Arc<File>]) -> Vec<Trial> {
    let files: Vec<&Arc<File>> = files.iter().filter(|file| runs(file) && asks(slot, file)).collect();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let sound = list.as_ref().map_err(Clone::clone).and_then(|list| failures::known(list, &names));
    let mut trials = vec![Trial::test(format!("{}/expected-failures", slot.id), || Ok(sound?))];
    let list = list.unwrap_or_default();
    for file in files {
        let (file, reason) = (file.clone(), list.get(&file.name).cloned());
        let name = format!("{}/{}", slot.id, file.name);
        trials.push(Trial::ignorable_test(name.clone(), move || {
            let _case = seawall_cpu::Case::new(&name);
            let bench = match slot.device() {
                Ok(device) => Bench { device: device.clone(), seeded: (slot.id == "reference").then_some(seeded) },
                Err(absent) => return Ok(Completion::ignored_with(format!("skipped: {absent}"))),
            };
            failures::judge(one(&bench, &file), reason.as_ref())?;
            Ok(Completion::Completed)
        }));
    }
    trials
}

fn cpu() -> &'static Slot {
    REGISTRY.slots().iter().find(|slot| slot.id == seawall_cpu::ID).expect("every build has the CPU device")
}

/// The CPU device once more, with all memory at an edge that cannot be passed. Its own list of
/// expected failures counts here too.
fn guarded(edge: Edge, list: &failures::List, files: &[Arc<File>]) -> Vec<Trial> {
    if cfg!(not(target_os = "linux")) {
        return Vec::new();
    }
    let config = seawall_cpu::Config { threads: NonZeroUsize::new(2), edge: Some(edge), ..Default::default() };
    let device: Arc<dyn Device> = match seawall_cpu::Device::open(config) {
        Ok(device) => Arc::new(device),
        Err(error) => panic!("no CPU device with edges: {error}"),
    };
    let bench = Bench { device, seeded: None };
    let asked = files.iter().filter(|file| runs(file) && asks(cpu(), file));
    let trial = |file: &Arc<File>| {
        let (file, bench, reason) = (file.clone(), bench.clone(), list.get(&file.name).cloned());
        let name = format!("cpu-{}/{}", format!("{edge:?}").to_lowercase(), file.name);
        Trial::test(name.clone(), move || {
            let _case = seawall_cpu::Case::new(&name);
            Ok(failures::judge(one(&bench, &file), reason.as_ref())?)
        })
    };
    asked.map(trial).collect()
}

/// Only the reference device interleaves by a seed and counts statements; what WGSL leaves
/// open, GPUs may decide in their own way.
fn asks(slot: &Slot, file: &File) -> bool {
    let gpu = || slot.device().is_ok_and(|device| matches!(device.caps().kind, Kind::Gpu | Kind::Software));
    let fits = |case: &Case| match (case.racy || case.steps.is_some(), case.ours) {
        (true, _) => slot.id == "reference",
        (false, true) => !gpu(),
        (false, false) => true,
    };
    file.case.as_ref().is_ok_and(fits)
}

fn one(bench: &Bench, file: &File) -> Result<(), String> {
    let case = file.case.as_ref().map_err(Clone::clone)?;
    let result = run::on(bench, &file.name, &file.source, case);
    if result.is_ok() || bench.seeded.is_none() || std::env::var_os("SEAWALL_BLESS").is_none() {
        return result;
    }
    let outputs =
        Job::new(&file.name, &file.source, case)?.outputs(&*bench.device).map_err(|error| error.to_string())?;
    let blessed = bless::bless(&file.source, case, &outputs);
    fs::write(&file.path, &blessed).map_err(|error| error.to_string())?;
    run::on(bench, &file.name, &blessed, &case::parse(&blessed)?)
}

fn reference() -> Bench {
    let device = Arc::new(reference::Device::new(reference::Config::default()));
    Bench { device, seeded: Some(seeded) }
}

fn seeded(seed: u64) -> Arc<dyn Device> {
    Arc::new(reference::Device::new(reference::Config { seed: Some(seed) }))
}
