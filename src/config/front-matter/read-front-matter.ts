import type { ConfigProblem } from '../../domain/config/problem.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { keyPath, shownName } from '../../text/key-path.js';
import { fieldLines, withQuotedTexts } from './lenient-texts.js';
import { splitFrontMatter } from './split.js';
import { type PlainValue, type ValuePath, pathKey, readYaml } from './yaml-text.js';

/** A field of front matter. */
export interface FrontMatterField {
  readonly value: PlainValue;
  /** The value as it is written, where it is on one line: some fields are texts although they look like lists or numbers. */
  readonly source?: string;
  /** From 1 on, in the file. */
  readonly line: number;
}

/** A Markdown file with fields at its top. */
export interface FrontMatter {
  /** Whether there is front matter at all. */
  readonly exists: boolean;
  /** In the order of the file; none when it is broken. */
  readonly fields: ReadonlyMap<string, FrontMatterField>;
  /** What is behind the front matter, with line feeds as line endings; the whole text where there is none. */
  readonly body: string;
  /** The line in the file with which {@link body} begins, from 1 on. */
  readonly bodyLine: number;
  /** The one that {@link broken} is about comes first; notes on values that are read as texts follow. */
  readonly problems: readonly ConfigProblem[];
  /** Why the fields cannot be used, so that the file has to be skipped; a sentence for the user. */
  readonly broken?: string;
  /** The line in the file of a value within a field, from 1 on; `undefined` for what is not there. @param path begins with the name of the field */
  readonly lineAt: (path: ValuePath) => number | undefined;
}

/** Characters of a file, and of its front matter. */
const MAX_FILE = 1024 * 1024;
const MAX_FRONT_MATTER = 64 * 1024;

/**
 * Reads a Markdown file with YAML front matter, such as an agent, a skill, or a command. Never throws. Beside YAML, it accepts
 * values of one line that need quotation marks and have none, because many such files have them.
 * @param file names the file in problems
 */
export function readFrontMatter(text: string, { file }: { readonly file: string }): FrontMatter {
  const broken = (message: string, line: number, body = ''): FrontMatter => ({ ...NOTHING, exists: true, body, problems: [{ file, key: '', line, message }], broken: message });
  if (text.length > MAX_FILE) return broken(t('The file has more than {0} characters.', formatNumber(MAX_FILE)), 1);
  const split = splitFrontMatter(text);
  if (split.type === 'unclosed') return broken(t('The front matter has no end. Put a line with “{0}” alone behind it.', '---'), 1, withLineFeeds(text));
  const body = withLineFeeds(text.slice(split.bodyStart));
  if (split.type === 'none') return { ...NOTHING, body, problems: strayFence(body, file) };
  if (split.end - split.start > MAX_FRONT_MATTER) return broken(t('The front matter has more than {0} characters.', formatNumber(MAX_FRONT_MATTER)), 1, body);
  const yaml = withLineFeeds(text.slice(split.start, split.end));
  return { ...readFields(yaml, file), exists: true, body, bodyLine: split.bodyLine };
}

const NOTHING: FrontMatter = { exists: false, fields: new Map(), body: '', bodyLine: 1, problems: [], lineAt: () => undefined };
/** The line of the file in which the fields begin. */
const FIRST_LINE = 2;

function readFields(yaml: string, file: string): FrontMatter {
  const lenient = withQuotedTexts(yaml);
  const read = readYaml(lenient.yaml, FIRST_LINE);
  const notes = lenient.quoted.map(({ name, line }): ConfigProblem => ({ file, key: keyPath([name]), line: line + FIRST_LINE - 1, message: t('The value of “{0}” needs quotation marks to be valid YAML. It is read as a text.', shownName(name)), harmless: true }));
  const broken = (line: number, message: string): FrontMatter => ({ ...NOTHING, problems: [{ file, key: '', line, message }, ...notes], broken: message });
  if ('damage' in read) return broken(read.damage.line, read.damage.message);
  const { value, lines } = read;
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) return broken(FIRST_LINE, t('The front matter must consist of fields such as {0}.', 'name: value'));
  const sources = fieldLines(yaml);
  const lineAt = (path: ValuePath): number | undefined => lines.get(pathKey(path));
  const fields = Object.entries(value ?? {}).map(([name, each]): [string, FrontMatterField] => {
    const source = sources.get(name);
    return [name, { value: each, line: lineAt([name]) ?? FIRST_LINE, ...(source === undefined ? {} : { source }) }];
  });
  return { ...NOTHING, fields: new Map(fields), problems: notes, lineAt };
}

/** Notes that what looks like front matter does not begin in the first line. */
function strayFence(body: string, file: string): readonly ConfigProblem[] {
  const before = /^\s*\n(?=---[ \t]*\n)/.exec(body)?.[0];
  if (before === undefined) return [];
  return [{ file, key: '', line: before.split('\n').length, message: t('Front matter must begin in the first line of the file. This is read as text.'), harmless: true }];
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
