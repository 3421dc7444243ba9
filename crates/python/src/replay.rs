//! A graph as Python describes it, told to Seawall.
//!
//! Python keeps a list of what was said, with the bodies of loops and branches as lists in it, so that
//! it can be pickled and its blocks can be `with` statements. Each entry is a tuple that begins with
//! what it is.

use std::sync::Arc;

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use seawall::layout::Type;
use seawall::{Element, Graph, Repeat, Role, Wave, Word};

use crate::bind::Given;
use crate::grid::Shape;
use crate::kernel::Kernel;
use crate::run::Callee;
use crate::{buffer, dtype, error};

/// Data of a graph, as Python has it.
pub(crate) struct Data {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) shape: Vec<usize>,
    pub(crate) dtype: Py<PyArrayDescr>,
    /// What a run hands in: a value, or an array.
    pub(crate) ty: Type,
}

impl Data {
    /// Whether runs bring or take it.
    pub(crate) fn is_callers(&self) -> bool {
        match self.role {
            Role::Input | Role::Output | Role::InOut => true,
            Role::Persistent | Role::Transient => false,
        }
    }
}

/// Elements of a dtype, and what each is made of.
fn element(dtype: &Bound<'_, PyArrayDescr>, shape: &[usize]) -> PyResult<(Element, Arc<Type>)> {
    let py = dtype.py();
    let refused = |what: String| error::bind(py, format!("no buffer holds elements of `{what}`"));
    let made = dtype::element(dtype)?.map_err(refused)?.shaped(shape);
    let ty = dtype::ty(dtype)?.map_err(refused)?;
    Ok((made, ty))
}

fn text<'py>(step: &Bound<'py, PyTuple>, at: usize) -> PyResult<Bound<'py, PyString>> {
    Ok(step.get_item(at)?.cast_into::<PyString>()?)
}

fn dict<'py>(step: &Bound<'py, PyTuple>, at: usize) -> PyResult<Bound<'py, PyDict>> {
    Ok(step.get_item(at)?.cast_into::<PyDict>()?)
}

/// An option that was given.
fn option<'py>(options: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(options.get_item(name)?.filter(|value| !value.is_none()))
}

/// Tells all of it, and notes the data that runs bring or take.
pub(crate) fn all(graph: &mut Graph, steps: &Bound<'_, PyList>, data: &mut Vec<Data>) -> PyResult<()> {
    for step in steps {
        let step = step.cast_into::<PyTuple>()?;
        let kind = text(&step, 0)?;
        let name = text(&step, 1)?;
        let name = name.to_str()?;
        match kind.to_str()? {
            "data" => declare(graph, name, &step, data)?,
            "wave" => wave(graph, name, &step)?,
            "queue" => queue(graph, name, &step, data)?,
            "swap" => drop(graph.swap(name, text(&step, 2)?.to_str()?)),
            "repeat" => {
                let inside = step.get_item(3)?.cast_into::<PyList>()?;
                let mut told = Ok(());
                let turns = graph.repeat(name, |body| told = all(body, &inside, data));
                repeat(turns, &dict(&step, 2)?)?;
                told?;
            }
            "drain" => {
                let inside = step.get_item(3)?.cast_into::<PyList>()?;
                let options = dict(&step, 2)?;
                let queues = options.as_any().get_item("queues")?.extract::<Vec<String>>()?;
                let queues: Vec<&str> = queues.iter().map(String::as_str).collect();
                let mut told = Ok(());
                let turns = graph.drain(name, &queues, |body| told = all(body, &inside, data));
                repeat(turns, &options)?;
                told?;
            }
            "when" => {
                let inside = step.get_item(3)?.cast_into::<PyList>()?;
                let mut told = Ok(());
                let mut taken = graph.when(name, |body| told = all(body, &inside, data));
                let options = dict(&step, 2)?;
                if let Some(at) = option(&options, "nonzero")? {
                    taken.nonzero(word(&at)?);
                }
                if let Some(at) = option(&options, "zero")? {
                    taken.zero(word(&at)?);
                }
                told?;
            }
            other => unreachable!("invariant graph: it says nothing like `{other}`"),
        }
    }
    Ok(())
}

/// `"name"`, or `("name", index)`.
fn word(given: &Bound<'_, PyAny>) -> PyResult<Word> {
    if let Ok(name) = given.extract::<String>() {
        return Ok(Word::from(name.as_str()));
    }
    let (name, index) = given.extract::<(String, usize)>().map_err(|_| {
        error::bind(given.py(), "a word of some data is its name, for the first, or a name and an index")
    })?;
    Ok(Word::from((name.as_str(), index)))
}

fn repeat(mut turns: Repeat<'_>, options: &Bound<'_, PyDict>) -> PyResult<()> {
    if let Some(at) = option(options, "while_nonzero")? {
        turns.while_nonzero(word(&at)?);
    }
    if let Some(at) = option(options, "while_zero")? {
        turns.while_zero(word(&at)?);
    }
    if let Some(limit) = option(options, "limit")? {
        turns.limit(limit.extract()?);
    }
    if let Some(true) = option(options, "must_end")?.map(|must| must.is_truthy()).transpose()? {
        turns.must_end();
    }
    Ok(())
}

