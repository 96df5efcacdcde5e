"""A small table that reads well as text, as Markdown and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """head: the columns' names. rows: texts. right: the columns set flush right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]

        def line(cells: Sequence[str]) -> str:
            padded = [
                cell.rjust(width) if name in self.right else cell.ljust(width)
                for name, cell, width in zip(self.head, cells, widths, strict=True)
            ]
            return "  ".join(padded).rstrip()

        return "\n".join(line(cells) for cells in (self.head, *self.rows))

    def _repr_markdown_(self) -> str:
        rule = ["---:" if name in self.right else "---" for name in self.head]
        escaped = [[cell.replace("|", r"\|") for cell in row] for row in self.rows]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in (self.head, rule, *escaped))

    def _repr_html_(self) -> str:
        import html  # here, so that importing rooflib stays light

        def row(tag: str, cells: Sequence[str]) -> str:
            styled = [
                f'<{tag} style="text-align:{"right" if name in self.right else "left"}">'
                f"{html.escape(cell)}</{tag}>"
                for name, cell in zip(self.head, cells, strict=True)
            ]
            return f"<tr>{''.join(styled)}</tr>"

        body = "".join(row("td", cells) for cells in self.rows)
        return f"<table><thead>{row('th', self.head)}</thead><tbody>{body}</tbody></table>"
