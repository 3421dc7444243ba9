//! Plans as data: the fields of each plan by their own names.

use seawall_core::ids::WaveId;
use seawall_core::{frontier, queue, readback};
use serde_json::{Map, Value, json};

use super::Plans;
use super::schema::Problem;

pub(crate) fn value(problem: &Problem, plans: &Plans) -> Value {
    let mut all = Map::new();
    let groups = |groups: &mut dyn Iterator<Item = &[WaveId]>| -> Vec<Value> {
        groups.map(|group| group.iter().map(|wave| wave.0).collect()).collect()
    };
    if !problem.waves.is_empty() {
        let barrier = json!({
            "groups": groups(&mut plans.layers.groups()),
            "global_barriers": plans.layers.global_barriers(),
        });
        all.insert("barrier".to_owned(), barrier);
        all.insert("frontier".to_owned(), fitted(&plans.frontier, &groups(&mut plans.frontier.groups())));
    }
    if let Some(live) = &plans.live {
        let frontier::Live { group_bytes, peak_bytes, peak_group } = live;
        let live = json!({ "group_bytes": group_bytes, "peak_bytes": peak_bytes, "peak_group": peak_group });
        all.insert("live".to_owned(), live);
    }
    if let Some(plan) = &plans.readback {
        all.insert("readback".to_owned(), read_back(plan));
    }
    if let Some(plan) = &plans.queue {
        all.insert("queue".to_owned(), queued(plan));
    }
    Value::Object(all)
}

fn fitted(plan: &frontier::Plan, groups: &[Value]) -> Value {
    let sum = |sum: &frontier::Wave| {
        json!({
            "frontier_bytes": sum.frontier_bytes,
            "scratch_bytes": sum.scratch_bytes,
            "output_bytes": sum.output_bytes,
        })
    };
    json!({
        "groups": groups,
        "sums": plan.sums.iter().map(sum).collect::<Vec<_>>(),
        "layer_offsets": plan.layer_offsets,
        "global_barriers": plan.global_barriers(),
        "memory_splits": plan.memory_splits,
        "peak_frontier_bytes": plan.peak_frontier_bytes,
        "peak_scratch_bytes": plan.peak_scratch_bytes,
        "peak_output_bytes": plan.peak_output_bytes,
        "peak_group_bytes": plan.peak_group_bytes,
        "readback_bytes": plan.readback_bytes,
        "widest_group_waves": plan.widest_group_waves,
    })
}

fn read_back(plan: &readback::Plan) -> Value {
    let record = |record: &readback::Record| {
        let readback::Record { slot, buffer, source, offset, bytes } = record;
        json!({ "slot": slot.0, "buffer": buffer.0, "source": source, "offset": offset, "bytes": bytes })
    };
    let range = |range: &readback::Range| {
        let readback::Range { buffer, offset, bytes } = range;
        json!({ "buffer": buffer.0, "offset": offset, "bytes": bytes })
    };
    let direct = |direct: &readback::Direct| {
        let readback::Direct { slot, range, offset, bytes } = direct;
        json!({ "slot": slot.0, "range": range, "offset": offset, "bytes": bytes })
    };
    json!({
        "records": plan.records.iter().map(record).collect::<Vec<_>>(),
        "ranges": plan.ranges.iter().map(range).collect::<Vec<_>>(),
        "direct": plan.direct.iter().map(direct).collect::<Vec<_>>(),
        "full_capacity_bytes": plan.full_capacity_bytes,
        "compact_bytes": plan.compact_bytes,
        "direct_bytes": plan.direct_bytes,
        "selected_bytes": plan.selected_bytes,
        "avoided_bytes": plan.avoided_bytes,
        "avoided_bp": plan.avoided_bp,
    })
}

fn queued(plan: &queue::Plan) -> Value {
    json!({
        "queue_bytes": plan.queue_bytes,
        "resident_bytes": plan.resident_bytes,
        "initial_occupancy_bp": plan.initial_occupancy_bp,
        "host": match plan.host {
            queue::Host::FinalOnly => "final_only",
            queue::Host::WhileDraining => "while_draining",
        },
        "drain": match plan.drain {
            queue::Drain::Single { .. } => "single",
            queue::Drain::Chunked { .. } => "chunked",
        },
        "chunks": plan.drain.chunks(),
        "items_per_chunk": plan.drain.items_per_chunk(),
    })
}
