import { isMap, isNode, parseDocument } from 'yaml';
import { t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import { withLineEndings } from '../../text/line-endings.js';
import { readFrontMatter } from '../../text/front-matter/read-front-matter.js';
import { splitFrontMatter } from '../../text/front-matter/split.js';
import type { PlainValue } from '../../text/front-matter/yaml-text.js';

/** The user's input for a new agent. */
export interface AgentForm {
  readonly name: string;
  readonly description: string;
  /** System prompt of the agent. */
  readonly prompt: string;
  /** Names as the file has them; absent: all. */
  readonly tools?: readonly string[];
  /** Absent: that of the chat. */
  readonly model?: string;
}

/** Changes of an agent: what is absent stays, and `null` takes the field away. */
export type AgentChanges = Partial<Pick<AgentForm, 'name' | 'description' | 'prompt'>> & {
  readonly tools?: readonly string[] | null;
  readonly model?: string | null;
};

/** Fields of front matter, in the order in which they are written. */
const FIELDS = ['name', 'description', 'tools', 'model'] as const;
type FieldName = (typeof FIELDS)[number];

/** The text of a new file, in the form of Claude Code, which Gnomon has as well. */
export function newAgentText({ prompt, ...fields }: AgentForm): string {
  const lines = FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [fieldText(name, fields[name])]));
  return `---\n${lines.join('\n')}\n---\n\n${prompt.trim()}\n`;
}

/**
 * The text of an agent’s file with changes. Comments, other fields, their order, line endings, and a byte order mark stay as they are.
 * @throws Error when the front matter cannot be read, or when the change would alter anything else; its text says what to do.
 */
export function changedAgentText(text: string, { prompt, ...changes }: AgentChanges): string {
  const split = splitFrontMatter(text);
  const before = readFrontMatter(text, { file: '' });
  if (split.type !== 'found' || before.broken !== undefined)
    throw new Error(t('The front matter of the file cannot be read: {0} Change the file in the editor.', before.broken ?? t('There is none.')));
  const ending = /\r\n/.test(text) ? '\r\n' : '\n';
  let lines = text.slice(split.start, split.end).split(/(?<=\n)/);
  for (const name of FIELDS) {
    const value = changes[name];
    if (value !== undefined) lines = withField(lines, name, value, ending);
  }
  const body = prompt === undefined ? text.slice(split.bodyStart) : withLineEndings(`\n${prompt.trim()}\n`, ending);
  const fence = text.slice(split.end, split.bodyStart);
  const changed = `${text.slice(0, split.start)}${lines.join('')}${fence.endsWith('\n') ? fence : `${fence}${ending}`}${body}`;
  verify(changed, before.fields, changes);
  return changed;
}

/** Replaces the lines of a field, takes them away, or adds them at the end. */
function withField(lines: readonly string[], name: FieldName, value: string | readonly string[] | null, ending: string): string[] {
  const start = lines.findIndex((line) => new RegExp(`^${name}[ \\t]*:`, 'i').test(line));
  if (start < 0) return value === null ? [...lines] : [...lines.slice(0, -1), ...terminated(lines.at(-1), ending), `${fieldText(name, value)}${ending}`];
  let end = start + 1;
  // Blank lines and comments behind a field are not part of it.
  for (let at = end; at < lines.length && /^(?:[ \t]|-[ \t]|\r?\n|#)/.test(lines[at] ?? ''); at += 1)
    if (/^(?:[ \t]+\S|-[ \t])/.test(lines[at] ?? '')) end = at + 1;
  const field = value === null ? [] : [`${fieldText(name, value)}${end === start + 1 ? commentOf(lines[start] ?? '') : ''}${ending}`];
  return [...lines.slice(0, start), ...field, ...lines.slice(end)];
}

function terminated(line: string | undefined, ending: string): readonly string[] {
  if (line === undefined || line === '') return [];
  return [line.endsWith('\n') ? line : `${line}${ending}`];
}

/** The comment behind a value of one line, with the spaces before it. */
function commentOf(line: string): string {
  const { contents, errors } = parseDocument(line, { prettyErrors: false });
  const value = isMap(contents) ? contents.items[0]?.value : undefined;
  const end = isNode(value) && errors.length === 0 ? value.range[1] : undefined;
  const rest = end === undefined ? '' : line.slice(end).trimEnd();
  return rest.trimStart().startsWith('#') ? rest : '';
}

function fieldText(name: FieldName, value: string | readonly string[]): string {
  if (typeof value === 'string') return `${name}: ${scalarText(value)}`;
  // Commas between names are what Claude Code writes; a name with a comma or a bracket needs a list.
  const isPlain = value.length > 0 && value.every((tool) => /^[A-Za-z][\w.*/-]*$/.test(tool));
  return `${name}: ${isPlain ? value.join(', ') : JSON.stringify(value)}`;
}

/** A text as YAML on one line: with quotation marks unless it clearly needs none. */
function scalarText(text: string): string {
  const isPlain = /^[A-Za-z][\w ,.()/-]*$/.test(text) && text === text.trim() && !/^(?:true|false|null|yes|no|on|off)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** Makes sure that a change is what was wanted, and nothing else. */
function verify(changed: string, before: ReadonlyMap<string, { readonly value: PlainValue }>, changes: Omit<AgentChanges, 'prompt'>): void {
  const after = readFrontMatter(changed, { file: '' });
  const names = new Set([...before.keys(), ...after.fields.keys(), ...FIELDS]);
  for (const name of names) {
    const wanted = FIELDS.find((each) => each === name);
    const change = wanted === undefined ? undefined : changes[wanted];
    const value = after.fields.get(name)?.value;
    const isRight = change === undefined ? JSON.stringify(value) === JSON.stringify(before.get(name)?.value) : isValue(value, change);
    if (after.broken !== undefined || !isRight)
      throw new Error(t('The field “{0}” cannot be changed without changing other things. Change the file in the editor.', shownName(wanted ?? name)));
  }
}

/** Whether a field has the value that it was given, and is not there where it was taken away. */
function isValue(value: PlainValue | undefined, change: string | readonly string[] | null): boolean {
  if (change === null || typeof change === 'string') return value === (change ?? undefined);
  return Array.isArray(value) ? value.join() === change.join() : value === change.join(', ');
}