fn declare(graph: &mut Graph, name: &str, step: &Bound<'_, PyTuple>, data: &mut Vec<Data>) -> PyResult<()> {
    let said = text(step, 2)?;
    let (shape, dtype) = (buffer::shape(&step.get_item(3)?)?, PyArrayDescr::new(step.py(), step.get_item(4)?)?);
    let (element, ty) = element(&dtype, &shape)?;
    let total = shape.iter().fold(dtype.itemsize() as u64, |bytes, &len| bytes.saturating_mul(len as u64));
    let len = (total / element.bytes().max(1)) as usize;
    // What is counted are the elements of the first dimension, whatever each of them holds.
    let each = len / shape.first().copied().unwrap_or(1).max(1);
    let role = match said.to_str()? {
        "value" | "input" => Role::Input,
        "output" => Role::Output,
        "in_out" => Role::InOut,
        "persistent" => Role::Persistent,
        "transient" => Role::Transient,
        other => unreachable!("invariant graph: no data is `{other}`"),
    };
    let is_value = said.to_str()? == "value";
    let taken = if is_value { (*ty).clone() } else { rows(&ty, &dtype) };
    data.push(Data { name: name.to_owned(), role, shape, dtype: dtype.unbind(), ty: taken });
    match step.get_item(5)?.extract::<Option<String>>()? {
        _ if is_value => graph.value_of(name, element),
        Some(count) => graph.counted_output_of(name, len, &count, each, element),
        None => graph.data_of(role, name, len, element),
    };
    Ok(())
}

/// Any number of elements.
fn rows(ty: &Type, dtype: &Bound<'_, PyArrayDescr>) -> Type {
    Type::Array { element: Box::new(ty.clone()), len: None, stride: dtype.itemsize() as u32 }
}

fn queue(graph: &mut Graph, name: &str, step: &Bound<'_, PyTuple>, data: &mut Vec<Data>) -> PyResult<()> {
    let (capacity, dtype) = (step.get_item(2)?.extract::<usize>()?, PyArrayDescr::new(step.py(), step.get_item(3)?)?);
    let (element, ty) = element(&dtype, &[])?;
    let window = step.get_item(4)?.extract::<Option<usize>>()?;
    let initial = step.get_item(5)?.extract::<usize>()?;
    if initial > 0 {
        let (name, ty) = (name.to_owned(), rows(&ty, &dtype));
        data.push(Data { name, role: Role::Input, shape: vec![initial], dtype: dtype.unbind(), ty });
    }
    let mut queue = graph.queue_of(name, capacity, element);
    if let Some(items) = window {
        queue.window(items);
    }
    queue.initial(initial);
    Ok(())
}

/// `("wave", name, kernel, bindings, options)`.
fn wave(graph: &mut Graph, name: &str, step: &Bound<'_, PyTuple>) -> PyResult<()> {
    let py = step.py();
    let kernel = step.get_item(2)?.cast_into::<Kernel>()?;
    let kernel = kernel.get();
    let mut wave = graph.wave(name, &kernel.inner);
    for (buffer, bound) in dict(step, 3)? {
        let buffer = buffer.extract::<String>()?;
        if let Ok(data) = bound.extract::<String>() {
            wave.bind(&buffer, &data);
        } else if let Ok((data, start, end)) = bound.extract::<(String, u64, u64)>() {
            wave.bind_range(&buffer, &data, start..end);
        } else {
            // A name that the kernel does not have is found when the graph is resolved.
            let row = kernel.row(py, &buffer)?;
            let given = Given::new(&kernel.wanted(row), &bound)?;
            let Some((bytes, element)) = given.into_value() else {
                let message =
                    format!("wave `{name}`: `{buffer}` is bound to data by its name, and to a buffer when it is run");
                return Err(error::bind(py, message));
            };
            wave.value_of(&buffer, &bytes, element);
        }
    }
    grid(&mut wave, &dict(step, 4)?)
}

fn grid(wave: &mut Wave<'_>, options: &Bound<'_, PyDict>) -> PyResult<()> {
    let py = options.py();
    if let Some(count) = option(options, "threads")? {
        wave.threads(Shape::new("threads", &count)?.dims(py)?);
    }
    if let Some(count) = option(options, "workgroups")? {
        wave.workgroups(Shape::new("workgroups", &count)?.dims(py)?);
    }
    if let Some(buffer) = option(options, "over")? {
        wave.over(&buffer.extract::<String>()?);
    }
    if let Some(data) = option(options, "indirect")? {
        let limit = option(options, "limit")?.ok_or_else(|| error::bind(py, "`indirect` needs a `limit`"))?;
        wave.indirect(&data.extract::<String>()?, Shape::new("limit", &limit)?.dims(py)?);
    }
    for (name, queue) in
        option(options, "queues")?.map(|all| all.extract::<Vec<(String, String)>>()).transpose()?.unwrap_or_default()
    {
        wave.queue(&name, &queue);
    }
    if let Some(queue) = option(options, "items")? {
        wave.items(&queue.extract::<String>()?);
    }
    for other in option(options, "after")?.map(|all| all.extract::<Vec<String>>()).transpose()?.unwrap_or_default() {
        wave.after(&other);
    }
    Ok(())
}
