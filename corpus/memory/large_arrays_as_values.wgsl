//! out o = u32[999, 5, 6, 3, 12, 7, 1009, 1505, 86, 6, 13, 7, 1019, 3005, 166, 9, 14, 2800, 999, 8, 6, 12, 10, 0, 1039, 6005, 326, 0, 11, 5600]
// Values of more than a thousand numbers: kept while their variable changes, made of others, given to
// functions and returned by them, carried over the end of a turn, through barriers and branches.
@group(0) @binding(0) var<storage, read_write> o: array<array<u32, 6>, 5>;

struct Pair {
    low: array<u32, 1500>,
    high: array<array<u32, 2>, 750>,
    n: u32,
}

var<workgroup> rows: array<array<u32, 1100>, 5>;
var<workgroup> one: array<u32, 1100>;

fn ramp(n: u32) -> array<u32, 1500> {
    var a: array<u32, 1500>;
    for (var i = 0u; i < 1500u; i += 1u) {
        a[i] = i * n;
    }
    if n == 3u {
        return array<u32, 1500>();
    }
    return a;
}

fn at(a: array<u32, 1500>, i: u32) -> u32 {
    return a[i];
}

@compute @workgroup_size(5)
fn main(@builtin(local_invocation_index) l: u32) {
    var v = ramp(l);
    let before = v;
    v[10] = 999u;
    o[l][0] = at(before, 10u) + v[10];

    let p = Pair(before, array<array<u32, 2>, 750>(), l);
    var q = p;
    q.high[7][1] = 5u;
    o[l][1] = q.high[7][1] + p.high[7][1] + p.low[1499] + q.n;

    var sum = 0u;
    var i = 0u;
    loop {
        let now = v;
        v[20] += 1u;
        if i == 2u {
            continue;
        }
        v[21] += 1u;
        continuing {
            sum += now[20];
            i += 1u;
            break if i == 4u;
        }
    }
    o[l][2] = sum;

    rows[l][0] = l;
    rows[l][1099] = 2u * l;
    workgroupBarrier();
    let row = rows[(l + 1u) % 5u];
    workgroupBarrier();
    rows[l] = row;
    o[l][3] = rows[l][0] + rows[l][1099];

    one[l] = l + 10u;
    let all = workgroupUniformLoad(&one);
    o[l][4] = all[(l + 2u) % 5u];

    var w = before;
    if l < 2u {
        w = array<u32, 1500>();
        w[1400] = 7u;
    }
    o[l][5] = w[1400];
}
