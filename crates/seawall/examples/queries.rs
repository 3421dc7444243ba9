//! Three hundred questions about one table, as three hundred waves: one plan, one run, and only
//! the answers come back.
//!
//! ```text
//! cargo run --release -p seawall --example queries
//! ```

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use seawall::{Compiled, Graph, Kernel, Runtime};

/// Readings of the table.
const READINGS: usize = 20_000;

/// Questions about it.
const QUERIES: usize = 300;

/// Which readings are between two bounds: how many, the first few of them, and the largest.
const WGSL: &str = "
struct Query { low: u32, high: u32, most: u32 }
struct Answer { count: atomic<u32>, largest: atomic<u32> }
@group(0) @binding(0) var<storage, read> table: array<u32>;
@group(0) @binding(1) var<uniform> query: Query;
@group(0) @binding(2) var<storage, read_write> answer: Answer;
@group(0) @binding(3) var<storage, read_write> rows: array<u32>;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let part = (arrayLength(&table) + 255) / 256;
    for (var row = id.x * part; row < min((id.x + 1) * part, arrayLength(&table)); row++) {
        let reading = table[row];
        if reading < query.low || reading >= query.high { continue; }
        atomicMax(&answer.largest, reading);
        let place = atomicAdd(&answer.count, 1u);
        if place < query.most { rows[place] = row; }
    }
}
";

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Query {
    low: u32,
    high: u32,
    most: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Answer {
    count: u32,
    largest: u32,
}

fn main() -> Result<(), seawall::Error> {
    let runtime = Runtime::new()?;
    let kernel = runtime.kernel(WGSL)?;
    let table: Vec<u32> = (0..READINGS as u64).map(|i| (i * 7_919 % 100_003) as u32).collect();
    let queries: Vec<Query> = (0..QUERIES as u32).map(question).collect();

    let compiled = runtime.compile(&graph(&kernel, &queries))?;
    let (answers, rows, finished) = ask(&compiled, &table, &queries)?;

    for (at, query) in queries.iter().enumerate() {
        check(&table, *query, answers[at], &rows[at]);
    }
    let stats = &finished.stats;
    println!("{QUERIES} queries, {} on device {}", groups(&compiled), finished.device);
    println!("table of {} bytes, {} bytes came back", READINGS * 4, stats.downloaded_bytes);
    println!("query 7: {:?}, rows {:?} first", answers[7], &rows[7]);
    Ok(())
}

/// Bands of readings, each with as many rows as are asked for: 1 to 16.
fn question(at: u32) -> Query {
    let low = at * 331 % 99_000;
    Query { low, high: low + 10 + at % 90, most: 1 + at % 16 }
}

/// A wave for each query; they share only what they read, so they are one group.
fn graph(kernel: &Arc<Kernel>, queries: &[Query]) -> Graph {
    let mut graph = Graph::new();
    graph.input::<u32>("table", READINGS);
    for (at, query) in queries.iter().enumerate() {
        let (answer, rows) = (format!("answer {at}"), format!("rows {at}"));
        graph.output::<Answer>(&answer, 1).output::<u32>(&rows, query.most as usize);
        let mut wave = graph.wave(&format!("query {at}"), kernel);
        wave.bind("table", "table").value("query", query).bind("answer", &answer).bind("rows", &rows).workgroups(1);
    }
    graph
}

type Answers = (Vec<Answer>, Vec<Vec<u32>>, seawall::Finished);

fn ask(compiled: &Compiled, table: &[u32], queries: &[Query]) -> Result<Answers, seawall::Error> {
    let mut answers = vec![Answer { count: 0, largest: 0 }; queries.len()];
    let mut rows: Vec<Vec<u32>> = queries.iter().map(|query| vec![0; query.most as usize]).collect();
    let mut call = compiled.call().bind("table", table);
    for (at, (answer, rows)) in answers.iter_mut().zip(&mut rows).enumerate() {
        call = call.bind(&format!("answer {at}"), std::slice::from_mut(answer)).bind(&format!("rows {at}"), rows);
    }
    let finished = call.run()?;
    Ok((answers, rows, finished))
}

/// Asks the table on the host. Rows are found in any order, so they need only be right.
fn check(table: &[u32], query: Query, answer: Answer, rows: &[u32]) {
    let within = |reading: &u32| (query.low..query.high).contains(reading);
    let found: Vec<u32> = table.iter().copied().filter(within).collect();
    let largest = found.iter().copied().max().unwrap_or(0);
    assert_eq!(answer, Answer { count: found.len() as u32, largest });
    assert!(rows.iter().take(found.len()).all(|&row| within(&table[row as usize])));
}

fn groups(compiled: &Compiled) -> String {
    let plan = compiled.plan();
    format!("{} waves in {} group", plan.graph.waves.len(), plan.groups.len())
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_answers_are_right() -> Result<(), seawall::Error> {
        super::main()
    }
}
