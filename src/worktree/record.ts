import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { errorCode } from '../node/files/file-errors.js';

const COMMIT = z.string().check(z.regex(/^[0-9a-f]{40,64}$/));

/** What Gnomon knows of a worktree beside its files. */
const RECORD = z.object({
  version: z.literal(1),
  /** Part of the name of the reference that keeps the commit it began with. */
  id: z.string().check(z.regex(/^[\w.-]+$/)),
  name: z.string(),
  /** Name of the folder with the files. */
  folder: z.string().check(z.regex(/^[^/\\]+$/)),
  /** Absolute path of the working tree of the repository. */
  root: z.string(),
  /** While it is `creating`, files can be missing because they were not written yet. */
  state: z.enum(['creating', 'ready']),
  base: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('branch'), branch: z.string(), commit: COMMIT }),
    /** A commit that Gnomon has made of the working tree, on top of the one that was checked out, if there was one. */
    z.object({ kind: z.literal('snapshot'), commit: COMMIT, head: z.optional(COMMIT) }),
  ]),
  createdAt: z.number(),
  /**
   * The agent that it was made for: its kind, its task in a few words, and the id of the chat that it works for. Absent for one that the user has made. As it
   * only says what the list shows, one that cannot be read is as none.
   */
  agent: z.catch(z.optional(z.object({ type: z.string(), task: z.string(), chat: z.string() })), undefined),
  /** Patterns of ignored files that count as work, as in `.gitignore`. */
  listed: z.array(z.string()),
  /** Whether its set-up has ended well: until then it is to be done, from the beginning. */
  prepared: z.optional(z.boolean()),
  ports: z.optional(z.object({ base: z.number(), count: z.number() })),
  /** Why the user wants to keep it, whatever happens. */
  locked: z.optional(z.string()),
});

/** What Gnomon knows of a worktree beside its files. */
export type WorktreeRecord = z.infer<typeof RECORD>;

/** A folder with a worktree and what belongs to it, so that both are moved at once. */
export interface Worktree {
  /** Absolute path of the folder that holds everything. */
  readonly unit: string;
  /** Absolute path of the working tree. */
  readonly tree: string;
  readonly record: WorktreeRecord;
}

/** Folder of a unit with what is Gnomon’s. */
const OWN_FOLDER = 'gnomon';
const RECORD_FILE = 'record.json';

/** Absolute path of something of Gnomon’s own in a unit; commands of an agent cannot write there. */
export function ownPlace(unit: string, ...names: readonly string[]): string {
  return join(unit, OWN_FOLDER, ...names);
}

/** Absolute path of the folder of Git in a worktree, in which an agent’s commands can write. */
export function agentRepository({ tree }: Worktree): string {
  return join(tree, '.git');
}

/** Names in a unit that belong there. */
export function isPartOf({ record }: Worktree, name: string): boolean {
  return name === OWN_FOLDER || name === record.folder;
}

/** A worktree by its record; `undefined` for a folder without one that can be read. */
export async function readWorktree(unit: string): Promise<Worktree | undefined> {
  try {
    const record = RECORD.parse(JSON.parse(await readFile(ownPlace(unit, RECORD_FILE), 'utf8')));
    return { unit, tree: join(unit, record.folder), record };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError || ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Writes a file of Gnomon’s own in a unit as a whole, as JSON. */
export async function writeOwn(unit: string, name: string, value: object): Promise<void> {
  const temporary = ownPlace(unit, `${name}.${randomBytes(6).toString('hex')}`);
  await writeFile(temporary, JSON.stringify(value, null, 2), { flag: 'wx', flush: true });
  await rename(temporary, ownPlace(unit, name));
}

/** Writes the record of a worktree as a whole. */
export async function writeRecord(unit: string, record: WorktreeRecord): Promise<Worktree> {
  await writeOwn(unit, RECORD_FILE, record);
  return { unit, tree: join(unit, record.folder), record };
}
