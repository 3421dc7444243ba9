//! From a graph as described to its plan: types that fit, images told of, resolved, planned and proved.

use std::borrow::Cow;
use std::sync::Arc;

use seawall_core::check::Checked;
use seawall_core::graph::{self, Bind, DataId, Grid, Key};
use seawall_core::plan::{self, Plan};
use seawall_core::program::texture::{SHAPES, Texture};
use seawall_core::program::{self, Kernel};
use seawall_core::texture::Shape;

use super::Graph;
use crate::error::Error;
use crate::image;

impl Graph {
    /// What runs together and what is staged, and why; nothing is compiled or run for it.
    pub fn plan(&self) -> Result<Plan, Error> {
        self.plan_within(self.budget_bytes, false)
    }

    /// Planned within its budget and for a device's, and proved.
    pub(crate) fn planned(
        &self,
        memory_bytes: Option<u64>,
        grid_barriers: bool,
    ) -> Result<(Plan, Arc<Checked>), Error> {
        // What the caller allows, and what the device has.
        let plan = self.plan_within([self.budget_bytes, memory_bytes].into_iter().flatten().min(), grid_barriers)?;
        let schedule = proved(&plan);
        Ok((plan, schedule))
    }

    /// For a device that has grid barriers, or for one for which kernels are cut there.
    fn plan_within(&self, budget_bytes: Option<u64>, grid_barriers: bool) -> Result<Plan, Error> {
        if let Some((first, second)) = &self.stray {
            return Err(Error::StraySwap { first: first.clone(), second: second.clone() });
        }
        if let Some((wave, error)) = &self.refused {
            return Err(Error::Wave { wave: wave.clone(), source: Box::new(error.clone()) });
        }
        self.types_fit()?;
        let inner = self.viewed()?;
        let resolved = if grid_barriers { graph::resolve(&inner) } else { graph::resolve_cut(&inner, budget_bytes) };
        Ok(plan::plan(&Arc::new(resolved?), budget_bytes)?)
    }

    /// With kernels for the formats of the images that waves bind, and what they are told of them.
    fn viewed(&self) -> Result<Cow<'_, graph::Graph>, Error> {
        let mut inner = Cow::Borrowed(&self.inner);
        for (at, wave) in self.inner.waves.iter().enumerate() {
            let told = |key: &Key| row(&wave.kernel, key).is_some_and(|row| row.name == SHAPES);
            let has_views = !wave.kernel.textures.is_empty() || !wave.kernel.samplers.is_empty();
            // Who describes a graph by its parts may have told its kernels already.
            if !has_views || wave.binds.iter().any(|(key, _)| told(key)) {
                continue;
            }
            let named = |error| Error::Wave { wave: wave.name.to_string(), source: Box::new(error) };
            let samplers = self.samplers.iter().filter(|(of, ..)| *of == at);
            let samplers: Vec<_> = samplers.map(|(_, name, sampler)| (name.clone(), *sampler)).collect();
            let shape = |texture: &Texture| self.shape(wave, &texture.name);
            let (kernel, told) = image::viewing(&wave.kernel, shape, &samplers).map_err(named)?;
            let changed = &mut inner.to_mut().waves[at];
            if let Some(Grid::Over(key)) = &wave.grid
                && let Some(shape) = row(&wave.kernel, key).and_then(|row| self.shape(wave, &row.name))
            {
                changed.grid(Grid::Threads(shape.size()));
            }
            changed.kernel = kernel;
            if !told.is_empty() {
                changed.value(SHAPES, &told);
            }
        }
        Ok(inner)
    }

    /// The image that a wave binds to a texture.
    fn shape(&self, wave: &graph::Wave, texture: &str) -> Option<Shape> {
        wave.kernel.texture(texture)?;
        let mut binds = wave.binds.iter();
        let (_, bind) = binds.find(|(key, _)| row(&wave.kernel, key).is_some_and(|row| row.name == texture))?;
        let Bind::Data { data, range: None } = bind else { return None };
        let id = match data {
            Key::At(data) => DataId(*data),
            Key::Name(name) => *self.names.get(name)?,
        };
        self.images.get(&id).copied()
    }

    /// Whether data and values are bound to buffers that hold their elements.
    fn types_fit(&self) -> Result<(), Error> {
        let mut values = self.values.iter().peekable();
        for (at, wave) in self.inner.waves.iter().enumerate().filter(|(_, wave)| !graph::is_own(&wave.kernel)) {
            for (place, (buffer, bind)) in wave.binds.iter().enumerate() {
                let element = match bind {
                    Bind::Data { data, .. } => match data {
                        Key::At(data) => self.elements.get(*data as usize),
                        Key::Name(name) => self.names.get(name).map(|data| &self.elements[data.0 as usize]),
                    },
                    Bind::Value(_) => values.next_if(|value| (value.0, value.1) == (at, place)).map(|value| &value.2),
                };
                let row = row(&wave.kernel, buffer);
                // Names that lead nowhere are found where the graph is resolved.
                if let (Some(element), Some(row)) = (element, row) {
                    let named = |error| Error::Wave { wave: wave.name.to_string(), source: Box::new(error) };
                    element.fits(row).map_err(named)?;
                }
            }
        }
        Ok(())
    }
}

/// The buffer of a kernel that a key means.
fn row<'a>(kernel: &'a Kernel, key: &Key) -> Option<&'a program::Buffer> {
    match key {
        Key::At(row) => kernel.buffers.get(*row as usize),
        Key::Name(name) => kernel.buffer(name),
    }
}

/// Planned within the same budget, with some data on the device already, and proved.
pub(crate) fn with_residents(plan: &Plan, resident: &[DataId]) -> Result<(Plan, Arc<Checked>), Error> {
    let mut graph = (*plan.graph).clone();
    for data in resident {
        graph.data[data.0 as usize].resident = true;
    }
    let name = |data: DataId| graph.data[data.0 as usize].name.clone();
    let stays = |data: DataId| graph.data[data.0 as usize].stays();
    for block in &graph.blocks {
        if let Some(&(first, second)) = block.swaps.iter().find(|(first, second)| stays(*first) != stays(*second)) {
            let (block, why) = (block.name.clone(), "bind both to resident buffers, or neither");
            return Err(graph::Error::Swap { block, first: name(first), second: name(second), why }.into());
        }
    }
    let data = resident.iter().map(|&data| name(data)).collect();
    let over = |source| Error::Resident { data, source: Box::new(source) };
    let plan = plan::plan(&Arc::new(graph), plan.schedule.budget_bytes).map_err(over)?;
    let schedule = proved(&plan);
    Ok((plan, schedule))
}

fn proved(plan: &Plan) -> Arc<Checked> {
    match plan.check() {
        Ok(schedule) => Arc::new(schedule),
        Err(error) => unreachable!("invariant plan: it is sound and computes its graph: {error}"),
    }
}
