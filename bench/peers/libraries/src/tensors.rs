//! A product of Burn's tensors, by the kernel that it takes where it does not measure which is best: what it would
//! choose on one device says nothing of another.

use burn_tensor::wgpu::{WgpuInitError, WgpuSetup};
use burn_tensor::{Device, Tensor, TensorData};

use crate::Gpu;
use crate::protocol::Kernel;

/// Burn's device over wgpu's.
pub(crate) fn open(gpu: &Gpu) -> Result<Device, WgpuInitError> {
    let Gpu { instance, adapter, device, queue } = gpu.clone();
    let backend = adapter.get_info().backend;
    Device::wgpu_options().setup(WgpuSetup { instance, adapter, device, queue, backend }).init()
}

pub(crate) struct Matmul {
    device: Device,
    a: Tensor<2>,
    b: Tensor<2>,
    c: Option<Tensor<2>>,
}

impl Matmul {
    /// Of square matrices.
    pub(crate) fn new(device: &Device, a: &[u8], b: &[u8]) -> Self {
        let side = (a.len() / 4).isqrt();
        let tensor = |bytes: &[u8]| {
            let numbers: Vec<f32> = bytemuck::pod_collect_to_vec(bytes);
            Tensor::from_data(TensorData::new(numbers, [side, side]), device)
        };
        Self { device: device.clone(), a: tensor(a), b: tensor(b), c: None }
    }
}

impl Kernel for Matmul {
    fn run(&mut self) {
        self.c = Some(self.a.clone().matmul(self.b.clone()));
        self.device.sync().expect("burn multiplies");
    }

    fn read(&self, _: usize) -> Vec<u8> {
        let c = self.c.clone().expect("invariant run: what is read was run");
        bytemuck::cast_slice(&c.into_data().try_to_vec::<f32>().expect("the product is of f32")).to_vec()
    }
}
