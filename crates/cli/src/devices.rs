//! `seawall devices`: what there is, and whether it can run here.

use std::io::Write;

use seawall::Runtime;
use seawall::device::Caps;
use seawall::route::Slot;
use serde_json::{Value, json};

use crate::args::Devices;
use crate::error::Error;
use crate::{say, table};

pub(crate) fn devices(args: &Devices) -> Result<(), Error> {
    let registry = Runtime::builder().registry()?;
    if args.json {
        let devices: Vec<Value> = registry.slots().iter().map(as_json).collect();
        return say::out(|out| writeln!(out, "{}", json!({ "devices": devices })));
    }
    let text: String = registry.slots().iter().map(as_text).collect();
    say::out(|out| out.write_all(text.as_bytes()))
}

/// The optional abilities of a device.
fn features(caps: &Caps) -> [(&'static str, bool); 6] {
    [
        ("native_grid_barrier", caps.native_grid_barrier),
        ("indirect", caps.indirect),
        ("subgroup", caps.subgroup),
        ("f16", caps.f16),
        ("int64", caps.int64),
        ("f64", caps.f64),
    ]
}

fn as_text(slot: &Slot) -> String {
    let caps = match slot.device() {
        Err(absent) => return format!("{}: cannot run here: {absent}\n", slot.id),
        Ok(device) => device.caps(),
    };
    let names = |wanted: bool| {
        let names: Vec<&str> = features(caps).iter().filter(|(_, has)| *has == wanted).map(|(name, _)| *name).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(", ") }
    };
    let limits = &caps.limits;
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let rows = [
        row("kind", caps.kind.to_string()),
        row("memory", caps.memory_bytes.map_or("the host's".to_owned(), |bytes| format!("{bytes} bytes"))),
        row("buffer", format!("{} bytes at most", limits.buffer_bytes_max)),
        row(
            "workgroup",
            format!(
                "{} invocations and {} bytes at most",
                limits.workgroup_invocations_max, limits.workgroup_bytes_max
            ),
        ),
        row("has", names(true)),
        row("lacks", names(false)),
    ];
    format!("{}: runs here: {}\n{}", slot.id, caps.name, table::lines(&rows))
}

fn as_json(slot: &Slot) -> Value {
    let caps = match slot.device() {
        Err(absent) => {
            return json!({ "id": slot.id, "precedence": slot.precedence, "runs": false, "why": absent.reason });
        }
        Ok(device) => device.caps(),
    };
    let features: serde_json::Map<String, Value> =
        features(caps).into_iter().map(|(name, has)| (name.to_owned(), has.into())).collect();
    json!({
        "id": slot.id,
        "precedence": slot.precedence,
        "runs": true,
        "name": caps.name,
        "kind": caps.kind.to_string(),
        "memory_bytes": caps.memory_bytes,
        "limits": {
            "buffer_bytes_max": caps.limits.buffer_bytes_max,
            "workgroup_bytes_max": caps.limits.workgroup_bytes_max,
            "workgroup_invocations_max": caps.limits.workgroup_invocations_max,
        },
        "features": features,
    })
}
