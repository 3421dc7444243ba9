//! SPIR-V and GLSL. The features are on whenever the whole workspace is tested.

#[cfg(feature = "spirv")]
mod spirv {
    use seawall_core::naga;
    use seawall_core::program::{Overrides, Program};

    fn bytes(wgsl: &str, debug: bool) -> Vec<u8> {
        let module = naga::front::wgsl::parse_str(wgsl).unwrap();
        let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all())
            .validate(&module)
            .unwrap();
        let flags = if debug { naga::back::spv::WriterFlags::DEBUG } else { naga::back::spv::WriterFlags::empty() };
        let options = naga::back::spv::Options { flags, ..Default::default() };
        let words = naga::back::spv::write_vec(&module, &info, &options, None).unwrap();
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    const TEXT: &str = "@group(0) @binding(1) var<storage, read_write> y: array<u32>;\n\
                        @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n\
                        y[id.x] += 1;\n}\n";

    /// The strides of arrays that a binary says are its writer's.
    #[test]
    fn elements_lie_inside_their_arrays() {
        let text = "@group(0) @binding(0) var<storage, read_write> y: array<array<u32, 3>>;
            @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { y[i][2] = i; }";
        let sound = bytes(text, false);
        assert!(Program::spirv(&sound).is_ok());
        // OpDecorate, of four words: what, `ArrayStride`, how much.
        let stride = |word: &[u8], bytes: u32| {
            word[..4] == [71, 0, 4, 0] && word[8..] == [[6, 0, 0, 0], bytes.to_le_bytes()].concat()
        };
        for (from, to) in [(4, 16_u32), (4, 1 << 24), (12, 8), (12, 4)] {
            let mut broken = sound.clone();
            let at = (0..sound.len() - 16).step_by(4).find(|&at| stride(&sound[at..at + 16], from)).unwrap();
            broken[at + 12..at + 16].copy_from_slice(&to.to_le_bytes());
            let report = Program::spirv(&broken).unwrap_err();
            assert_eq!(report.diagnostics[0].code, "invalid", "{from} to {to}: {report}");
        }
    }

    /// In a process of its own, for its hook is set once: naga's reader panics, and no hook hears of it.
    #[test]
    fn a_panic_of_naga_is_an_error_and_nothing_else() {
        const CHILD: &str = "SEAWALL_TEST_CHILD";
        const NAME: &str = "program::inputs::spirv::a_panic_of_naga_is_an_error_and_nothing_else";
        if std::env::var_os(CHILD).is_none() {
            let this = std::env::current_exe().unwrap();
            let child =
                std::process::Command::new(this).args(["--exact", NAME, "--nocapture"]).env(CHILD, "1").output();
            let (child, told) = (child.as_ref().unwrap(), |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned());
            let (out, err) = (told(&child.stdout), told(&child.stderr));
            assert!(child.status.success() && out.contains("1 passed"), "{out}{err}");
            assert!(!err.contains("panicked"), "{err}");
            return;
        }
        let header = [0x0723_0203, 0x0001_0000, 0, 7, 0];
        let shader = [0x0002_0011, 1, 0x0003_000e, 0, 1];
        let main = [0x0005_000f, 5, 4, u32::from_le_bytes(*b"main"), 0];
        // A workgroup size without its numbers.
        let size = [0x0003_0010, 4, 17];
        let words = header.into_iter().chain(shader).chain(main).chain(size);
        let report = Program::spirv(&words.flat_map(u32::to_le_bytes).collect::<Vec<u8>>()).unwrap_err();
        let message = &report.diagnostics[0].message;
        assert_eq!(message, "the SPIR-V cannot be read: it is broken or incomplete");
    }

    #[test]
    fn reads_what_naga_writes() {
        let kernel = Program::spirv(&bytes(TEXT, true)).unwrap().kernel("main", &Overrides::new()).unwrap();
        assert_eq!(kernel.workgroup_size, [8, 1, 1]);
        assert_eq!(kernel.buffers.len(), 1);
        assert_eq!(kernel.buffers[0].name, "y");
        assert!(kernel.buffers[0].effects.reads && kernel.buffers[0].effects.writes);
    }

    /// Neither has a text, but they are not the same program.
    #[test]
    fn kernels_differ_by_their_bytes() {
        let kernel =
            |text: &str| Program::spirv(&bytes(text, true)).unwrap().kernel("main", &Overrides::new()).unwrap();
        assert_eq!(kernel(TEXT), kernel(TEXT));
        assert_ne!(kernel(TEXT), kernel(&TEXT.replace("+= 1", "+= 2")));
    }

    #[test]
    fn names_fall_back_to_the_binding() {
        let kernel = Program::spirv(&bytes(TEXT, false)).unwrap().kernel("main", &Overrides::new()).unwrap();
        assert_eq!(kernel.buffers[0].name, "g0b1");
    }

    #[test]
    fn divergence_is_found_without_a_source() {
        let text = "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {\n\
                    if i < 4 { workgroupBarrier(); }\n}\n";
        let report = Program::spirv(&bytes(text, true)).unwrap_err();
        assert_eq!(report.diagnostics[0].code, "barrier-divergence");
        assert!(report.to_string().contains("local_invocation_index"), "{report}");
    }

    #[test]
    fn uniform_inputs_stay_uniform() {
        let text = "@compute @workgroup_size(8) fn main(@builtin(workgroup_id) id: vec3<u32>) {\n\
                    for (var j = 0u; j < id.x; j++) { workgroupBarrier(); }\n}\n";
        Program::spirv(&bytes(text, true)).unwrap_or_else(|report| panic!("{report}"));
    }

    #[test]
    fn rubbish() {
        for bytes in [&b""[..], b"abc", b"abcd", &0x0723_0203_u32.to_le_bytes(), &[0; 64]] {
            let report = Program::spirv(bytes).unwrap_err();
            assert_eq!(report.diagnostics[0].code, "syntax");
            assert!(report.to_string().starts_with("error[syntax]: "));
        }
        let whole = bytes(TEXT, true);
        for end in (0..whole.len()).step_by(4) {
            assert!(Program::spirv(&whole[..end]).is_err());
        }
    }
}

#[cfg(feature = "glsl")]
mod glsl {
    use expect_test::expect;
    use seawall_core::program::{Overrides, Program};

    #[test]
    fn a_compute_shader() {
        let text = "#version 450\nlayout(local_size_x = 4) in;\n\
                    layout(set = 0, binding = 2) buffer Data { uint data[]; };\n\
                    void main() { data[gl_GlobalInvocationID.x] = gl_LocalInvocationIndex; }\n";
        let kernel = Program::glsl(text).unwrap().kernel("main", &Overrides::new()).unwrap();
        assert_eq!(kernel.workgroup_size, [4, 1, 1]);
        assert_eq!(kernel.buffers.len(), 1);
        assert_eq!((kernel.buffers[0].group, kernel.buffers[0].binding), (0, 2));
        assert!(kernel.buffers[0].effects.writes && !kernel.buffers[0].effects.reads);
    }

    #[test]
    fn a_mistake() {
        let report = Program::glsl("#version 450\nvoid main() {\n    int a = b;\n}\n").unwrap_err();
        expect![[r#"
            error[syntax]: unknown variable: b
              ┌─ <glsl>:3:13
              │
            3 │     int a = b;
              │             ^
        "#]]
        .assert_eq(&format!("{report}\n"));
        assert_eq!(Program::glsl("").unwrap_err().diagnostics[0].code, "syntax");
    }
}
