import rooflib as rl
from rooflib.table import Table

MM = rl.matmul(8, 4096, 512, w="int4", out="fp32").resident("Y")


def test_operand_by_operand():
    assert repr(MM.table()) == (
        "operand  shape        dtype    bytes  moved\n"
        "X        [8, 4096]    bf16   65.5 kB  read from hbm\n"
        "Y        [4096, 512]  int4   1.05 MB  read from vmem\n"
        "Z        [8, 512]     fp32   16.4 kB  written to hbm"
    )
    assert "read from hbm × 4" in repr(rl.tile(rl.matmul(8, 8, 8), 2, 2, 2).table())
    assert "2*B*D B" in repr(rl.matmul(*rl.symbols("B D F")).table())
    assert len((rl.dot(8) + rl.dot(9)).table().rows) == 6


def test_markdown_and_html():
    table = MM.table()
    lines = table._repr_markdown_().splitlines()
    assert lines[0] == "| operand | shape | dtype | bytes | moved |"
    assert lines[1] == "| --- | --- | --- | ---: | --- |"
    assert lines[3].startswith("| Y | [4096, 512] | int4 | 1.05 MB |")
    assert table._repr_html_().count("<tr>") == 4


def test_text_is_escaped():
    table = Table(("a|b",), (("<script>",), ("x|y",)))
    assert "&lt;script&gt;" in table._repr_html_()
    assert r"x\|y" in table._repr_markdown_()
