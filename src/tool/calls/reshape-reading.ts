import { type Fields, type Note, booleanOf, numberOf, parsedText, plainName, withField } from './fields.js';

/** The lines of a `read` call by their ends, as `end_line` (Gemini CLI, Cursor) and `view_range` (Anthropic's text editor) have them. */
export function reshapeRead(given: Fields, note: Note): Fields {
  const fields = withLinesOfPath(unmentioned(given, note), note);
  const { end_line: endLine, view_range: viewRange, ...rest } = fields;
  const whole = Object.keys(rest).find((name) => plainName(name) === 'shouldreadentirefile' && booleanOf(rest[name]) === true);
  if (whole !== undefined) return withoutFields(rest, ['offset', 'limit', whole]);
  const [first, last] = rangeOf(viewRange);
  const begun = first === undefined ? rest : withField(rest, 'offset', { value: first, from: 'view_range' });
  return bounded(withLast(begun, last ?? numberOf(endLine), note), note);
}

/** A file as people mention it, such as `@a.ts`. Folders are named so, too, as packages with a scope are: they stay. */
const MENTION = /^@(?=(?:\.{0,2}|~)\/|[^/\\@]+\.\w+(?::\d|#L\d|$))/;

/** The fields with the path of a mentioned file. */
export function unmentioned(fields: Fields, note: Note): Fields {
  const { file_path: path } = fields;
  if (typeof path !== 'string' || !MENTION.test(path)) return fields;
  note(`${path} was taken as ${path.slice(1)}`);
  return { ...fields, file_path: path.slice(1) };
}

/** Lines behind a path, as `a.ts:2-3`, `a.ts:2`, `a.ts:2:5` with a column, and `a.ts#L2-L3`. */
const LINES = /^(?!\w+:\/\/)(.{2,}?)(?::(\d{1,7})(?:-(\d{1,7})|:\d{1,7})?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/s;

function withLinesOfPath(fields: Fields, note: Note): Fields {
  const { file_path: path } = fields;
  const [, file, colonFirst, colonLast, hashFirst, hashLast] = (typeof path === 'string' ? LINES.exec(path) : undefined) ?? [];
  const first = numberOf(colonFirst ?? hashFirst);
  if (file === undefined || first === undefined) return fields;
  const last = numberOf(colonLast ?? hashLast);
  note(`${String(path)} was taken as ${file} from line ${first}`);
  const begun = withField({ ...fields, file_path: file }, 'offset', { value: Math.max(first, 1), from: 'file_path' });
  return last === undefined ? begun : withField(begun, 'end_line', { value: last, from: 'file_path' });
}

/** First and last line of a range, written as a list or such as `10-20`. */
function rangeOf(range: unknown): readonly [number?, number?] {
  const parsed = parsedText(range);
  const parts = Array.isArray(parsed) ? parsed : typeof parsed === 'string' ? (/^\s*(\d+)\s*[-:,]\s*(-?\d+)\s*$/.exec(parsed)?.slice(1) ?? []) : [];
  const [first, last] = parts.map(numberOf);
  return first === undefined || last === undefined ? [] : [first, last];
}

function withLast(fields: Fields, last: number | undefined, note: Note): Fields {
  // -1 stands for the end of the file.
  if (last === undefined || last < 0) return fields;
  const lines = last - Math.max(numberOf(fields['offset']) ?? 1, 1) + 1;
  note(`the last line ${last} was taken as limit ${lines}`);
  return withField(fields, 'limit', { value: lines, from: 'the last line' });
}

/** Drops a limit of zero or fewer lines, which is never meant: the call then returns as many as it may. */
function bounded(fields: Fields, note: Note): Fields {
  const limit = numberOf(fields['limit']);
  if (limit === undefined || limit > 0) return fields;
  note(`limit ${limit} was left out`);
  return withoutFields(fields, ['limit']);
}

/** The switches of a `grep` call that other tools turn round, and those of the programs themselves. */
export function reshapeGrep(fields: Fields, note: Note): Fields {
  const { exclude, ...rest } = apart(fields);
  const switched = Object.entries(rest).reduce<Fields>((done, [name, value]) => {
    const on = booleanOf(value);
    const [field, turned] = switchOf(name, on) ?? [];
    if (field === undefined) return done;
    note(`${name} was taken as ${field}: ${turned}`);
    return withField(withoutFields(done, [name]), field, { value: turned, from: name });
  }, rest);
  return withMost(withExcluded(switched, exclude), note);
}

/** What the short switches of `grep` and `rg` are here; those without a field say what happens anyway. */
const SHORT: Readonly<Record<string, string | undefined>> = {
  i: '-i',
  w: '-w',
  F: '-F',
  l: 'l',
  n: undefined,
  r: undefined,
  R: undefined,
  E: undefined,
  H: undefined,
};

/** Switches that are written together, as `-rn`, one by one, if all of them are known. */
function apart(fields: Fields): Fields {
  return Object.entries(fields).reduce<Fields>((done, [name, value]) => {
    const letters = /^-[a-zA-Z]{2,6}$/.test(name) && booleanOf(value) === true ? name.slice(1).split('') : [];
    if (letters.length === 0 || !letters.every((letter) => Object.hasOwn(SHORT, letter))) return done;
    return letters.reduce<Fields>(
      (all, letter) => {
        const field = SHORT[letter];
        return field === undefined ? all : withField(all, field, { value: true, from: name });
      },
      withoutFields(done, [name]),
    );
  }, fields);
}

function switchOf(name: string, on: boolean | undefined): readonly [string, boolean | string] | undefined {
  switch (plainName(name)) {
    case 'casesensitive':
      return on === false ? ['-i', true] : undefined;
    case 'isregexp':
    case 'isregex':
    case 'regexenabled':
      return on === false ? ['-F', true] : undefined;
    case 'respectgitignore':
      return on === false ? ['no_ignore', true] : undefined;
    case 'l':
    case 'namesonly':
    case 'filesonly':
    case 'fileswithmatches':
      return on === true ? ['output_mode', 'files_with_matches'] : undefined;
    default:
      return undefined;
  }
}

function withExcluded(fields: Fields, exclude: unknown): Fields {
  const glob = listed(fields['glob']);
  const left = listed(exclude).map((pattern) => (pattern.startsWith('!') ? pattern : `!${pattern}`));
  const all = [...glob, ...left];
  return all.length === 0 ? fields : { ...fields, glob: all.join(' ') };
}

/** Patterns, written as one text or as a list. */
function listed(patterns: unknown): readonly string[] {
  const parsed = parsedText(patterns);
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [patterns];
  return list.filter((pattern): pattern is string => typeof pattern === 'string' && pattern !== '');
}

/** Results without a limit, for which Claude Code has 0, are as many as one call gives. */
function withMost(fields: Fields, note: Note): Fields {
  if (numberOf(fields['head_limit']) !== 0) return fields;
  note('head_limit 0 was taken as 1000, the most');
  return { ...fields, head_limit: 1_000 };
}

function withoutFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
