import { hide, linesOf, plainLabel, type ReadDiagram } from './labels.js';

type Direction = 'TD' | 'TB' | 'LR' | 'BT' | 'RL';

interface Node {
  readonly name: string;
  label: string;
  shape: string;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  /** As the library writes it. */
  readonly arrow: string;
  readonly label: string;
}

interface Group {
  readonly name: string;
  readonly id: string;
  readonly label: string;
  direction: Direction | undefined;
  readonly mentioned: Set<string>;
  members: readonly string[];
  readonly inner: Group[];
}

/** The marks around the label of a node, and the form of those that the library can draw; the longer ones first. */
const SHAPES: readonly { readonly open: string; readonly close: string; readonly inside: RegExp }[] = [
  { open: '(((', close: ')))', inside: /[^()"\n]+/y },
  { open: '((', close: '))', inside: /[^()"\n]+/y },
  { open: '([', close: '])', inside: /[^[\]"\n]+/y },
  { open: '[[', close: ']]', inside: /[^[\]"\n]+/y },
  { open: '[(', close: ')]', inside: /[^()[\]"\n]+/y },
  { open: '{{', close: '}}', inside: /[^{}"\n]+/y },
  { open: '[/', close: '\\]', inside: /[^[\]"\n\\/]+/y },
  { open: '[\\', close: '/]', inside: /[^[\]"\n\\/]+/y },
  { open: '>', close: ']', inside: /[^[\]"\n]+/y },
  { open: '[', close: ']', inside: /[^[\]"\n]+/y },
  { open: '(', close: ')', inside: /[^()"\n]+/y },
  { open: '{', close: '}', inside: /[^{}"\n]+/y },
];
/** Shapes of Mermaid that would be drawn as another one. */
const OTHER_SHAPES = /@\{|\(-|\[\||\[\/[^[\]"\n]*\/\]|\[\\[^[\]"\n]*\\\]/y;

const ID = /(?:[\p{L}\p{N}_.]|-(?=[\p{L}\p{N}_]))+/uy;
const QUOTED = /\s*"([^"]*)"\s*/y;
const CLASS = /:::[\w-]+/y;
/** Links without a label in them, then those with one, see "Links between nodes" in Mermaid's documentation. */
const LINKS: readonly { readonly line: 'solid' | 'dotted' | 'thick'; readonly form: RegExp }[] = [
  { line: 'solid', form: /(?<start><)?-{2,}(?<end>[->xo])/y },
  { line: 'dotted', form: /(?<start><)?-\.+-(?<end>[>xo]?)/y },
  { line: 'thick', form: /(?<start><)?={2,}(?<end>[=>xo])/y },
  { line: 'solid', form: /(?<start><)?--\s*(?<label>(?:"[^"\n]*"|[^"\n-]|-(?!-))+?)\s*-{2,}(?<end>[->xo])/y },
  { line: 'dotted', form: /(?<start><)?-\.\s*(?<label>(?:"[^"\n]*"|[^"\n.]|\.(?!\.*-))+?)\s*\.+-(?<end>[>xo]?)/y },
  { line: 'thick', form: /(?<start><)?==\s*(?<label>(?:"[^"\n]*"|[^"\n=]|=(?!=))+?)\s*={2,}(?<end>[=>xo])/y },
];
const ARROWS = { solid: ['---', '-->'], dotted: ['-.-', '-.->'], thick: ['===', '==>'] } as const;
const INVISIBLE = /~{3,}/y;
const PLAIN_STYLE = /^[\w#:,.% -]+$/;
const FILL = /(?:^|,)\s*fill:\s*#(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2}))(?![\da-f])/i;
const BAR_LABEL = /[ \t]*\|([^|\n]*)\|/y;
const HEADER = /^(?:graph|flowchart)(?:[ \t]+(TB|TD|BT|RL|LR))?[ \t]*(?:;|$)/;

/**
 * Reads a flowchart of Mermaid (https://mermaid.js.org/syntax/flowchart.html).
 * @returns `undefined` for anything in it that the library would not draw, or would draw as something else.
 */
export function readFlowchart(source: string): ReadDiagram | undefined {
  const text = linesOf(source).join('\n');
  const header = HEADER.exec(text.split('\n', 1)[0]?.replace(/;.*/, ';') ?? '');
  if (header === null) return undefined;
  const reader = new FlowchartReader(text.slice(header[0].length));
  return reader.read() ? reader.written((header[1] as Direction | undefined) ?? 'TB') : undefined;
}

class FlowchartReader {
  private at = 0;
  private readonly nodes = new Map<string, Node>();
  private readonly edges: Edge[] = [];
  private readonly top: Group[] = [];
  private readonly open: Group[] = [];
  private readonly groups: Group[] = [];
  private readonly claimed = new Set<string>();
  /** Lines about colors, with the names of nodes that the library knows. */
  private readonly styles: { readonly ids: readonly string[]; readonly rest: string; readonly word: 'class' | 'style' }[] = [];
  private readonly classes: string[] = [];

  constructor(private readonly text: string) {}

  /** Whether all of it was understood. */
  read(): boolean {
    for (;;) {
      this.take(/[\s;]+/y);
      if (this.at >= this.text.length) break;
      if (!this.statement()) return false;
      this.take(/[ \t]+/y);
      if (this.at < this.text.length && !/[;\n]/.test(this.text[this.at] ?? '')) return false;
    }
    const ids = new Set(this.groups.map(({ id }) => id));
    return (
      this.open.length === 0 &&
      this.nodes.size > 0 &&
      [...this.nodes.keys()].every((id) => !ids.has(id)) &&
      [...this.nodes.values()].every(({ label }) => label !== '')
    );
  }

  /** The diagram for the library: what each thing is called first, then the lines between them. */
  written(direction: Direction): ReadDiagram {
    const free = [...this.nodes].filter(([id]) => !this.claimed.has(id)).map(([, node]) => this.line(node));
    const edges = this.edges.map(({ from, to, arrow, label }) => `${this.name(from)} ${arrow}${label === '' ? '' : `|${hide(label)}|`} ${this.name(to)}`);
    const styles = this.styles.flatMap(({ ids, rest, word }) => ids.filter((id) => this.nodes.has(id)).map((id) => `${word} ${this.name(id)} ${rest}`));
    const lines = [`flowchart ${direction}`, ...this.top.flatMap((group) => this.groupLines(group)), ...free, ...edges, ...this.classes, ...styles];
    const labels = [
      ...[...this.nodes.values()].map(({ label }) => label),
      ...this.edges.flatMap(({ label }) => (label === '' ? [] : [label])),
      ...this.groups.map(({ label }) => label),
    ];
    return { text: lines.join('\n'), edges: this.edges.length, labels };
  }

  private groupLines(group: Group): readonly string[] {
    // Mermaid ignores the direction of a group with links to nodes outside of it.
    const within = new Set(membersOf(group));
    const crossed = this.edges.some(({ from, to }) => within.has(from) !== within.has(to));
    const direction = group.direction === undefined || crossed ? [] : [`direction ${group.direction}`];
    const members = group.members.flatMap((id) => this.nodes.get(id) ?? []).map((node) => this.line(node));
    return [`subgraph ${group.name} [${hide(group.label)}]`, ...direction, ...members, ...group.inner.flatMap((inner) => this.groupLines(inner)), 'end'];
  }

  private line({ name, label, shape }: Node): string {
    const { open = '[', close = ']' } = SHAPES.find((each) => each.open === shape) ?? {};
    return `${name}${open}${hide(label)}${close}`;
  }

  private name(id: string): string {
    return this.nodes.get(id)?.name ?? id;
  }

  private take(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.at;
    const match = form.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }

  private statement(): boolean {
    const group = this.take(/subgraph[ \t]+([^\n;]+)/y);
    if (group !== undefined) return this.begin(group[1]?.trim() ?? '');
    if (this.take(/end(?=[ \t]*(?:[;\n]|$))/y) !== undefined) return this.end();
    const direction = this.take(/direction[ \t]+(TB|TD|BT|RL|LR)(?=[ \t]*(?:[;\n]|$))/y);
    if (direction !== undefined) return this.turn(direction[1] as Direction);
    return this.style() || this.chain();
  }

  /** Colors are kept where they are plain; anything else about the look is left out. */
  private style(): boolean {
    const defined = this.take(/classDef[ \t]+(\w+)[ \t]+([^\n;]*)/y);
    if (defined !== undefined) {
      if (PLAIN_STYLE.test(defined[2] ?? '')) this.classes.push(`classDef ${defined[1] ?? ''} ${legible(defined[2] ?? '')}`);
      return true;
    }
    const used = this.take(/(class|style)[ \t]+([^\s;]+)[ \t]+([^\n;]*)/y);
    if (used === undefined) return false;
    const [, word, ids = '', rest = ''] = used;
    if (PLAIN_STYLE.test(rest))
      this.styles.push({ word: word === 'class' ? 'class' : 'style', ids: ids.split(','), rest: word === 'class' ? rest.trim() : legible(rest.trim()) });
    return true;
  }

  private begin(title: string): boolean {
    const named = /^(?<id>[^\s["]+)\s*\[(?<label>.*)\]$/.exec(title)?.groups ?? {};
    const label = plainLabel(unquoted(named['label'] ?? title));
    if (label === '' || /[[\]]/.test(named['label'] === undefined ? title : '')) return false;
    const group: Group = {
      name: `g${this.groups.length}`,
      id: named['id'] ?? title,
      label,
      direction: undefined,
      mentioned: new Set(),
      members: [],
      inner: [],
    };
    (this.open.at(-1)?.inner ?? this.top).push(group);
    this.open.push(group);
    this.groups.push(group);
    return true;
  }

  /** A node is in the group that ends first of those that mention it. */
  private end(): boolean {
    const group = this.open.pop();
    if (group === undefined) return false;
    group.members = [...group.mentioned].filter((id) => !this.claimed.has(id));
    for (const id of group.members) this.claimed.add(id);
    return true;
  }

  private turn(direction: Direction): boolean {
    const group = this.open.at(-1);
    if (group !== undefined) group.direction = direction;
    return group !== undefined;
  }

  private chain(): boolean {
    let before = this.nodeGroup();
    while (before !== undefined) {
      const link = this.link();
      if (link === undefined) return false;
      if (link === 'none') return true;
      const after = this.nodeGroup();
      if (after === undefined) return false;
      if (link !== 'invisible') for (const from of before) for (const to of after) this.edges.push({ from, to, ...link });
      before = after;
    }
    return false;
  }

  private nodeGroup(): readonly string[] | undefined {
    const ids: string[] = [];
    do {
      this.take(/[ \t]+/y);
      const id = this.node();
      if (id === undefined) return undefined;
      ids.push(id);
    } while (this.take(/[ \t]*&/y) !== undefined);
    return ids;
  }

  private node(): string | undefined {
    const id = this.take(ID)?.[0];
    if (id === undefined || id === 'end') return undefined;
    const node = this.nodes.get(id) ?? { name: `n${this.nodes.size}`, label: plainLabel(id), shape: '[' };
    this.nodes.set(id, node);
    for (const group of this.open) group.mentioned.add(id);
    OTHER_SHAPES.lastIndex = this.at;
    if (OTHER_SHAPES.test(this.text) || !this.shape(node)) return undefined;
    const style = this.take(CLASS)?.[0];
    if (style !== undefined) this.styles.push({ word: 'class', ids: [id], rest: style.slice(3) });
    return id;
  }

  /** Reads the label of a node, if it has one here. Of several, the last counts, as in Mermaid. */
  private shape(node: Node): boolean {
    const start = this.at;
    for (const { open, close, inside } of SHAPES) {
      this.at = start;
      if (!this.text.startsWith(open, start)) continue;
      this.at += open.length;
      const label = this.take(QUOTED)?.[1] ?? this.take(inside)?.[0];
      if (label === undefined || !this.text.startsWith(close, this.at)) continue;
      this.at += close.length;
      Object.assign(node, { label: plainLabel(label), shape: open });
      return true;
    }
    this.at = start;
    return !/[[({>]/.test(this.text[start] ?? '');
  }

  /** Reads what leads to the next node; `'none'` at the end of a statement, and `undefined` for what cannot be drawn. */
  private link(): Pick<Edge, 'arrow' | 'label'> | 'invisible' | 'none' | undefined {
    this.take(/[ \t]+/y);
    if (this.at >= this.text.length || /[;\n]/.test(this.text[this.at] ?? '')) return 'none';
    if (this.take(INVISIBLE) !== undefined) return 'invisible';
    for (const { line, form } of LINKS) {
      const match = this.take(form);
      if (match === undefined) continue;
      const { start, end = '', label } = match.groups ?? {};
      // A link that ends in a circle or a cross would be drawn with an arrow; one may also be meant as the first letter of a name.
      if (end === 'x' || end === 'o' || (end !== '>' && /[xo]/.test(this.text[this.at] ?? ''))) return undefined;
      const [plain, arrow] = ARROWS[line];
      const text = plainLabel(unquoted(label ?? this.take(BAR_LABEL)?.[1] ?? ''));
      return { arrow: `${start ?? ''}${end === '>' ? arrow : plain}`, label: text };
    }
    return undefined;
  }
}

function membersOf(group: Group): readonly string[] {
  return [...group.members, ...group.inner.flatMap(membersOf)];
}

/** Colors of a node with one for its text, which has that of the theme otherwise: a light one on a light fill in a dark theme. */
function legible(style: string): string {
  const fill = FILL.exec(style);
  if (fill === null || /(?:^|,)\s*color:/.test(style)) return style;
  const [red = 0, green = 0, blue = 0] = [1, 2, 3].map((index) =>
    Number.parseInt(fill[index] === undefined ? (fill[index + 3] ?? '') : fill[index].repeat(2), 16),
  );
  return `${style},color:${0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#000000' : '#ffffff'}`;
}

function unquoted(label: string): string {
  return /^\s*"([^"]*)"\s*$/.exec(label)?.[1] ?? label;
}
