import type { HookDefinition, HookHandler } from '../domain/hook/definition.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import type { UsedFile } from '../domain/workspace/used-file.js';
import { quoted, usedFileLine } from '../text/approved-text.js';
import { DATA_FILE, pathsThatMayRun } from '../text/command-paths.js';
import { keyPath } from '../text/key-path.js';

/** Paths that a hook may name; what is not there, or no file in the workspace, does not count. */
export interface HookPaths {
  /** What relative paths are relative to: absolute, or relative to the workspace folder; absent: that folder. */
  readonly cwd?: string;
  readonly paths: readonly string[];
}

/** Words of a command line that are looked at. */
const MAX_WORDS = 500;
/** Variables that stand for the workspace folder. */
const FOLDER = /^\$\{?(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR|PWD|workspaceFolder)\}?[\\/]+|^%(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR|CD)%[\\/]+|^\$env:(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR)[\\/]+/i;

/**
 * All that decides what a hook does, for people to read before they approve it: a line for each value, nothing left out and nothing
 * invisible. An approval is for exactly this text.
 * @param files what {@link pathsOfHook} led to
 */
export function hookText(hook: HookDefinition, files: readonly UsedFile[] = []): string {
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
    ...[...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map((file) => usedFileLine('script', file)),
  ];
  return lines.join('\n');
}

/**
 * The paths that the command line of a hook may name: each of its words, what is behind the `=` of an option, and what programs find for
 * less than a name. Which program runs in the end is not asked, as a shell can run any. What a script loads in turn is not followed.
 */
export function pathsOfHook({ handler }: HookDefinition): HookPaths | undefined {
  if (handler.type !== 'command') return undefined;
  const words = [handler.command, ...(handler.args ?? [])].flatMap(wordsOf).slice(0, MAX_WORDS);
  const named = words.flatMap((word) => [word, /^-[^=]*=(.+)$/s.exec(word)?.[1] ?? '']).map((word) => word.replace(FOLDER, './'));
  const scripts = named.filter((word) => word !== '' && !DATA_FILE.test(word) && !/^-/.test(word));
  return { paths: pathsThatMayRun(scripts, words), ...(handler.cwd === undefined ? {} : { cwd: handler.cwd }) };
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
