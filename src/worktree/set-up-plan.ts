import { join, posix } from 'node:path';
import { z } from 'zod';
import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { readRealFile } from '../node/files/configuration-file.js';
import { USUAL_COUNT } from './ports.js';

/** Bytes of a file with a plan, and of a script that it names. */
const MAX_BYTES = 256 * 1024;

const COMMANDS = z.array(z.string().min(1).max(10_000)).max(100);

/** `.gnomon/worktree.json`. */
const OWN = z.strictObject({
  $schema: z.string().optional(),
  /** Commands that are run in a new worktree, one after the other: for all systems, or for some. */
  setup: z.union([COMMANDS, z.strictObject({ unix: COMMANDS.optional(), windows: COMMANDS.optional() })]).optional(),
  /** Ignored files that are copied into it, as patterns of `.gitignore`. */
  copy: z.array(z.string().min(1).max(1_000)).max(1_000).optional(),
  /** How many ports it gets. */
  ports: z.int().min(1).max(100).optional(),
});

const SETUP = z.union([COMMANDS, z.string().min(1).max(1_000)]).optional();

/** `.cursor/worktrees.json`, by cursor.com/docs/configuration/worktrees: commands, or the path of a script beside the file. */
const CURSOR = z.object({ 'setup-worktree': SETUP, 'setup-worktree-unix': SETUP, 'setup-worktree-windows': SETUP });

/** Files that say how worktrees are set up, the first one first: the other of the first two does not count. */
const OWN_FILE = '.gnomon/worktree.json';
const CURSOR_FILE = '.cursor/worktrees.json';
/** Patterns of ignored files that are copied, in the syntax of `.gitignore`; code.claude.com/docs/en/worktrees. */
const INCLUDE_FILE = '.worktreeinclude';

/** A file that a plan was read from. */
interface PlanFile {
  /** Path in the working tree. */
  readonly path: string;
  /** Why it is not used, or not all of it, as a sentence for the user. */
  readonly problem?: string;
}

/** What is to be done in a new worktree. */
export interface SetUpPlan {
  readonly files: readonly PlanFile[];
  readonly commands: readonly string[];
  /** Patterns of the ignored files that are copied. */
  readonly copy: readonly string[];
  readonly ports: number;
}

/** What was read of one file. */
interface Read {
  readonly file: PlanFile;
  readonly commands?: readonly string[];
  readonly copy?: readonly string[];
  readonly ports?: number;
}

/**
 * Reads what is to be done in a new worktree: from the worktree itself, and from the main checkout what is missing there, such as files that Git ignores.
 * @param places absolute paths of working trees, without links
 */
export async function readSetUpPlan(places: readonly string[], platform: NodeJS.Platform, signal: AbortSignal): Promise<SetUpPlan> {
  const own = await firstOf(places, (place) => readOwn(place, platform, signal));
  const setup = own ?? (await firstOf(places, (place) => readCursor(place, platform, signal)));
  const include = await firstOf(places, (place) => readInclude(place, signal));
  const read = [setup, include].filter((one) => one !== undefined);
  const commands = read.flatMap((one) => one.commands ?? []);
  const copy = read.flatMap((one) => one.copy ?? []);
  return { files: read.map(({ file }) => file), commands, copy, ports: setup?.ports ?? USUAL_COUNT };
}

async function firstOf(places: readonly string[], read: (place: string) => Promise<Read | undefined>): Promise<Read | undefined> {
  for (const place of places) {
    const found = await read(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readOwn(place: string, platform: NodeJS.Platform, signal: AbortSignal): Promise<Read | undefined> {
  const read = await readJson(place, OWN_FILE, OWN, signal);
  if (read === undefined || 'file' in read) return read;
  const { setup = [], copy = [], ports = USUAL_COUNT } = read.data;
  const commands = Array.isArray(setup) ? setup : ((platform === 'win32' ? setup.windows : setup.unix) ?? []);
  return { file: { path: OWN_FILE }, commands, copy, ports };
}

async function readCursor(place: string, platform: NodeJS.Platform, signal: AbortSignal): Promise<Read | undefined> {
  const read = await readJson(place, CURSOR_FILE, CURSOR, signal);
  if (read === undefined || 'file' in read) return read;
  const setup = read.data[platform === 'win32' ? 'setup-worktree-windows' : 'setup-worktree-unix'] ?? read.data['setup-worktree'] ?? [];
  if (typeof setup !== 'string') return { file: { path: CURSOR_FILE }, commands: setup };
  const path = posix.normalize(posix.join(posix.dirname(CURSOR_FILE), setup));
  if (path.startsWith('../') || posix.isAbsolute(setup))
    return { file: { path: CURSOR_FILE, problem: t('It names a script outside of the repository: {0}.', setup) } };
  const script = await readRealFile({ path: join(place, path), maxBytes: MAX_BYTES }, signal);
  if (script === undefined || 'problem' in script) return { file: { path: CURSOR_FILE, problem: t('It names a script that cannot be read: {0}.', setup) } };
  return { file: { path: CURSOR_FILE }, commands: [platform === 'win32' ? path.replaceAll('/', '\\') : `sh ${quoted(path)}`] };
}

async function readInclude(place: string, signal: AbortSignal): Promise<Read | undefined> {
  const read = await readRealFile({ path: join(place, INCLUDE_FILE), maxBytes: MAX_BYTES }, signal);
  if (read === undefined) return undefined;
  if ('problem' in read) return { file: { path: INCLUDE_FILE, problem: read.problem } };
  const copy = read.text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return { file: { path: INCLUDE_FILE }, copy };
}

async function readJson<T>(place: string, path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<{ readonly data: T } | Read | undefined> {
  const read = await readRealFile({ path: join(place, path), maxBytes: MAX_BYTES }, signal);
  if (read === undefined) return undefined;
  if ('problem' in read) return { file: { path, problem: read.problem } };
  try {
    return { data: schema.parse(JSON.parse(read.text)) };
  } catch (error) {
    if (error instanceof z.ZodError) return { file: { path, problem: z.prettifyError(error) } };
    return { file: { path, problem: errorMessage(error) } };
  }
}

/** A path as one word of a shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
