import { hide, hideWord, linesOf, plainLabel, type ReadDiagram } from './labels.js';

const BLOCK = /^class\s+(?<id>[\w-]+)(?:~(?<type>[^~]+)~)?\s*\{$/;
const ALONE = /^class\s+(?<id>[\w-]+)(?:~(?<type>[^~]+)~)?$/;
const ANNOTATION = /^<<(?<word>[\w -]+)>>(?:\s+(?<id>[\w-]+))?$/;
const MEMBER = /^(?<id>[\w-]+)\s*:\s*(?<member>.+)$/;
const ARROW = String.raw`<\|--|<\|\.\.|\*--|o--|<--|<\.\.|--\|>|\.\.\|>|--\*|--o|-->|\.\.>`;
const RELATION = new RegExp(
  String.raw`^(?<from>[\w-]+)\s*(?:"(?<first>[^"]*)"\s*)?` +
    String.raw`(?<arrow>${ARROW})\s*` +
    String.raw`(?:"(?<second>[^"]*)"\s*)?(?<to>[\w-]+)(?:\s*:\s*(?<label>.+))?$`,
);
/** Those that the library knows from the other side alone. */
const TURNED: Readonly<Record<string, string>> = { '<--': '-->', '<..': '..>', '--|>': '<|--' };
const LOOK = /^(?:classDef|style|direction)\s/;

interface Class {
  readonly name: string;
  readonly label: string;
  annotation: string;
  readonly attributes: string[];
  readonly methods: string[];
}

/**
 * Reads a class diagram of Mermaid (https://mermaid.js.org/syntax/classDiagram.html).
 * @returns `undefined` for anything in it that the library would not draw, such as notes, namespaces, and links without an end
 */
export function readClasses(source: string): ReadDiagram | undefined {
  const reader = new ClassReader();
  const [, ...lines] = linesOf(source);
  return lines.every((line) => reader.take(line)) ? reader.written() : undefined;
}

class ClassReader {
  private readonly classes = new Map<string, Class>();
  private readonly relations: string[] = [];
  private readonly labels: string[] = [];
  private open: Class | undefined;

  /** Whether a line was understood. */
  take(line: string): boolean {
    if (this.open !== undefined) return this.inside(line, this.open);
    const block = BLOCK.exec(line)?.groups;
    const alone = ALONE.exec(line)?.groups;
    const annotation = ANNOTATION.exec(line)?.groups;
    const relation = RELATION.exec(line)?.groups;
    const member = MEMBER.exec(line)?.groups;
    if (block !== undefined) this.open = this.classOf(block['id'] ?? '', block['type']);
    else if (alone !== undefined) this.classOf(alone['id'] ?? '', alone['type']);
    else if (annotation?.['id'] !== undefined) this.classOf(annotation['id']).annotation = annotation['word'] ?? '';
    else if (relation !== undefined) return this.relate(relation);
    else if (member !== undefined) return this.member(this.classOf(member['id'] ?? ''), member['member'] ?? '');
    else return LOOK.test(line);
    return true;
  }

  written(): ReadDiagram | undefined {
    if (this.open !== undefined || this.classes.size === 0) return undefined;
    const blocks = [...this.classes.values()].flatMap(({ name, annotation, attributes, methods }) => [
      `class ${name} {`,
      ...(annotation === '' ? [] : [`<<${annotation}>>`]),
      ...attributes.map(hideWord),
      // Without parameters for the library, which would leave them out.
      ...methods.map((method) => `${hideWord(method)}()`),
      '}',
    ]);
    const all = [...this.classes.values()].flatMap(({ label, annotation, attributes, methods }) => [
      label,
      ...(annotation === '' ? [] : [`<<${annotation}>>`]),
      ...attributes,
      ...methods,
    ]);
    return { text: ['classDiagram', ...blocks, ...this.relations].join('\n'), edges: this.relations.length, labels: [...all, ...this.labels] };
  }

  private inside(line: string, open: Class): boolean {
    if (line === '}') {
      this.open = undefined;
      return true;
    }
    const annotation = ANNOTATION.exec(line)?.groups;
    if (annotation === undefined) return this.member(open, line);
    open.annotation = annotation['word'] ?? '';
    return /^\w+$/.test(open.annotation);
  }

  private classOf(id: string, type = ''): Class {
    const label = type === '' ? id : `${id}<${type}>`;
    const found = this.classes.get(id);
    if (found !== undefined) return found;
    const made: Class = { name: hideWord(label), label, annotation: '', attributes: [], methods: [] };
    this.classes.set(id, made);
    return made;
  }

  /** A generic type is written between tildes; a dollar sign or an asterisk at the end says that a member is static or abstract. */
  private member(of: Class, source: string): boolean {
    const text = plainLabel(source.replace(/;$/, '').replace(/^([+\-#~])\s*/, '$1'))
      .replace(/~([^~]+)~/g, '<$1>')
      .replace(/[$*]$/, '');
    (text.includes('(') ? of.methods : of.attributes).push(text);
    return text !== '' && !/[{}]/.test(text);
  }

  private relate(found: Readonly<Record<string, string | undefined>>): boolean {
    const { arrow = '', label = '' } = found;
    const turned = TURNED[arrow];
    const ends = [
      { id: found['from'] ?? '', count: plainLabel(found['first'] ?? '') },
      { id: found['to'] ?? '', count: plainLabel(found['second'] ?? '') },
    ];
    const [one, other] = turned === undefined ? ends : ends.toReversed();
    if (one === undefined || other === undefined) return false;
    for (const { id } of ends) this.classOf(id);
    const count = (text: string): string => (text === '' ? '' : `"${hide(text)}" `);
    const text = plainLabel(label);
    const said = text === '' ? '' : ` : ${hide(text)}`;
    this.relations.push(`${this.classOf(one.id).name} ${count(one.count)}${turned ?? arrow} ${count(other.count)}${this.classOf(other.id).name}${said}`);
    this.labels.push(...[one.count, other.count, text].filter((each) => each !== ''));
    return true;
  }
}
