import { present } from '../domain/present.js';
import type { HookDefinition, HookHandler } from '../domain/hook/definition.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import type { Binding, UsedFolder } from '../domain/workspace/binding.js';
import type { UsedFile } from '../domain/workspace/used-file.js';
import { anyOf } from '../text/any-of.js';
import { quoted, usedFileLine, usedFolderLine } from '../text/approved-text.js';
import { bindingOf } from '../text/command-line/bind.js';
import { DATA_FILE, pathsThatMayRun } from '../text/command-paths.js';
import { keyPath } from '../text/key-path.js';

/** Where a hook runs. */
export interface HookPlace {
  /** Absolute path of the workspace folder. */
  readonly folder: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** Words of a command line that are looked at. */
const MAX_WORDS = 500;
/** Variables that stand for the workspace folder. */
const FOLDER = new RegExp(
  anyOf(
    /^\$\{?(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR|PWD|workspaceFolder)\}?[\\/]+/,
    /^%(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR|CD)%[\\/]+/,
    /^\$env:(?:CLAUDE_PROJECT_DIR|GNOMON_PROJECT_DIR|CURSOR_PROJECT_DIR)[\\/]+/,
  ),
  'i',
);

/**
 * All that decides what a hook does, for people to read before they approve it: a line for each value, nothing left out and nothing
 * invisible. An approval is for exactly this text.
 * @param files what {@link bindingOfHook} led to, as are folders
 */
export function hookText(hook: HookDefinition, files: readonly UsedFile[] = [], folders: readonly UsedFolder[] = []): string {
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
    ...[...folders].sort((a, b) => (a.path < b.path ? -1 : 1)).map(usedFolderLine),
  ];
  return lines.join('\n');
}

/** Files that an approval of a hook is bound to, beside its entry; `undefined` for one that runs nothing here. */
export function bindingOfHook(hook: HookDefinition, { folder, home, platform }: HookPlace): Binding | undefined {
  const { handler, dialect } = hook;
  if (handler.type !== 'command') return undefined;
  const { command, args, shell, cwd, env = {} } = handler;
  const isPosix = shell === 'bash' || (shell === undefined && platform !== 'win32');
  // As the shell gets it.
  const text = isPosix ? command.replaceAll('\r\n', '\n') : command;
  const places = { CLAUDE_PROJECT_DIR: folder, GNOMON_PROJECT_DIR: folder, ...(dialect === 'cursor' ? { CURSOR_PROJECT_DIR: folder } : {}) };
  const runs = args === undefined ? { line: { text, shell: isPosix ? 'posix' : 'other' } as const } : { words: [command, ...args] };
  return bindingOf({ ...runs, ...present({ cwd }), folder, home, env, places }, { cwd: cwd ?? '.', paths: wordsThatMayRun(handler) });
}

/**
 * The paths that the words of a command line may name, whatever shell it is for: each word, what is behind the `=` of an option, and what programs find
 * for less than a name. Approvals of earlier versions are bound to these alone.
 */
function wordsThatMayRun(handler: Extract<HookHandler, { readonly type: 'command' }>): readonly string[] {
  const words = [handler.command, ...(handler.args ?? [])].flatMap(wordsOf).slice(0, MAX_WORDS);
  const named = words.flatMap((word) => [word, /^-[^=]*=(.+)$/s.exec(word)?.[1] ?? '']).map((word) => word.replace(FOLDER, './'));
  const scripts = named.filter((word) => word !== '' && !DATA_FILE.test(word) && !/^-/.test(word));
  return pathsThatMayRun(scripts, words);
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
      return [
        `url: ${quoted(handler.url)}`,
        ...recordLines('headers', handler.headers),
        ...handler.allowedEnvVars.map((name, index) => `${keyPath(['allowedEnvVars', index])}: ${quoted(name)}`),
      ];
    case 'callback':
      return [`callback: ${quoted(handler.id)}`];
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
  return [...new Set([text, ...whole, ...text.split(/[\s;|&()<>"'`=]+/), ...glued.split(/[\s;|&()<>`=]+/)])].filter(
    (word) => word !== '' && word.length < 1_000,
  );
}
