import { present } from '../../domain/present.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { keyPath, shownName } from '../key-path.js';
import { isLimitingField, plainName } from './field-kinds.js';
import { fieldsIn, readableYaml, valuesAsWritten } from './forms.js';
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
  /** Text behind the front matter, with line feeds as line endings; the whole text where there is none. */
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

/** A line that is meant as a field, or as an object of them, whether it is one or not. */
const LIKE_A_FIELD = /^\s*(?:\{|["']?[\w.-]+["']?\s*[:：])/m;

/** Options for reading a file with front matter. */
export interface FrontMatterOptions {
  /** Names the file in problems. */
  readonly file: string;
  /**
   * For files in which nothing limits or grants anything, such as instructions: what cannot be read is left out alone, with a problem, and the file
   * is used. Of a field that is there twice, the first counts; front matter without an end is text.
   */
  readonly isLenient?: boolean;
}

/**
 * Reads a Markdown file with YAML front matter: an agent, a skill, a command, an output style, a rule. Never throws. Beside YAML, it accepts values
 * that need quotation marks and have none (see {@link readableYaml}), because many such files have them. Where a field that limits or grants
 * something cannot be read, the file cannot be used.
 */
export function readFrontMatter(text: string, { file, isLenient = false }: FrontMatterOptions): FrontMatter {
  const broken = (message: string, line: number, body = ''): FrontMatter => ({
    ...NOTHING,
    exists: true,
    body,
    problems: [{ file, key: '', line, message }],
    broken: message,
  });
  if (text.length > MAX_FILE) return broken(t('The file has more than {0} characters.', formatNumber(MAX_FILE)), 1);
  const split = splitFrontMatter(text);
  if (split.type === 'unclosed') {
    const found = broken(t('The front matter has no end. Put a line with “{0}” alone behind it.', '---'), 1, withLineFeeds(text));
    return isLenient ? { ...NOTHING, body: found.body, problems: found.problems } : found;
  }
  const body = withLineFeeds(text.slice(split.bodyStart));
  if (split.type === 'none') return { ...NOTHING, body, ...strayFrontMatter(body, file) };
  if (split.end - split.start > MAX_FRONT_MATTER) return broken(t('The front matter has more than {0} characters.', formatNumber(MAX_FRONT_MATTER)), 1, body);
  const yaml = withLineFeeds(text.slice(split.start, split.end));
  // Prose between two rules across the page: it would be lost, and its headings as comments without a word.
  if (isLenient && yaml.trim() !== '' && !LIKE_A_FIELD.test(yaml)) return { ...NOTHING, body: withLineFeeds(text) };
  const read = readFields(yaml, file);
  return { ...(isLenient && read.broken !== undefined ? readEachField(yaml, file, read.problems) : read), exists: true, body, bodyLine: split.bodyLine };
}

const NOTHING: FrontMatter = { exists: false, fields: new Map(), body: '', bodyLine: 1, problems: [], lineAt: () => undefined };
/** Fields that only grant something: without them, a file can do less. */
const GRANTS: ReadonlySet<string> = new Set(['allowedtools']);
/** The line of the file in which the fields begin. */
const FIRST_LINE = 2;

function readFields(yaml: string, file: string): FrontMatter {
  const { yaml: readable, quoted, repeated } = readableYaml(yaml);
  const read = readYaml(readable, FIRST_LINE);
  const inFile = (line: number): number => line + FIRST_LINE - 1;
  const at = (name: string, line: number): Omit<ConfigProblem, 'message'> => ({ file, key: keyPath([name]), line: inFile(line) });
  const needsMarks = (name: string): string => t('The value of “{0}” needs quotation marks to be valid YAML. It is read as a text.', shownName(name));
  const twice = (name: string, lines: readonly [number, number]): string =>
    t('“{0}” is there twice, in lines {1} and {2}. The first one is used.', shownName(name), ...lines);
  const notes = [
    ...quoted.map(({ name, line }): ConfigProblem => ({ ...at(name, line), message: needsMarks(name), harmless: true })),
    ...repeated.map(({ name, line, first }): ConfigProblem => ({ ...at(name, line), message: twice(name, [inFile(first), inFile(line)]) })),
  ];
  const broken = (line: number, message: string): FrontMatter => ({ ...NOTHING, problems: [{ file, key: '', line, message }, ...notes], broken: message });
  if ('damage' in read) return broken(read.damage.line, read.damage.message);
  const { value, lines } = read;
  if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    return broken(FIRST_LINE, t('The front matter must consist of fields such as {0}.', 'name: value'));
  const sources = valuesAsWritten(yaml);
  const lineAt = (path: ValuePath): number | undefined => lines.get(pathKey(path));
  const fields = Object.entries(value ?? {}).map(([name, each]): [string, FrontMatterField] => {
    const source = sources.get(name);
    return [name, { value: each, line: lineAt([name]) ?? FIRST_LINE, ...present({ source }) }];
  });
  const [one, other] = alikeLimits(fields.map(([name]) => name));
  if (one !== undefined && other !== undefined) {
    const line = lineAt([other]) ?? FIRST_LINE;
    return broken(line, t('“{0}” and “{1}” are the same field. Delete one of them.', shownName(one), shownName(other)));
  }
  return { ...NOTHING, fields: new Map(fields), problems: notes, lineAt };
}

/** Reads each field alone, and leaves out those that cannot be read. @param whole what is wrong with all of them together */
function readEachField(yaml: string, file: string, whole: readonly ConfigProblem[]): FrontMatter {
  const fields = new Map<string, FrontMatterField>();
  const problems: ConfigProblem[] = [];
  for (const { name, value, at, more } of fieldsIn(readableYaml(yaml).yaml.split('\n'))) {
    const read = readFields([`${name}: ${value}`, ...more].join('\n'), file);
    const line = at + FIRST_LINE;
    const field = read.fields.get(name);
    if (read.broken !== undefined) problems.push({ file, key: keyPath([name]), line, message: read.broken });
    else if (field !== undefined && !fields.has(name)) fields.set(name, { ...field, line });
  }
  return { ...NOTHING, fields, problems: problems.length > 0 ? problems : whole };
}

/** Two names of one field that limits something, where there are such: which of them is meant is not for Gnomon to say. */
function alikeLimits(names: readonly string[]): readonly string[] {
  const firsts = new Map<string, string>();
  for (const name of names.filter(isLimitingField)) {
    const first = firsts.get(plainName(name));
    if (first !== undefined) return [first, name];
    firsts.set(plainName(name), name);
  }
  return [];
}

/**
 * Detects front matter behind spaces or empty lines, which is text in the programs that these files are for. Without the limits in it the file
 * could do more than it says, so it is not used then.
 */
function strayFrontMatter(body: string, file: string): Pick<FrontMatter, 'problems' | 'broken'> {
  const [block, before = '', inside = ''] = /^(\s+)---[ \t]*\n([^]*?)\n[ \t]*---[ \t]*(?:\n|$)/.exec(body) ?? [];
  const names = [...inside.matchAll(/^[ \t]*([A-Za-z_][\w.-]*)[ \t]*:(?=\s|$)/gm)].map(([, name = '']) => name);
  if (block === undefined || names.length === 0) return { problems: [] };
  const limit = names.find((name) => isLimitingField(name) && !GRANTS.has(plainName(name)));
  const place = { file, key: '', line: before.split('\n').length };
  if (limit === undefined) {
    const asText = t('Front matter must begin in the first line of the file, without spaces before it. This is read as text.');
    return { problems: [{ ...place, message: asText, harmless: true }] };
  }
  const message = t(
    'Front matter must begin in the first line of the file, without spaces before it. “{0}” would have no effect, so the file is not used.',
    shownName(limit),
  );
  return { problems: [{ ...place, message }], broken: message };
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
