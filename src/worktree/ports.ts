import { createServer } from 'node:net';
import { allUnits, type WorktreeHome } from './home.js';
import { readWorktree, type Worktree, writeRecord } from './record.js';

/** Ports that worktrees are given: below those that systems give to connections, and above most that programs use by default. */
const FIRST = 21_000;
const LAST = 30_999;
/** Ports of a worktree, unless it asks for more. */
export const USUAL_COUNT = 10;

/** Variables that tell commands in which worktree they run. */
export interface WorktreeVariables {
  readonly GNOMON_WORKTREE: string;
  /** The first of the ports that are for this worktree. */
  readonly GNOMON_PORT_BASE?: string;
  /** The checkout that it was made of; files for Cursor use it. */
  readonly ROOT_WORKTREE_PATH: string;
}

/** What commands in a worktree get as variables. */
export function variablesOf({ record }: Worktree): WorktreeVariables {
  return {
    GNOMON_WORKTREE: record.name,
    ROOT_WORKTREE_PATH: record.root,
    ...(record.ports === undefined ? {} : { GNOMON_PORT_BASE: String(record.ports.base) }),
  };
}

/**
 * Gives a worktree a range of ports that no other one beside it has, and in which nothing listens now.
 * @returns the worktree with the range in its record; as it was where it has one, or where none is left
 */
export async function givePorts(worktree: Worktree, home: WorktreeHome, count = USUAL_COUNT): Promise<Worktree> {
  if (worktree.record.ports !== undefined) return worktree;
  const others = (await Promise.all((await allUnits(home)).map((unit) => readWorktree(unit)))).flatMap((other) => other?.record.ports ?? []);
  for (let base = FIRST; base + count - 1 <= LAST; base += USUAL_COUNT) {
    const end = base + count;
    if (others.some((other) => base < other.base + other.count && other.base < end)) continue;
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(base + index)));
    if (free.every(Boolean)) return writeRecord(worktree.unit, { ...worktree.record, ports: { base, count } });
  }
  return worktree;
}

/** Whether a program could listen there now. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
