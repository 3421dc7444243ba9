//! Runs the corpus: each pair of a device and a file is one test.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use seawall::Runtime;
use seawall_core::device::{Device, SubgroupSize};
use seawall_core::route::{Registry, Slot};
use seawall_cpu::{Backend, Edge};
use seawall_suite::find::{Test, find};
use seawall_suite::run::{self, Bench};
use seawall_suite::{bless, case, failures, sanitize};
use seawall_tests::mutate;

/// The devices that this build knows.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| registry(SubgroupSize::default()));

/// The same with subgroups of other sizes.
static SIZED: LazyLock<Vec<Registry>> = LazyLock::new(|| {
    SubgroupSize::ALL.iter().map(|&size| registry(SubgroupSize::new(size).expect("it is one of the sizes"))).collect()
});

fn registry(size: SubgroupSize) -> Registry {
    Runtime::builder().subgroup_size(size).registry().expect("the build registers each device once")
}

/// The same device, with subgroups as a file wants them.
fn wanted(slot: &'static Slot, file: &Test) -> &'static Slot {
    let size = file.case.as_ref().ok().and_then(|case| case.subgroup);
    let at = size.and_then(|size| SubgroupSize::ALL.iter().position(|&other| other == size.get()));
    let found = at.and_then(|at| SIZED[at].slots().iter().find(|other| other.id == slot.id));
    found.filter(|_| slot.id == seawall_cpu::ID).unwrap_or(slot)
}

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let found = find(&root).expect("the corpus can be read");
    assert!(!found.tests.is_empty(), "the corpus is empty");
    assert_eq!(found.others, 0, "files without directives");
    let files: Vec<Arc<Test>> = found.tests.into_iter().map(Arc::new).collect();
    let mut trials: Vec<Trial> = files.iter().filter(|file| !runs(file)).map(refusal).collect();
    let lists = failures::files(&root).expect("the lists are there");
    trials.push(Trial::test("expected-failures", move || Ok(failures::owned(&names(&lists), &devices())?)));
    for slot in REGISTRY.slots() {
        trials.extend(on_device(slot, expected_failures(&root, slot), &files));
    }
    for (backend, edge) in
        Backend::ALL.into_iter().flat_map(|backend| [Edge::End, Edge::Start].map(|edge| (backend, edge)))
    {
        trials.extend(guarded(backend, edge, &expected_failures(&root, cpu()).unwrap_or_default(), &files));
    }
    trials.extend(files.iter().filter(|file| runs(file)).filter_map(mutants));
    trials.extend(files.iter().filter(|file| runs(file)).filter_map(sanitized));
    libtest_mimic::run(&args, trials).exit_code()
}

fn expected_failures(root: &Path, slot: &Slot) -> Result<failures::List, String> {
    let name = slot.device().map_or("", |device| device.caps().name.as_str());
    failures::of(root, &slot.id, name)
}

fn devices() -> Vec<&'static str> {
    REGISTRY.slots().iter().map(|slot| slot.id.as_str()).collect()
}

fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned()).collect()
}

/// Whether devices get to see it.
fn runs(file: &Test) -> bool {
    file.case.as_ref().is_ok_and(|case| !case.is_refused())
}

/// The compiler alone decides it; so does a file whose directives are wrong.
fn refusal(file: &Arc<Test>) -> Trial {
    let file = file.clone();
    Trial::test(format!("program/{}", file.name), move || {
        let case = file.case.as_ref().map_err(Failed::from)?;
        Ok(run::refused(&file.name, &file.source, case)?)
    })
}

/// The sanitizer finds what the file says, and misses each barrier that is taken away.
fn sanitized(file: &Arc<Test>) -> Option<Trial> {
    file.case.as_ref().ok().filter(|case| case.errors.is_empty())?;
    let file = file.clone();
    Some(Trial::test(format!("sanitizer/{}", file.name), move || {
        let case = file.case.as_ref().map_err(Failed::from)?;
        sanitize::judge(&file.name, &file.source, case, sanitize::Config::default(), &case.control())?;
        if case.racy { Ok(()) } else { Ok(mutate::barriers_are_missed(&file.name, &file.source, case)?) }
    }))
}

