import { hide, linesOf, plainLabel, type ReadDiagram } from './labels.js';

const PARTICIPANT = /^(?<kind>participant|actor)\s+(?<id>.+?)(?:\s+as\s+(?<label>.+))?$/;
const NOTE = /^note\s+(?<where>left of|right of|over)\s+(?<ids>[^:]+?)\s*:\s*(?<text>.+)$/i;
const BLOCK = /^(?<kind>loop|alt|opt|par|critical|break)\b\s*(?<label>.*)$/;
const DIVIDER = /^(?<kind>else|and)\b\s*(?<label>.*)$/;
const ACTIVATION = /^(?<what>activate|deactivate)\s+(?<id>.+)$/;
const MESSAGE = /^(?<from>[^:]+?)\s*(?<arrow>-->>|->>|-->|->|--\)|-\))\s*(?<mark>[+-]?)\s*(?<to>[^:]+?)\s*:\s*(?<text>.*)$/;

/**
 * Reads a sequence diagram of Mermaid (https://mermaid.js.org/syntax/sequenceDiagram.html).
 * @returns `undefined` for anything in it that the library would not draw, such as boxes, titles, and messages that are lost
 */
export function readSequence(source: string): ReadDiagram | undefined {
  const reader = new SequenceReader();
  const [, ...lines] = linesOf(source);
  return lines.every((line) => reader.take(line)) ? reader.written() : undefined;
}

class SequenceReader {
  private readonly names = new Map<string, string>();
  private readonly lines: string[] = [];
  private readonly labels: string[] = [];
  /** The blocks that are open; a `rect` only has a color, and is left out. */
  private readonly open: string[] = [];
  private readonly messages: { readonly from: string; readonly to: string; mark: string; readonly write: (mark: string) => string; readonly at: number }[] = [];
  private numbered = false;
  private last: SequenceReader['messages'][number] | undefined;

  /** Whether a line was understood. */
  take(line: string): boolean {
    if (line === 'autonumber') return (this.numbered = true);
    if (/^rect\b/.test(line)) return this.open.push('rect') > 0;
    if (line === 'end') return this.end();
    const activation = ACTIVATION.exec(line)?.groups;
    if (activation !== undefined) return this.activate(activation['what'] === 'activate', activation['id'] ?? '');
    this.last = undefined;
    const participant = PARTICIPANT.exec(line)?.groups;
    if (participant !== undefined) return this.participant(participant['kind'] ?? '', participant['id'] ?? '', participant['label']);
    const block = BLOCK.exec(line)?.groups;
    if (block !== undefined) return this.block(block['kind'] ?? '', plainLabel(block['label'] ?? ''));
    const divider = DIVIDER.exec(line)?.groups;
    if (divider !== undefined) return this.divide(divider['kind'] ?? '', plainLabel(divider['label'] ?? ''));
    const note = NOTE.exec(line)?.groups;
    if (note !== undefined) return this.note(note['where'] ?? '', note['ids'] ?? '', plainLabel(note['text'] ?? ''));
    return this.message(MESSAGE.exec(line)?.groups);
  }

  written(): ReadDiagram | undefined {
    if (this.open.length > 0 || this.names.size === 0) return undefined;
    for (const { at, write, mark } of this.messages) this.lines[at] = write(mark);
    return { text: ['sequenceDiagram', ...this.lines].join('\n'), edges: this.messages.length, labels: this.labels };
  }

  private participant(kind: string, id: string, label = id): boolean {
    // One that is named after its first message would stand in another place.
    if (this.names.has(id) || /@\{/.test(id)) return false;
    this.add(id, plainLabel(label), kind);
    return true;
  }

  private add(id: string, label: string, kind: string): void {
    const name = `p${this.names.size}`;
    this.names.set(id, name);
    this.labels.push(label);
    this.lines.push(`${kind} ${name} as ${hide(label)}`);
  }

  private nameOf(id: string): string {
    if (!this.names.has(id)) this.add(id, plainLabel(id), 'participant');
    return this.names.get(id) ?? id;
  }

  private block(kind: string, label: string): boolean {
    this.open.push(kind);
    this.lines.push(`${kind} ${hide(label)}`);
    this.labels.push(label === '' ? kind : `${kind} [${label}]`);
    return true;
  }

  private divide(kind: string, label: string): boolean {
    const block = this.open.at(-1);
    if (block !== (kind === 'and' ? 'par' : 'alt')) return false;
    this.lines.push(`${kind} ${hide(label)}`);
    if (label !== '') this.labels.push(`[${label}]`);
    return true;
  }

  private end(): boolean {
    this.last = undefined;
    const kind = this.open.pop();
    if (kind !== undefined && kind !== 'rect') this.lines.push('end');
    return kind !== undefined;
  }

  private note(where: string, ids: string, text: string): boolean {
    const names = ids.split(',').map((id) => this.nameOf(id.trim()));
    this.lines.push(`Note ${where.toLowerCase()} ${names.join(',')}: ${hide(text)}`);
    this.labels.push(text);
    return text !== '';
  }

  private message(found: Readonly<Record<string, string | undefined>> | undefined): boolean {
    if (found === undefined) return false;
    const { from: fromId = '', to: toId = '', arrow = '', mark = '', text = '' } = found;
    const [from, to] = [this.nameOf(fromId), this.nameOf(toId)];
    const number = this.numbered ? `${this.messages.length + 1}. ` : '';
    const label = `${number}${plainLabel(text)}` || '\u00A0';
    const write = (sign: string): string => `${from}${arrow}${sign}${to}: ${hide(label)}`;
    this.last = { from, to, mark, write, at: this.lines.length };
    this.lines.push(write(mark));
    this.messages.push(this.last);
    this.labels.push(label);
    return true;
  }

  /** The library knows activations as signs of the message before them alone. */
  private activate(begins: boolean, id: string): boolean {
    const name = this.names.get(id.trim());
    if (this.last === undefined || this.last.mark !== '' || name !== (begins ? this.last.to : this.last.from)) return false;
    this.last.mark = begins ? '+' : '-';
    return true;
  }
}
