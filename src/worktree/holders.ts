import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { errorCode } from '../node/files/file-errors.js';
import { namesIn } from '../node/files/names-in.js';
import type { ProcessProbe } from '../session/lock/process-probe.js';
import { ownPlace, type Worktree } from './record.js';

const HOLDER = z.object({ as: z.enum(['run', 'window', 'work']), pid: z.number(), host: z.string(), started: z.string() });

/** Who uses a worktree: `run` an agent that works in it, `window` one that has it open, `work` what is done with it as a whole. */
export type Holder = z.infer<typeof HOLDER>;

/** Says that a worktree is used. */
export interface Hold {
  release(): Promise<void>;
}

/** Folder with a file for each holder. */
const FOLDER = 'holders';

/** Says that this process uses a worktree, until it is released or the process ends. Several can. @throws the error of the system where it is gone */
export async function holdWorktree({ unit }: Pick<Worktree, 'unit'>, as: Holder['as'], probe: ProcessProbe): Promise<Hold> {
  const self = await probe.self();
  const path = ownPlace(unit, FOLDER, `${randomBytes(9).toString('hex')}.json`);
  await mkdir(ownPlace(unit, FOLDER)).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  await writeFile(path, JSON.stringify({ as, ...self } satisfies Holder), { flag: 'wx' });
  return { release: () => rm(path, { force: true }) };
}

/** Who uses a worktree now. One of whom it is not known whether they still run counts, too; what those left that do not run any more is removed. */
export async function holdersOf(unit: string, probe: ProcessProbe): Promise<readonly Holder[]> {
  const holders: Holder[] = [];
  for (const name of await namesIn(ownPlace(unit, FOLDER))) {
    const path = ownPlace(unit, FOLDER, name);
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    if ((await probe.isRunning(holder)) === 'no') await rm(path, { force: true });
    else holders.push(holder);
  }
  return holders;
}

/** A file that cannot be read belongs to somebody all the same. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return HOLDER.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError) return { as: 'work', pid: 0, host: '', started: '' };
    throw error;
  }
}