/// Takes the barriers of a sound case away, if it has any.
fn mutants(file: &Arc<Test>) -> Option<Trial> {
    let sound = file.case.as_ref().is_ok_and(|case| !case.racy && case.errors.is_empty());
    if !sound || mutate::without_barriers(&file.source).is_empty() {
        return None;
    }
    let file = file.clone();
    Some(Trial::test(format!("barriers/{}", file.name), move || {
        let case = file.case.as_ref().map_err(Failed::from)?;
        Ok(mutate::barriers_matter(&Bench::reference(), &file.name, &file.source, case)?)
    }))
}

/// The cases of one device, and its list of expected failures.
fn on_device(slot: &'static Slot, list: Result<failures::List, String>, files: &[Arc<Test>]) -> Vec<Trial> {
    let files: Vec<&Arc<Test>> = files.iter().filter(|file| runs(file) && asks(slot, file)).collect();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let sound = list.as_ref().map_err(Clone::clone).and_then(|list| failures::known(list, &names));
    let mut trials = vec![Trial::test(format!("{}/expected-failures", slot.id), || Ok(sound?))];
    let list = list.unwrap_or_default();
    for file in files {
        let (file, reason) = (file.clone(), list.get(&file.name).cloned());
        let name = format!("{}/{}", slot.id, file.name);
        trials.push(Trial::ignorable_test(name.clone(), move || {
            let _case = seawall_cpu::Case::new(&name);
            let bench = match wanted(slot, &file).device() {
                Ok(device) => Bench::new(device.clone()),
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

/// The CPU device once more, by each back end, with all memory at an edge that cannot be passed. Its own list
/// of expected failures counts here too.
fn guarded(backend: Backend, edge: Edge, list: &failures::List, files: &[Arc<Test>]) -> Vec<Trial> {
    if cfg!(not(target_os = "linux")) {
        return Vec::new();
    }
    if !backend.runs_here() {
        let skipped = Completion::ignored_with("skipped: this processor does not have it");
        return vec![Trial::ignorable_test(format!("cpu-{}", backend.name()), || Ok(skipped))];
    }
    let threads = NonZeroUsize::new(2);
    let config = seawall_cpu::Config { threads, backend: Some(backend), edge: Some(edge), ..Default::default() };
    let device: Arc<dyn Device> = match seawall_cpu::Device::open(config) {
        Ok(device) => Arc::new(device),
        Err(error) => panic!("no CPU device with edges: {error}"),
    };
    let bench = Bench::new(device);
    let way = format!("{}-{}", backend.name(), format!("{edge:?}").to_lowercase());
    let skips = |file: &Test| file.case.as_ref().is_ok_and(|case| bench.skips(case).is_some());
    let asked = files.iter().filter(|file| runs(file) && asks(cpu(), file) && !skips(file));
    let trial = |file: &Arc<Test>| {
        let (file, bench, reason) = (file.clone(), bench.clone(), list.get(&file.name).cloned());
        let name = format!("cpu-{way}/{}", file.name);
        Trial::test(name.clone(), move || {
            let _case = seawall_cpu::Case::new(&name);
            Ok(failures::judge(one(&bench, &file), reason.as_ref())?)
        })
    };
    asked.map(trial).collect()
}

/// Files are listed for a device that is not here, too, to be reported as skipped.
fn asks(slot: &'static Slot, file: &Test) -> bool {
    let skips = |device: &Arc<dyn Device>| {
        file.case.as_ref().is_ok_and(|case| Bench::new(device.clone()).skips(case).is_some())
    };
    !wanted(slot, file).device().is_ok_and(skips)
}

fn one(bench: &Bench, file: &Test) -> Result<(), String> {
    let case = file.case.as_ref().map_err(Clone::clone)?;
    let result = run::on(bench, &file.name, &file.source, case);
    if result.is_ok() || !bench.is_reference() || std::env::var_os("SEAWALL_BLESS").is_none() {
        return result;
    }
    let Some(blessed) = bless::blessed(&file.name, &file.source, case)? else { return result };
    fs::write(&file.path, &blessed).map_err(|error| error.to_string())?;
    run::on(bench, &file.name, &blessed, &case::parse(&blessed)?)
}
