"""The one style of the pages we write: dark on light, calm, and good on paper."""

# Okabe and Ito's colours as rooflib.plots.look has them, which a page does not import, since
# that brings matplotlib in; a test holds the two together.
BLUE, ORANGE, SKY = "#0072B2", "#E69F00", "#56B4E9"
PINK, YELLOW = "#CC79A7", "#F0E442"
INK, FAINT = "#222222", "#EDEDED"

CSS = """
:root { --ink: #222; --grey: #595959; --hair: #d9d9d9; --faint: #f6f6f4; --link: #0b5c8f; }
* { box-sizing: border-box; }
html { font-size: 100%; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; color: var(--ink); background: #fff; line-height: 1.5;
  font-family: "Source Sans 3", "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Noto Sans",
    "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
.report main { max-width: 68rem; }
h1, h2, h3 { line-height: 1.3; font-weight: 600; margin: 0; text-wrap: pretty; }
h1 { font-size: 1.7rem; }
h2 { font-size: 1.2rem; margin: 2.75rem 0 .6rem; }
h3 { font-size: 1rem; }
p { margin: 0 0 .6rem; max-width: 44rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono",
  "DejaVu Sans Mono", monospace; font-size: .92em; }
.whole { white-space: nowrap; }
code { background: var(--faint); border-radius: .2em; padding: .05em .3em; }
pre { margin: .2rem 0; white-space: pre-wrap; contain: paint; }
pre.place { white-space: pre; overflow-x: auto; }
bdi { unicode-bidi: isolate; }
.quiet { color: var(--grey); }
.small { font-size: .9rem; }
.above { color: var(--grey); margin: 0 0 .2rem; }

.scroll { overflow-x: auto; margin: .6rem 0 1.2rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--grey); padding: 0 0 .5rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0;
  border-bottom: 1px solid var(--hair); }
th { font-weight: 600; overflow-wrap: normal; }
thead th { vertical-align: bottom; border-bottom: 1.5px solid var(--ink); font-size: .9rem; }
td.n, th.n { text-align: right; white-space: nowrap; }
td:last-child, th:last-child { padding-right: 0; }
td p:last-child { margin-bottom: 0; }
tbody th.n { font-weight: 400; white-space: nowrap; }
thead th.n { white-space: normal; }
tr.first th, tr.first td { border-top: 1.5px solid var(--hair); }
th.n, td.n { width: 1%; }
th.n + th.bar, td.n + td.bar { padding-left: .6rem; }
td.bar { min-width: 9rem; }
td.bar.narrow { min-width: 6rem; width: 14%; }
td.wide { width: 48%; }
td.key { min-width: 7.5rem; overflow-wrap: break-word; }
th.again { font-weight: 400; color: var(--grey); }
td.none { color: var(--grey); }
tbody th { width: 1%; }
tbody th.text { width: 30%; }
th .small { font-weight: 400; }
svg.bar { display: block; width: 100%; height: 1rem; margin: .27rem 0; overflow: hidden; }
svg.swatch { display: block; width: 1.5rem; height: .8rem; margin: 0 0 .25rem; }
th.n svg.swatch { margin-left: auto; }
svg.store { position: absolute; width: 0; height: 0; }

.facts { display: flex; flex-wrap: wrap; gap: .4rem 2.6rem; margin: 1.4rem 0 .7rem; padding: 0; }
.facts div { min-width: 5rem; }
.facts dt { color: var(--grey); font-size: .9rem; }
.facts dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; }

.marks { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; margin: 1.4rem 0 0;
  padding: 0; }
.marks a { display: block; min-width: 5.4rem; padding: .3rem .65rem; border: 1px solid var(--hair);
  border-radius: .35rem; color: inherit; text-decoration: none; }
.marks a:hover { border-color: var(--ink); }
.marks b { font-weight: 600; }
.marks span { display: block; color: var(--grey); font-size: .85rem; white-space: nowrap; }

.question { margin: 2.2rem 0 0; padding: 1.1rem 0 0; border-top: 1.5px solid var(--ink); }
.question > header { display: flex; column-gap: 1.2rem; align-items: baseline;
  margin-bottom: .5rem; }
.question > header h2 { margin: 0; flex: 1; font-size: 1.1rem; display: grid;
  grid-template-columns: 9rem minmax(0, 1fr); column-gap: 1.2rem; }
.points { white-space: nowrap; font-variant-numeric: tabular-nums; margin: 0; }
.part { display: grid; grid-template-columns: 9rem minmax(0, 1fr) 4.5rem; column-gap: 1.2rem;
  padding: .8rem 0; border-top: 1px solid var(--hair); }
.question > header + .part { border-top: 0; }
.part .mark { margin: .3rem 0 0; }
.part .points { text-align: right; }
.part dl { display: grid; grid-template-columns: max-content minmax(0, 1fr);
  gap: .25rem .8rem; margin: .35rem 0; }
.part dt { color: var(--grey); }
.part dd { margin: 0; }
.part .message { margin-top: .5rem; }
.part .message p { margin: 0 0 .3rem; }
.hand { border-left: 3px solid var(--ink); padding-left: .7rem; margin: .5rem 0 0; }
.words { white-space: pre-wrap; border-left: 3px solid var(--hair); padding: .1rem 0 .1rem .9rem;
  margin: .3rem 0 1.2rem; contain: paint; }
@media (max-width: 40rem) {
  .question > header h2 { grid-template-columns: 2.5rem minmax(0, 1fr); column-gap: .4rem; }
  .part { grid-template-columns: minmax(0, 1fr) max-content; }
  .part .body { grid-column: 1 / -1; }
  .part .points { grid-row: 1; grid-column: 2; }
}

.sheet main { max-width: 48rem; }
.name { display: grid; grid-template-columns: 3fr 2fr; gap: 2rem; margin: 0 0 2rem; }
.name span { display: flex; gap: .6rem; align-items: flex-end; }
.name i { flex: 1; border-bottom: 1px solid var(--ink); min-height: 1.6rem; font-style: normal; }
.problem { margin: 0 0 2.5rem; }
.given { border: 1px solid var(--ink); padding: .7rem 1rem; margin: .9rem 0 0; display: grid;
  grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1.4rem; }
.given dt { color: var(--grey); }
.given dd { margin: 0; }
.ask { margin: 1.5rem 0 0; }
.ask h3 { margin: 0 0 .4rem; display: grid; grid-template-columns: 2.2rem minmax(0, 1fr); }
.ask .blank { margin: .8rem 0 0 2.2rem; }
.ask .blank p { margin: 0; }
.number { display: flex; gap: 0 .7rem; align-items: flex-end; }
.ask .number { margin-top: 1.3rem; }
.number span:last-child:not(:first-child) { flex: none; }
.number i { flex: 1; min-width: 9rem; height: 1.6rem; border-bottom: 1px solid #999; }
.message p:last-child, .hand p:last-child { margin-bottom: 0; }
.rule { display: block; height: 2rem; border-bottom: 1px solid #999; }
.choices { list-style: none; margin: .3rem 0 0; padding: 0; }
.choices li { display: flex; gap: .6rem; align-items: baseline; padding: .15rem 0; }
.choices i { flex: none; width: .85rem; height: .85rem; border: 1px solid var(--ink);
  transform: translateY(.1rem); }
svg.paper { display: block; width: 100%; height: 15rem; margin: .6rem 0 0; }
.key table { table-layout: fixed; }
.key tr.right td { border-bottom: 1.5px solid var(--ink); }

@media print {
  @page { margin: 17mm 16mm 18mm; }
  html { font-size: 10pt; }
  body { line-height: 1.4; }
  main, .report main, .sheet main { max-width: none; padding: 0; }
  a { color: inherit; text-decoration: none; }
  h2, h3, caption, .question > header { break-after: avoid; }
  .part, tr, .blank, .given, .facts, .words { break-inside: avoid; }
  .ask h3 + * { break-before: avoid; }
  thead { display: table-header-group; break-after: avoid; }
  tr.right { break-before: avoid; }
  .problem > h2 { margin-top: .4rem; }
  .key table { font-size: 9pt; }
  .rule { height: 1.85rem; }
  svg.paper { height: 13rem; }
  .scroll { overflow: visible; }
  pre.place { white-space: pre-wrap; }
  .problem + .problem { break-before: page; }
  .whole { white-space: nowrap; }
code { background: none; padding: 0; }
  .marks a:hover { border-color: var(--hair); }
}
"""
