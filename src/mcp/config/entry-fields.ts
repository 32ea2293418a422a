import type { Node } from 'jsonc-parser';
import { t } from '../../domain/l10n.js';
import type { McpFileFormat } from '../../domain/mcp/config.js';
import { type JsonDocument, type Property, propertiesOf } from '../../text/json-document.js';
import { shownName } from '../../text/key-path.js';
import { parseTemplate } from './template.js';

interface TextOptions {
  /** Whether variables are replaced in the text, so that their syntax is checked; they are unless this says no. */
  readonly variables?: false;
}

/** Where an object is in a document. */
interface FieldsPlace {
  /** Of keys, to it. */
  readonly path: readonly (string | number)[];
  readonly node: Node;
  readonly format: McpFileFormat;
}

/** The fields of one object of a configuration file while it is read: checks their kinds, and knows which were not asked for. */
export class EntryFields {
  readonly path: readonly (string | number)[];
  readonly format: McpFileFormat;
  private readonly node: Node;
  private readonly unread = new Map<string, Property>();

  constructor(
    private readonly document: JsonDocument,
    { path, node, format }: FieldsPlace,
    /** Shared with the fields of objects in this one. */
    private readonly state: { failed: boolean } = { failed: false },
  ) {
    this.path = path;
    this.node = node;
    this.format = format;
    for (const property of propertiesOf(node)) {
      if (this.unread.has(property.name)) this.fail([property.name], t('This key is there twice. Delete one of them.'), property.nameNode);
      this.unread.set(property.name, property);
    }
  }

  /** Properties that have not been read: they are unknown. */
  get rest(): readonly Property[] {
    return [...this.unread.values()];
  }

  /** Whether something is wrong that the server cannot do without. */
  hasFailed(): boolean {
    return this.state.failed;
  }

  has(name: string): boolean {
    return this.unread.has(name);
  }

  /** Whether there is a text under a name, be it a good one. */
  isText(name: string): boolean {
    return this.unread.get(name)?.value.type === 'string';
  }

  /** The fields of an object in this one, which was taken. */
  inner(name: string, node: Node): EntryFields {
    return new EntryFields(this.document, { path: [...this.path, name], node, format: this.format }, this.state);
  }

  /** A property, which counts as read from now on. */
  take(name: string): Property | undefined {
    const property = this.unread.get(name);
    this.unread.delete(name);
    return property;
  }

  /** Notes why the server cannot work. */
  fail(path: readonly (string | number)[], message: string, node: Node = this.node): void {
    this.state.failed = true;
    this.document.add([...this.path, ...path], node, message);
  }

  /** Notes something without which the server works. */
  note(path: readonly (string | number)[], message: string, node: Node = this.node): void {
    this.document.add([...this.path, ...path], node, message, true);
  }

  text(name: string, options?: TextOptions): string | undefined {
    const value = this.take(name)?.value;
    return value === undefined ? undefined : this.textIn(value, [name], options);
  }

  texts(name: string): readonly string[] {
    const value = this.take(name)?.value;
    if (value === undefined) return [];
    if (value.type !== 'array') {
      this.fail([name], t('This must be a list of texts, such as {0}.', '["--port", "8080"]'), value);
      return [];
    }
    return (value.children ?? []).flatMap((item, index) => this.textIn(item, [name, index]) ?? []);
  }

  /**
   * An object of texts by name.
   * @param lenient whether a number counts as its text, and `null` as nothing, as the schema of VS Code has it for `env`
   */
  record(name: string, { lenient = false }: { readonly lenient?: boolean } = {}): Readonly<Record<string, string>> {
    const node = this.take(name)?.value;
    if (node === undefined) return {};
    if (node.type !== 'object') {
      this.fail([name], t('This must be an object of texts by name, such as {0}.', '{ "NAME": "value" }'), node);
      return {};
    }
    const fields = new Map<string, string>();
    for (const { name: field, nameNode, value } of propertiesOf(node)) {
      if (fields.has(field)) this.fail([name, field], t('This key is there twice. Delete one of them.'), nameNode);
      const text = lenient ? this.lenientText(value, [name, field]) : this.textIn(value, [name, field]);
      if (text !== undefined) fields.set(field, text);
    }
    return Object.fromEntries(fields);
  }

  /** Whether a switch is on; anything but `true` and `false` is noted, and counts as off. */
  flag(name: string): boolean {
    const value = this.take(name)?.value;
    if (value === undefined) return false;
    if (value.type !== 'boolean') this.note([name], t('This must be true or false.'), value);
    return value.value === true;
  }

  private lenientText(node: Node, path: readonly (string | number)[]): string | undefined {
    switch (node.type) {
      case 'null':
        this.note(path, t('Gnomon ignores this: it has no value.'), node);
        return undefined;
      case 'number':
        this.note(path, t('The number is used as a text.'), node);
        return String(node.value);
      default:
        return this.textIn(node, path);
    }
  }

  private textIn(node: Node, path: readonly (string | number)[], options: TextOptions = {}): string | undefined {
    const value: unknown = node.value;
    if (node.type !== 'string' || typeof value !== 'string') {
      this.fail(path, t('This must be a text in double quotes.'), node);
      return undefined;
    }
    const problem = textProblem(value, this.format, options);
    if (problem === undefined) return value;
    this.fail(path, problem, node);
    return undefined;
  }
}

/** Why a key is not used that Gnomon does not know. */
export function unknownKey(name: string): string {
  return t('Gnomon does not know the key “{0}” and ignores it.', shownName(name));
}

function textProblem(value: string, format: McpFileFormat, { variables }: TextOptions): string | undefined {
  if (value.includes('\0')) return t('The text contains a null character, which no program can be given.');
  const template = variables === false ? [] : parseTemplate(value, format);
  return 'problem' in template ? template.problem : undefined;
}
