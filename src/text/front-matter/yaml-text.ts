import { LineCounter, type Node, type YAMLParseError, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { formatNumber, t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';

/** YAML value that JSON can express as well. */
export type PlainValue = string | number | boolean | null | readonly PlainValue[] | { readonly [name: string]: PlainValue };

/** A path of keys and of indexes from 0 on. */
export type ValuePath = readonly (string | number)[];

/** Why a YAML text is not used. */
export interface YamlDamage {
  readonly line: number;
  /** A sentence for the user. */
  readonly message: string;
}

/** A YAML text that was read. */
export interface YamlText {
  /** `null` for a text without a value. */
  readonly value: PlainValue;
  /** The line of what is at a path ({@link pathKey}): that of the name where it has one. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Objects and lists in each other. Nothing that is read is deeper than 8. */
const MAX_DEPTH = 20;
/** Characters of a YAML text. */
const MAX_TEXT = 1024 * 1024;

/**
 * Reads YAML 1.2 (yaml.org/spec/1.2.2, core schema) that has nothing but plain values. Anchors and aliases, with which a short text
 * grows without end, and tags, with which other readers create objects, are refused. Never throws.
 * @param firstLine the line of its file in which the text begins, from 1 on; all lines are counted from there
 */
export function readYaml(text: string, firstLine = 1): YamlText | { readonly damage: YamlDamage } {
  if (text.length > MAX_TEXT) return { damage: { line: firstLine, message: t('The YAML is longer than {0} characters.', formatNumber(MAX_TEXT)) } };
  const lineCounter = new LineCounter();
  try {
    // Keys that are there twice are looked for while values are converted: the parser compares each key with all others.
    const document = parseDocument(text, { lineCounter, strict: true, uniqueKeys: false, prettyErrors: false, version: '1.2', schema: 'core', merge: false });
    const lineAt = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line) + firstLine - 1;
    const [error] = document.errors;
    if (error !== undefined) return { damage: { line: lineAt(error.pos[0]), message: syntaxProblem(error) } };
    const reading = new Reading(lineAt);
    const value = reading.plain(document.contents, []);
    return { value, lines: reading.lines };
  } catch (error) {
    if (error instanceof Refusal) return { damage: { line: error.line, message: error.message } };
    return { damage: { line: firstLine, message: t('This is not valid YAML.') } };
  }
}

/** The key of a path in {@link YamlText.lines}. */
export function pathKey(path: ValuePath): string {
  return JSON.stringify(path);
}

/** That a text is valid YAML and yet not used. */
class Refusal extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Converts the nodes of one document. */
class Reading {
  readonly lines = new Map<string, number>();

  constructor(private readonly lineAt: (offset: number) => number) {}

  plain(node: unknown, path: ValuePath): PlainValue {
    if (node === null || node === undefined) return null;
    const { range, tag, anchor } = node as Node & { readonly anchor?: string };
    const line = this.lineAt(range?.[0] ?? 0);
    if (!this.lines.has(pathKey(path))) this.lines.set(pathKey(path), line);
    if (isAlias(node) || anchor !== undefined)
      throw new Refusal(
        line,
        t('Anchors (“{0}”) and aliases (“{1}”) are not allowed here. Put texts that begin with such a character in quotation marks.', '&', '*'),
      );
    if (tag !== undefined)
      throw new Refusal(line, t('Tags such as “{0}” are not allowed here. Put texts that begin with an exclamation mark in quotation marks.', shownName(tag)));
    if (path.length > MAX_DEPTH) throw new Refusal(line, t('The YAML is nested more than {0} levels deep.', MAX_DEPTH));
    if (isMap(node)) return this.object(node.items, path);
    if (isSeq(node)) return node.items.map((item, index) => this.plain(item, [...path, index]));
    return isScalar(node) ? plainScalar(node.value, node.source) : null;
  }

  private object(pairs: readonly { readonly key: unknown; readonly value: unknown }[], path: ValuePath): PlainValue {
    const entries = new Map<string, PlainValue>();
    for (const { key, value } of pairs) {
      const line = this.lineAt((key as Node | null)?.range?.[0] ?? 0);
      const name = this.name(key, path, line);
      const here = [...path, name];
      const first = this.lines.get(pathKey(here));
      if (first !== undefined) throw new Refusal(line, t('“{0}” is there twice, in lines {1} and {2}. Delete one of them.', shownName(name), first, line));
      this.lines.set(pathKey(here), line);
      entries.set(name, this.plain(value, here));
    }
    // Makes an own property of “__proto__” as well.
    return Object.fromEntries(entries);
  }

  private name(key: unknown, path: ValuePath, line: number): string {
    const name = isScalar(key) ? this.plain(key, [...path, '']) : undefined;
    this.lines.delete(pathKey([...path, '']));
    if (name === undefined || typeof name === 'object') throw new Refusal(line, t('The name of a field must be a text.'));
    return isScalar(key) ? (key.source ?? String(name)) : String(name);
  }
}

/** Numbers that JSON cannot express, and values that it has no type for, stay as they are written. */
function plainScalar(value: unknown, source: string | undefined): PlainValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : (source ?? null);
}

function syntaxProblem({ code }: YAMLParseError): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return t('This is not valid YAML: a line is indented with a tab. Use spaces.');
    case 'BAD_INDENT':
      return t('This is not valid YAML: the indentation is wrong, or a closing bracket is missing.');
    case 'MISSING_CHAR':
      return t('This is not valid YAML: a quotation mark, a bracket, or a colon is missing.');
    case 'BAD_DQ_ESCAPE':
      return t('This is not valid YAML: within double quotes, a backslash must be written twice.');
    case 'MULTIPLE_DOCS':
      return t('There is more than one YAML document. Delete the line with “{0}” or “{1}” between them.', '---', '...');
    case 'RESOURCE_EXHAUSTION':
      return t('The YAML is nested more than {0} levels deep.', MAX_DEPTH);
    case 'MULTILINE_IMPLICIT_KEY':
      return t('This is not valid YAML: the name of a field and a colon with a space behind it are missing, or the line must be indented.');
    default:
      return t('This is not valid YAML. Put texts with colons or special characters in quotation marks.');
  }
}
