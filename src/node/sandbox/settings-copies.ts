import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { type BigIntStats, constants, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findProgram } from '../process/find-program.js';
import lists from './harmless-keys.json';

/** Bytes of a file with settings; a larger one gets an empty copy. */
const MAX_BYTES = 1024 * 1024;
/** The same of a log of a reference: a line for each change. */
const MAX_LOG_BYTES = 16 * MAX_BYTES;
/** Names of files with settings of Git. */
const GIT_SETTINGS = /^\.?(?:git)?config(?:\.worktree)?$/i;
/** How long git may take to read them, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Milliseconds after which a copy that no window has made anew is removed. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** What git refuses just as it refuses the file itself. */
const UNREADABLE = '[these settings cannot be read\n';
/** Git reads no other settings, and looks for no repository. */
const ENVIRONMENT = { GIT_DIR: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };

/** A copy of one state of a file. */
interface KnownCopy {
  readonly stamp: string;
  readonly made: Promise<SettingsCopy | undefined>;
}

/** What a copy says, and whether that is all that the file says. */
interface CopiedText {
  readonly text: string;
  readonly whole: boolean;
}

/** A copy of a file with settings. */
export interface SettingsCopy {
  /** Absolute path of the copy. */
  readonly path: string;
  /** Whether the file says nothing else, not even in a comment. */
  readonly whole: boolean;
}

/** Settings of Git that can hold no password and run nothing, and why. */
interface HarmlessKeys {
  /** `section.key`, or `section.*.key` with any subsection. */
  readonly keys: readonly string[];
  /** What git-config(1) says that they are. */
  readonly because: string;
  /** What a value has to look like: a name of {@link VALUES}, or a pattern; any may stand there unless given. */
  readonly value?: string;
}

