import type { SimpleCommand } from '../../domain/tool/command-analysis.js';
import { showsFiles } from '../shell/readers/index.js';
import type { RiskKind } from './kinds.js';
import { Part, type Place } from './part.js';

/** Properties of data that flows between commands. */
export interface Flow {
  readonly downloaded: boolean;
  /** Whether it was not readable in the line. */
  readonly decoded: boolean;
  readonly secret: boolean;
}

const NOTHING: Flow = { downloaded: false, decoded: false, secret: false };

const DOWNLOADERS: ReadonlySet<string> = new Set([
  'curl',
  'wget',
  'wget2',
  'fetch',
  'http',
  'https',
  'xh',
  'aria2c',
  'lwp-request',
  'lwp-download',
  'lynx',
  'w3m',
  'nc',
  'ncat',
  'netcat',
  'socat',
  'telnet',
]);
const COPIERS: ReadonlySet<string> = new Set(['cp', 'scp', 'rsync', 'install', 'dd', 'tar', 'zip']);
/** Programs that do not show what is in the files that they are given. */
const BLIND: ReadonlySet<string> = new Set([
  '[[',
  'test',
  '[',
  'ls',
  'stat',
  'file',
  'find',
  'du',
  'rm',
  'unlink',
  'shred',
  'mkdir',
  'touch',
  'ssh-keygen',
  'code',
  'basename',
  'dirname',
  'realpath',
  'readlink',
  'export',
  'tree',
  'fd',
]);
/** Programs that use a key which they are given, and do not hand it on. */
const KEY_USERS: ReadonlySet<string> = new Set(['ssh', 'scp', 'sftp', 'rsync']);
const GIT_SHOWS: ReadonlySet<string> = new Set(['show', 'diff', 'blame', 'annotate', 'cat-file', 'grep', 'archive']);

/** The commands of a line, with what flows between them. */
export class Line {
  private readonly parts = new Map<SimpleCommand, Part>();
  private readonly flows = new Map<SimpleCommand, Flow>();
  private readonly fetched = new Set<string>();
  private readonly changes = new Map<string, readonly RiskKind[]>();
  private readonly awaited: ReadonlySet<SimpleCommand>;

  constructor(
    commands: readonly SimpleCommand[],
    readonly place: Place,
  ) {
    const last = commands.findLastIndex(({ words }) => words[0] === 'wait');
    this.awaited = new Set(commands.slice(0, last + 1));
    for (const command of commands) {
      const part = this.partOf(command);
      if (this.flowOf(command).downloaded) for (const path of savedBy(part)) this.fetched.add(path);
    }
  }

  /** A command, made ready for the rules. */
  partOf(command: SimpleCommand): Part {
    const known = this.parts.get(command) ?? new Part(command, this.place);
    this.parts.set(command, known);
    return known;
  }

  /** Risks of changing a file, cached for all parts. */
  remember(path: string, find: () => readonly RiskKind[]): readonly RiskKind[] {
    const found = this.changes.get(path) ?? find();
    this.changes.set(path, found);
    return found;
  }

  /** Whether the line downloads a file before it ends. */
  isFetched(path: string): boolean {
    return this.fetched.has(path);
  }

  /** Whether the shell does not wait for a command, nor later for all that run. */
  isLeft(command: SimpleCommand): boolean {
    return command.background === true && !this.awaited.has(command);
  }

  /** Combined flow of the output of some commands. */
  flowOfAll(commands: readonly SimpleCommand[] = []): Flow {
    return commands.map((command) => this.flowOf(command)).reduce(both, NOTHING);
  }

  /** Whatever a command is given, it may print. */
  private flowOf(command: SimpleCommand): Flow {
    const known = this.flows.get(command);
    if (known !== undefined) return known;
    const part = this.partOf(command);
    const own: Flow = { downloaded: DOWNLOADERS.has(part.name), decoded: decodes(part), secret: readsSecret(part) };
    const flow = [this.flowOfAll(command.input), this.flowOfAll(command.expanded)].reduce(both, own);
    this.flows.set(command, flow);
    return flow;
  }
}

function both(one: Flow, other: Flow): Flow {
  return { downloaded: one.downloaded || other.downloaded, decoded: one.decoded || other.decoded, secret: one.secret || other.secret };
}

/** Whether a command makes another text of what it is given. */
function decodes(part: Part): boolean {
  switch (part.name) {
    case 'base64':
    case 'base32':
    case 'basenc':
    case 'gbase64':
      return part.has({ letters: 'dD', valued: 'wbio', long: ['decode'] });
    case 'openssl':
      return part.texts.includes('-d');
    case 'xxd':
      return part.has({ letters: 'r', valued: 'cglnoRs', long: ['revert'] }) || part.texts.some((text) => text === '-revert');
    case 'printf':
    case 'echo':
      return part.texts.some((text) => /\\(?:x[\da-f]|0?[0-7]{2,3}|u[\da-f])/i.test(text));
    default:
      return ['uudecode', 'rev', 'tr'].includes(part.name);
  }
}

/** Whether a command reads a file that commonly contains passwords or keys, as its text shows. */
export function readsSecret(part: Part): boolean {
  const { files = [] } = part.command;
  const written = new Set(part.written.map(({ path }) => path));
  const keys = KEY_USERS.has(part.name)
    ? new Set(part.texts.flatMap((text, index) => (/^-[iF]$/.test(part.texts[index - 1] ?? '') ? part.pathsOf(text) : [])))
    : undefined;
  return files.some(
    ({ kind, path, by }) =>
      kind === 'read' && (by === 'redirection' || (shows(part, by) && !written.has(path) && keys?.has(path) !== true)) && part.isSecret(path),
  );
}

/** Whether a command shows or hands on what is in a file, rather than only asking whether it is there. */
function shows(part: Part, by: 'operand' | 'word'): boolean {
  const { git, name } = part;
  if (git !== undefined) return GIT_SHOWS.has(git.verb);
  return by === 'word' ? !BLIND.has(name) : showsFiles([{ start: 0, end: 0, text: name, beginning: name, risk: 'none', glob: -1 }]) || COPIERS.has(name);
}

/** The files that a command saves what it downloads to. */
function savedBy(part: Part): readonly string[] {
  const named = part.written.map(({ path }) => path);
  const byAddress = part.name === 'wget' || part.has({ letters: 'O', valued: 'AHdeEFmoQrtuUwXxyYzb', long: ['remote-name'] });
  const last = byAddress ? part.operands().flatMap((text) => /^(?:\w+:\/\/)?[^/]+\/(?:.*\/)?([^/?#]+)/.exec(text)?.[1] ?? []) : [];
  return [...named, ...last.flatMap((name) => part.pathsOf(name))];
}
