//! Random numbers.

use seawall_kit::Kit;
use seawall_kit::random::{self, Stream};

use crate::devices::{lens, runtimes};

/// Vectors that the authors of Philox give with it.
#[test]
fn the_host_has_the_words_of_the_paper() {
    assert_eq!(random::philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    assert_eq!(random::philox([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    let pi = random::philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]);
    assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
}

#[test]
fn devices_have_the_words_of_the_host() {
    for runtime in runtimes() {
        let kit = Kit::new(runtime);
        for len in lens(runtime) {
            for stream in [Stream { seed: 0, number: 0 }, Stream { seed: 0x1234_5678_9abc_def0, number: 5 }] {
                let (words, floats) = (runtime.buffer::<u32>(len).unwrap(), runtime.buffer::<f32>(len).unwrap());
                random::fill(&kit, stream, &words).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(random::verify(stream, &words.to_vec().unwrap()), Ok(()), "{}", runtime.caps().id);
                random::fill(&kit, stream, &floats).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(random::verify(stream, &floats.to_vec().unwrap()), Ok(()), "{}", runtime.caps().id);
            }
        }
        let mut graph = seawall::Graph::new();
        graph.output::<u32>("y", 9);
        let stream = Stream { seed: 3, number: 1 };
        random::stage::<u32>(&kit, &mut graph, "dice", stream, "y").unwrap();
        let mut y = [0u32; 9];
        runtime.compile(&graph).unwrap().call().bind("y", &mut y).run().unwrap();
        assert_eq!(random::verify(stream, &y), Ok(()));
    }
    let wrong = random::verify(Stream { seed: 0, number: 0 }, &[0x6627_e8d5u32, 1]);
    assert_eq!(wrong, Err("number 1 is 3781805453, not 1".to_owned()));
}