const VALUES: Readonly<Record<string, RegExp>> = {
  flag: /^(?:true|false|yes|no|on|off|\d{1,9}|)$/i,
  // A flag, a number with a unit, or one of the words that a setting knows.
  word: /^[\w.,:=+-]{0,64}$/,
  // A name or a path: nothing that starts a program for Git, which needs `!` or a shell's characters.
  path: /^[^!`$;|&<>\n]{0,4096}$/,
};

/**
 * All that a copy of Git's settings has. What is not listed is left out: above all `http.*` (headers, cookies, certificates), `credential.*`, `include*`, and
 * what names a program. Source of every row: git-config(1), unless it says otherwise.
 */
const HARMLESS_KEYS: readonly HarmlessKeys[] = lists;

/** What the value of a known key has to look like; `undefined` where any may stand there. */
const KNOWN: ReadonlyMap<string, RegExp | undefined> = new Map(
  HARMLESS_KEYS.flatMap(({ keys, value }) =>
    keys.map((key): [string, RegExp | undefined] => [key, value === undefined ? undefined : (VALUES[value] ?? new RegExp(value))]),
  ),
);

/** One setting, as `git config --list` names it. */
interface GitConfigEntry {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly key: string;
  /** Left out for a key without `=`, which means “true”. */
  readonly value: string | undefined;
}

/** The start of an address with a scheme, up to its path: RFC 3986, 3.2. User info ends with the last `@` before the path, as curl and Git read it. */
const AUTHORITY = /([a-z][a-z\d+.-]*:(?:\\?\/){2})([^/\\\s?#]*@)/gi;
/** What an address says behind its path (RFC 3986, 3.4 and 3.5), where some servers take tokens. */
const QUERY = /([a-z][a-z\d+.-]*:\/\/[^\s?#]*)[?#]\S*/gi;
/** An address in the manner of scp, `user@host:path`: gitfaq(7) and git-clone(1), GIT URLS; also one whose scheme was forgotten. */
const LIKE_SCP = /^[^/\\\s@]+@(?=[\w.-]+[:/])/;
/** An address that a helper takes, `helper::address`; for some it is a command. Source: gitremote-helpers(7). */
const HELPER = /^([a-z][\w-]*)::(.*)$/is;
/** The name that every user of a server over SSH has; it says nothing about one. */
const COMMON_USER = /^git@$/;

/** A text with the user info, the query, and the fragment of all addresses in it left out, and what is not an address for `helper::`. */
function withoutUserInfo(text: string): string {
  const [, helper, address = ''] = HELPER.exec(text) ?? [];
  if (helper !== undefined) return `${helper}::${/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? withoutUserInfo(address) : ''}`;
  const plain = text
    .replace(AUTHORITY, (whole, scheme: string, user: string) => (/ssh/i.test(scheme) && COMMON_USER.test(user) ? whole : scheme))
    .replace(QUERY, '$1');
  return plain.replace(LIKE_SCP, (user) => (COMMON_USER.test(user) ? user : ''));
}

/** A setting as a copy has it, without user info in addresses; `undefined` for one that the copy does not have. */
export function harmless({ section, subsection, key, value }: GitConfigEntry): GitConfigEntry | undefined {
  const named = subsection === undefined ? [`${section}.${key}`] : [`${section}.${subsection}.${key}`, `${section}.*.${key}`];
  const known = named.find((name) => KNOWN.has(name));
  if (known === undefined || KNOWN.get(known)?.test(value ?? '') === false) return undefined;
  const plain = (text: string | undefined): string | undefined => (text === undefined ? undefined : withoutUserInfo(text));
  return { section, subsection: plain(subsection), key, value: plain(value) };
}

/**
 * Copies of files with settings of version control that have harmless keys only. Commands in the sandbox see them in place of the files, which may hold
 * passwords. A copy is made anew when its file has changed. Nothing else can make it: the folder is ours.
 */
export class SettingsCopies {
  private readonly copies = new Map<string, KnownCopy>();
  private cleaned: Promise<void> | undefined;

  /** @param folder absolute path of a folder for the copies */
  constructor(
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {}

  /** A copy of a file with settings as it is now; `undefined` when there is no such file. @param path absolute, every link resolved */
  of(path: string): Promise<SettingsCopy | undefined> {
    return this.current(path, () => this.harmlessText(path));
  }

  /**
   * A copy of a log of a reference without the user info in its addresses, which a command line may have had (gitglossary(7), reflog; git-pull(1),
   * `<repository>`); `undefined` when it has none. What is too large to be looked through has an empty copy. @param path absolute, every link resolved
   */
  ofLog(path: string): Promise<SettingsCopy | undefined> {
    return this.current(path, () => logText(path));
  }

  private async current(path: string, textOf: () => Promise<CopiedText | undefined>): Promise<SettingsCopy | undefined> {
    const stats = statsOf(path);
    if (stats === undefined) return undefined;
    const stamp = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
    const known = this.copies.get(path);
    if (known?.stamp === stamp) return known.made;
    const made = this.make(path, textOf);
    this.copies.set(path, { stamp, made });
    made.catch(() => this.copies.delete(path));
    return made;
  }

  private async make(path: string, textOf: () => Promise<CopiedText | undefined>): Promise<SettingsCopy | undefined> {
    const copied = await textOf();
    if (copied === undefined) return undefined;
    const { text, whole } = copied;
    await (this.cleaned ??= this.prepare());
    const target = join(this.folder, createHash('sha256').update(path).digest('hex').slice(0, 32));
    const temporary = `${target}.${randomBytes(6).toString('hex')}`;
    await writeFile(temporary, text, { mode: 0o644, encoding: 'latin1' });
    // Commands that run already keep the one that they see.
    await rename(temporary, target);
    return { path: target, whole };
  }

  private async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const old = Date.now() - KEPT_MS;
    for (const name of await readdir(this.folder)) {
      const file = join(this.folder, name);
      const stats = await stat(file).catch(() => undefined);
      if (stats !== undefined && stats.mtimeMs < old) await rm(file, { force: true });
    }
  }

  /** Settings of other programs have no harmless keys that we know. */
  private async harmlessText(path: string): Promise<CopiedText> {
    const text = GIT_SETTINGS.test(basename(path)) ? await readSmall(path) : undefined;
    if (text === undefined || text.length === 0) return { text: '', whole: text !== undefined };
    const entries = await entriesOf(text, this.env);
    if (entries === undefined) return { text: UNREADABLE, whole: false };
    const kept = textOf(entries.flatMap((entry) => harmless(entry) ?? []));
    return { text: kept, whole: kept === textOf(entries) && !/[#;]/.test(text.toString('latin1')) };
  }
}

/** Looked at before each command, for each reference of a repository: to wait for each would take many times longer than to look. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

async function logText(path: string): Promise<CopiedText | undefined> {
  const log = await readSmall(path, MAX_LOG_BYTES);
  if (log === undefined) return { text: '', whole: false };
  const before = log.toString('latin1');
  const text = withoutUserInfo(before);
  return text === before ? undefined : { text, whole: false };
}

/** What a regular file holds; nothing waits for a pipe. */
export async function readSmall(path: string, maxBytes = MAX_BYTES): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= maxBytes ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

/** Read by git itself, so that nothing is read in another way than git would; bytes stay as they are. `undefined` for what git cannot read. */
export async function entriesOf(text: Buffer, env: Readonly<Record<string, string | undefined>>): Promise<readonly GitConfigEntry[] | undefined> {
  const program = await findProgram('git', env);
  if (program === undefined) return [];
  const listed = await new Promise<string | undefined>((resolve) => {
    const options = { env: { ...ENVIRONMENT, PATH: env['PATH'] }, cwd: '/', timeout: TIMEOUT_MS, maxBuffer: 4 * MAX_BYTES, encoding: 'latin1' as const };
    const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
    const child = execFile(program, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
  return listed?.split('\0').flatMap((part) => (part === '' ? [] : [entryOf(part)]));
}

/** `section[.subsection].key`, and behind a line break the value: git-config(1), `-z`. */
function entryOf(part: string): GitConfigEntry {
  const end = part.indexOf('\n');
  const name = end < 0 ? part : part.slice(0, end);
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
  return {
    section: name.slice(0, first),
    subsection: first === last ? undefined : name.slice(first + 1, last),
    key: name.slice(last + 1),
    value: end < 0 ? undefined : part.slice(end + 1),
  };
}

/** Source of the syntax: git-config(1), SYNTAX. */
function textOf(entries: readonly GitConfigEntry[]): string {
  return entries
    .map(({ section, subsection, key, value }) => {
      const header = subsection === undefined ? `[${section}]` : `[${section} "${subsection.replace(/[\\"]/g, '\\$&')}"]`;
      return `${header}\n\t${key}${value === undefined ? '' : ` = "${quoted(value)}"`}\n`;
    })
    .join('');
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\b': '\\b' };

function quoted(value: string): string {
  return value.replace(/[\\"\n\t\b]/g, (character) => ESCAPES[character] ?? character);
}
