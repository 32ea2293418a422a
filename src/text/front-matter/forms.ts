import { type FieldKind, isLimitingField, kindOfField } from './field-kinds.js';
import { readYaml } from './yaml-text.js';

/** A field outside of all others, with the lines that belong to it. */
export interface FieldLines {
  readonly name: string;
  /** Value behind the colon, trimmed. */
  readonly value: string;
  /** The line that it begins in, from 0 on. */
  readonly at: number;
  /** The indented lines and items that follow, with blank ones between them. */
  readonly more: readonly string[];
}

/** A form of values that people write and YAML does not have, or has for something else. */
interface Form {
  readonly begins: RegExp;
  /** The fields in which it is a text. */
  readonly kinds: readonly FieldKind[];
}

/**
 * The first form that fits decides (YAML 1.2.2, 5.3 "Indicator Characters", 7.3.3 "Plain Style"). Claude Code runs a command whose front
 * matter is no YAML without any of its fields (measured in github.com/cathrynlavery/diagram-design/pull/126); here the other fields stay. A
 * field that limits or grants something has one form, YAML, and `tools` a star as well: a guess could grant more than was written. Patterns have forms
 * of their own ({@link patternsIn}).
 */
const FORMS: readonly Form[] = [
  // `*`, and `*, mcp__server__*`: an alias that no anchor can be meant by.
  { begins: /^\*(?:\s*,\s*[\w*.-]+)*$/, kinds: ['tools', 'text', 'others'] },
  // `*.ts`, `@file`, `` `x` ``, `%s`: aliases, reserved characters, directives.
  { begins: /^[*@`%]/, kinds: ['text', 'others'] },
  // `!x`, `&x`: tags and anchors, which are refused where more than a text could be meant.
  { begins: /^[!&]/, kinds: ['text'] },
  // `[a] [b]`, `{a} | {b}`: whatever it is, it is no list, and no object.
  { begins: /^(?:\[[^[\]]*\]|\{[^{}]*\})\s*[[{(<|>\w]/, kinds: ['text', 'others'] },
  // `[PR #12]`, `[a`, `| x`: the beginning of something else. `"quoted" then more`, and `"C:\dir"`.
  { begins: /^[[{|>]|^"(?:[^"\\]|\\.)*"|^'[^']*'/, kinds: ['text'] },
  // Where quotation marks have no end, the lines behind them could be part of the text.
  { begins: /^["']/, kinds: [] },
  // `key: value: more`, `ends with:`, `- x`, `? x`, `, x`.
  { begins: /^/, kinds: ['text', 'others'] },
];
/** Values that are made valid: each is read once more. */
const MAX_TEXTS = 50;
/** With one of these in it, a value may be no YAML. */
const DOUBTFUL = /^["'|>&!*@%`,[\]{}?-]|:(?:\s|$)/;
/** The first line of a block of text (YAML 1.2.2, 8.1.1). */
const BLOCK = /^[|>][1-9+-]{0,2}(?:\s+#.*)?$/;

/** A YAML text in which values are in quotation marks that are no YAML without them. */
export interface ReadableYaml {
  /** Has as many lines as before. */
  readonly yaml: string;
  /** The fields with such values, with their lines from 1 on. */
  readonly quoted: readonly { readonly name: string; readonly line: number }[];
  /** Texts that were there already, and were left out. */
  readonly repeated: readonly { readonly name: string; readonly line: number; readonly first: number }[];
}

/** Makes YAML of what people write: see {@link FORMS}. */
export function readableYaml(yaml: string): ReadableYaml {
  const lines = yaml.split('\n');
  const quoted: { name: string; line: number }[] = [];
  const repeated: { name: string; line: number; first: number }[] = [];
  const firsts = new Map<string, number>();
  for (const field of fieldsIn(lines)) {
    const { name, at, more } = field;
    const line = at + 1;
    const first = firsts.get(name) ?? line;
    firsts.set(name, first);
    const isRepeated = first < line && ['text', 'patterns'].includes(kindOfField(name));
    const text = isRepeated || quoted.length === MAX_TEXTS ? undefined : meantValue(field);
    if (!isRepeated && text === undefined) continue;
    if (text === undefined) repeated.push({ name, line, first });
    else quoted.push({ name, line });
    lines.splice(at, more.length + 1, text === undefined ? '' : `${name}: ${JSON.stringify(text)}`, ...more.map(() => ''));
  }
  return { yaml: lines.join('\n'), quoted, repeated };
}

/** The values of fields on one line each, as they are written: some fields are texts whatever they look like. */
export function valuesAsWritten(yaml: string): ReadonlyMap<string, string> {
  const onOneLine = fieldsIn(yaml.split('\n')).filter(({ value, more }) => value !== '' && !value.startsWith('#') && more.length === 0);
  return new Map(onOneLine.map(({ name, value }) => [name, value]));
}

/** The fields in front matter, whether it is YAML or not; lines that belong to none are left out. */
export function fieldsIn(lines: readonly string[]): readonly FieldLines[] {
  const found: FieldLines[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, name, value = ''] = /^([A-Za-z_][\w.-]*):(?:[ \t]+(.*))?$/.exec(lines[at]?.trimEnd() ?? '') ?? [];
    if (name === undefined) continue;
    let end = at + 1;
    for (let next = end; next < lines.length && /^(?:\s|$|-\s)/.test(lines[next] ?? ''); next += 1) if (lines[next]?.trim() !== '') end = next + 1;
    found.push({ name, value: value.trim(), at, more: lines.slice(at + 1, end) });
    at = end - 1;
  }
  return found;
}

/** Interprets a value that is not valid YAML; `undefined` for all others. */
function meantValue({ name, value, more }: FieldLines): string | readonly string[] | undefined {
  const kind = kindOfField(name);
  const fits = kind === 'patterns' || FORMS.find(({ begins }) => begins.test(value))?.kinds.includes(kind) === true;
  if (!fits || (more.length === 0 && (value.startsWith('#') || !DOUBTFUL.test(value)))) return undefined;
  if (!('damage' in readYaml([`value: ${value}`, ...more].join('\n')))) return undefined;
  if (kind === 'patterns') return more.some(looksLikeLimit) ? undefined : patternsIn([value, ...more]);
  if (more.length === 0) return /^"([^"]*)"$/.exec(value)?.[1] ?? value;
  // Lines that look like a limit were meant as one: the file cannot be read then.
  if (kind !== 'text' || more.some(looksLikeLimit)) return undefined;
  return [...(BLOCK.test(value) ? [] : [value]), ...more]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/**
 * Patterns as they are written, where YAML takes the star of one for an alias (code.visualstudio.com, "Use custom instructions in VS Code";
 * cursor.com/docs, "Rules"): on the line of their field, in brackets, or in lines with dashes. Other lines are passed over.
 */
function patternsIn([value = '', ...more]: readonly string[]): string | readonly string[] {
  const single = patternsOf(value);
  const [only] = single;
  if (more.length === 0 && only !== undefined && single.length === 1 && !value.startsWith('[')) return only;
  return [...single, ...more.flatMap((line) => patternsOf(/^\s*-\s+(.*)$/.exec(line)?.[1] ?? ''))];
}

function patternsOf(written: string): readonly string[] {
  const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(written.trim());
  if (quoted !== null) return [quoted[2] ?? ''];
  const plain = written.replace(/(^|\s)#.*$/, '').trim();
  if (plain === '') return [];
  const list = /^\[(.*)\]$/.exec(plain);
  return list === null ? [plain] : splitPatterns(list[1] ?? '').flatMap(patternsOf);
}

/** Splits at the commas that are not within braces. */
export function splitPatterns(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function looksLikeLimit(line: string): boolean {
  const [, name] = /^\s*(?:-\s+)?["']?([\w.-]+)["']?\s*:/.exec(line) ?? [];
  return name !== undefined && isLimitingField(name);
}
