"""How people use the package, for a type checker."""

import numpy as np

import seawall


def use(text: str) -> float:
    kernel = seawall.kernel(text, overrides={"k": 2})
    x = np.zeros(10, np.float32)
    buffer = seawall.Buffer(x, runtime=seawall.Runtime("cpu", threads=2))
    kernel(x=x, y=buffer, p={"a": 1.0}, threads=10, deadline=1.0)
    kernel({"x": x}, workgroups=(1, 2))
    ticket = kernel.submit(x=x, over="x")
    shape: tuple[int, ...] = buffer[2:].shape
    try:
        ticket.result(1.0)
    except seawall.ProgramError as error:
        lines: list[int] = [span.line for span in error.spans]
        return float(lines[0] + shape[0])
    ordered = seawall.kit.sort(x, x, descending=True)
    parted = seawall.kit.partition(buffer, "value > 0.0", runtime=seawall.runtime())
    if parted.count > len(ordered.keys):
        return float(seawall.kit.reduce(buffer, "max"))
    graph = seawall.kit.Csr.from_edges(np.zeros((1, 2), np.uint32), vertices=3)
    if seawall.kit.triangles(graph) > graph.vertices:
        return float(seawall.kit.bfs(graph, 0)[0] + seawall.kit.sssp(graph, 0, delta=2)[0])
    with seawall.Runtime() as runtime:
        return float(buffer.numpy().sum()) + len(runtime.device)
