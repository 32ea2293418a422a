import type { HookDefinition, HookHandler } from '../domain/hook/definition.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import { keyPath } from '../text/key-path.js';
import { canonicalText } from './plain-json.js';

/** A file in the workspace that a hook names, as it is now. */
export interface HookFile {
  /** Relative to the workspace folder. */
  readonly path: string;
  /** Of its bytes, in hex; absent where it cannot be read. */
  readonly sha256?: string;
}

/** Paths that a hook may name; what is not there, or no file in the workspace, does not count. */
export interface HookPaths {
  /** What relative paths are relative to: absolute, or relative to the workspace folder; absent: that folder. */
  readonly cwd?: string;
  readonly paths: readonly string[];
}

/** Words of a command line that are looked at. */
const MAX_WORDS = 500;
/** Endings of data, which a hook may write itself: each run would seem to change it. */
const DATA = /\.(?:db|sqlite3?|log|jsonl|ndjson|csv|tsv|pid|lock|sock)$/i;
/** Variables that stand for the workspace folder. */
const FOLDER = /^\$\{?(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR|PWD|workspaceFolder)\}?[\\/]+|^%(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR|CD)%[\\/]+|^\$env:(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR)[\\/]+/i;
/** What programs add to a path to find what they run (nodejs.org/api/modules.html; docs.python.org/3/using/cmdline.html). */
const RESOLVED = ['.js', '.ts', '/package.json', '/index.js', '/index.ts', '/__main__.py'];
/** Files in the working directory by which programs decide what a name among their arguments runs. */
const PROJECT_FILES: readonly { readonly programs: RegExp; readonly files: readonly string[] }[] = [
  { programs: /^(?:npm|pnpm|yarn|bun|npx|bunx)$/, files: ['package.json'] },
  { programs: /^deno$/, files: ['deno.json', 'deno.jsonc', 'package.json'] },
  { programs: /^(?:uv|poetry|pdm|hatch|pipenv|rye)$/, files: ['pyproject.toml', 'Pipfile'] },
  { programs: /^g?make$/, files: ['GNUmakefile', 'makefile', 'Makefile'] },
  { programs: /^just$/, files: ['justfile', 'Justfile', '.justfile'] },
  { programs: /^task$/, files: ['Taskfile.yml', 'Taskfile.yaml'] },
  { programs: /^cargo$/, files: ['Cargo.toml'] },
];

/**
 * All that decides what a hook does, for people to read before they approve it: a line for each value, nothing left out and nothing
 * invisible. The SHA-256 of this text is what an approval is bound to, together with the files that it lists.
 * @param files what {@link pathsOfHook} led to
 */
export function hookText(hook: HookDefinition, files: readonly HookFile[] = []): string {
  const { event, foreignEvent, matcher, condition, handler, timeoutMs, once, onFailure, dialect, origin, broken } = hook;
  const lines = [
    `file: ${quoted(origin.file)}`,
    `event: ${event}${foreignEvent === undefined ? '' : ` (${escapeHidden(foreignEvent)})`}`,
    `matcher: ${matcher === undefined ? '(all)' : quoted(matcher)}`,
    ...(condition === undefined ? [] : [`if: ${quoted(condition)}`]),
    ...handlerLines(handler),
    `timeout: ${timeoutMs} ms`,
    ...(once === true ? ['once: true'] : []),
    ...(onFailure === undefined ? [] : [`onFailure: ${onFailure}`]),
    `dialect: ${dialect}`,
    ...(broken === undefined ? [] : [`broken: ${quoted(broken)}`]),
    ...[...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, sha256 }) => `script ${quoted(path)}: ${sha256 === undefined ? '(not readable)' : `SHA-256 ${sha256}`}`),
  ];
  return lines.join('\n');
}

/** What stays the same when a hook is edited as far as its place goes: two with the same key are one before and after an edit. */
export function hookKey({ event, origin, handler }: HookDefinition): string {
  return canonicalText([origin.file, event, handler.type === 'command' ? [handler.command, handler.args ?? null] : handler.url]);
}

/**
 * The paths that the command line of a hook may name: each of its words, what is behind the `=` of an option, and what programs find for
 * less than a name. Which program runs in the end is not asked, as a shell can run any. What a script loads in turn is not followed.
 */
export function pathsOfHook({ handler }: HookDefinition): HookPaths | undefined {
  if (handler.type !== 'command') return undefined;
  const words = [handler.command, ...(handler.args ?? [])].flatMap(wordsOf).slice(0, MAX_WORDS);
  const named = words.flatMap((word) => [word, /^-[^=]*=(.+)$/s.exec(word)?.[1] ?? '']).map((word) => word.replace(FOLDER, './'));
  const scripts = named.filter((word) => word !== '' && !DATA.test(word) && !/^-/.test(word));
  const programs = new Set(words.map(programOf));
  const project = PROJECT_FILES.flatMap(({ programs: those, files }) => ([...programs].some((program) => those.test(program)) ? files : []));
  const paths = [...scripts.flatMap((path) => [path, ...RESOLVED.map((ending) => `${path}${ending}`)]), ...modulesOf(words), ...project];
  return { paths: [...new Set(paths)], ...(handler.cwd === undefined ? {} : { cwd: handler.cwd }) };
}

function handlerLines(handler: HookHandler): readonly string[] {
  switch (handler.type) {
    case 'command':
      return [
        `command: ${quoted(handler.command)}`,
        ...(handler.args === undefined ? [] : handler.args.map((arg, index) => `${keyPath(['args', index])}: ${quoted(arg)}`)),
        `runs in: ${handler.args === undefined ? (handler.shell ?? 'the shell') : 'no shell'}`,
        ...(handler.cwd === undefined ? [] : [`cwd: ${quoted(handler.cwd)}`]),
        ...recordLines('env', handler.env ?? {}),
      ];
    case 'http':
      return [`url: ${quoted(handler.url)}`, ...recordLines('headers', handler.headers), ...handler.allowedEnvVars.map((name, index) => `${keyPath(['allowedEnvVars', index])}: ${quoted(name)}`)];
  }
}

function recordLines(key: string, record: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(record)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${keyPath([key, name])}: ${quoted(value)}`);
}

/** The words of a text; a text with a space in quotation marks is one word as well as its parts. */
function wordsOf(text: string): readonly string[] {
  const whole = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
  const glued = text.replace(/["']/g, '');
  return [...new Set([text, ...whole, ...text.split(/[\s;|&()<>"'`=]+/), ...glued.split(/[\s;|&()<>`=]+/)])].filter((word) => word !== '' && word.length < 1_000);
}

/** What `python -m package.module` runs: it is looked for in the working directory first. */
function modulesOf(words: readonly string[]): readonly string[] {
  const name = words[words.indexOf('-m') + 1] ?? '';
  if (!words.includes('-m') || !/^[\w.]+$/.test(name)) return [];
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

function programOf(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}

/** A text in double quotes with its line breaks and invisible characters as escapes. */
function quoted(text: string): string {
  return escapeHidden(JSON.stringify(text));
}
