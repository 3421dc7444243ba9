//! `seawall devices`: what there is, and whether it can run here.

use std::io::Write;

use seawall::Runtime;
use seawall::device::{Caps, Kind};
use seawall::route::{Member, Slot};
use serde_json::{Value, json};

use crate::args::Devices;
use crate::error::Error;
use crate::memory::BUFFER_BYTES_MAX;
use crate::{driver, say, table};

pub(crate) fn devices(args: &Devices) -> Result<(), Error> {
    let registry = Runtime::builder().registry()?;
    if args.json {
        let devices: Vec<Value> = driver::heard(|| registry.slots().iter().flat_map(as_json).collect());
        return say::out(|out| {
            writeln!(out, "{}", json!({ "buffer_bytes_max": BUFFER_BYTES_MAX, "devices": devices }))
        });
    }
    let members = driver::heard(|| registry.slots().iter().flat_map(Slot::members).collect::<Vec<_>>());
    let text: String = members.iter().map(as_text).collect();
    say::out(|out| out.write_all(text.as_bytes()))
}

/// The optional abilities of a device.
fn features(caps: &Caps) -> [(&'static str, bool); 11] {
    [
        ("native_grid_barrier", caps.native_grid_barrier),
        ("indirect", caps.indirect),
        ("control", caps.control),
        ("subgroup", caps.subgroup.is_some()),
        ("subgroup_barrier", caps.subgroup_barrier),
        ("f16", caps.f16),
        ("int64", caps.int64),
        ("f64", caps.f64),
        ("atomic_f32", caps.atomic_f32),
        ("atomic_int64_min_max", caps.atomic_int64_min_max),
        ("atomic_int64", caps.atomic_int64),
    ]
}

fn as_text(member: &Member) -> String {
    let caps = match &member.device {
        Err(absent) => return format!("{}: cannot run here: {absent}\n", member.id),
        Ok(device) => device.caps(),
    };
    let names = |wanted: bool| {
        let names: Vec<&str> = features(caps).iter().filter(|(_, has)| *has == wanted).map(|(name, _)| *name).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(", ") }
    };
    let limits = &caps.limits;
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let memory = match (caps.memory_bytes, caps.kind) {
        (Some(bytes), _) => format!("{bytes} bytes"),
        (None, Kind::Gpu) => "as much as its driver gives".to_owned(),
        (None, Kind::Reference | Kind::Cpu | Kind::Software) => "the host's".to_owned(),
    };
    let mut rows = vec![row("kind", caps.kind.to_string())];
    rows.extend(caps.facts.iter().map(|(what, value)| row(what, value.clone())));
    let command = match limits.buffer_bytes_max {
        most if most > BUFFER_BYTES_MAX => format!("; this command takes {BUFFER_BYTES_MAX}"),
        _ => String::new(),
    };
    let most = format!("{} bytes at most{command}", limits.buffer_bytes_max);
    rows.extend([row("memory", memory), row("buffer", most)]);
    if limits.binding_bytes_max < limits.buffer_bytes_max {
        rows.push(row("binding", format!("{} bytes at most", limits.binding_bytes_max)));
    }
    let [x, y, z] = limits.workgroup_size_max;
    if limits.storage_buffers_max < u32::MAX {
        let (storage, uniform) = (limits.storage_buffers_max, limits.uniform_buffers_max);
        rows.push(row("kernel", format!("{storage} storage and {uniform} uniform buffers at most")));
        rows.push(row("uniform", format!("{} bytes at most", limits.uniform_bytes_max)));
        rows.push(row("size", format!("{x} by {y} by {z} invocations at most")));
    }
    rows.extend([
        row(
            "workgroup",
            format!(
                "{} invocations and {} bytes at most",
                limits.workgroup_invocations_max, limits.workgroup_bytes_max
            ),
        ),
        row("has", names(true)),
        row("lacks", names(false)),
    ]);
    format!("{}: runs here: {}\n{}", member.id, caps.name, table::lines(&rows))
}

fn as_json(slot: &Slot) -> Vec<Value> {
    slot.members().iter().map(|member| member_as_json(member, slot.precedence)).collect()
}

fn member_as_json(member: &Member, precedence: i32) -> Value {
    let caps = match &member.device {
        Err(absent) => {
            return json!({ "id": member.id, "precedence": precedence, "runs": false, "why": absent.reason });
        }
        Ok(device) => device.caps(),
    };
    let features: serde_json::Map<String, Value> =
        features(caps).into_iter().map(|(name, has)| (name.to_owned(), has.into())).collect();
    let facts: serde_json::Map<String, Value> =
        caps.facts.iter().map(|(what, value)| (what.clone(), value.clone().into())).collect();
    json!({
        "id": member.id,
        "precedence": precedence,
        "runs": true,
        "name": caps.name,
        "kind": caps.kind.to_string(),
        "memory_bytes": caps.memory_bytes,
        "limits": {
            "buffer_bytes_max": caps.limits.buffer_bytes_max,
            "binding_bytes_max": caps.limits.binding_bytes_max,
            "uniform_bytes_max": caps.limits.uniform_bytes_max,
            "storage_buffers_max": caps.limits.storage_buffers_max,
            "uniform_buffers_max": caps.limits.uniform_buffers_max,
            "workgroup_size_max": caps.limits.workgroup_size_max,
            "workgroup_bytes_max": caps.limits.workgroup_bytes_max,
            "workgroup_invocations_max": caps.limits.workgroup_invocations_max,
        },
        "features": features,
        "facts": facts,
    })
}
