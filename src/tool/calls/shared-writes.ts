import { headOf } from '../../text/show.js';

/** A change that a call of a session has made to a file. */
export interface SharedWrite {
  /** Hashes of the version that was changed, and of what became of it. */
  readonly from: string;
  readonly to: string;
  /** Who has made it, as the model of another session knows them. */
  readonly by: string;
  /** Unified. */
  readonly diff: string;
}

/** Changes of one file that are remembered. */
const MAX_WRITES = 20;
/** Files that are remembered. */
const MAX_FILES = 500;
/** Characters of a change that are remembered, and that are told. */
const MAX_DIFF = 4_000;

/** What the sessions of a window have written, so that one that had read a file before can be told who has changed it since, and how. */
export class SharedWrites {
  private readonly writes = new Map<string, readonly SharedWrite[]>();

  /** @param nameOf who works in a session, as models of other sessions know them */
  constructor(private readonly nameOf: (session: string) => string) {}

  /** @param path real path of the file */
  note(path: string, session: string, { from, to, diff }: Omit<SharedWrite, 'by'>): void {
    const before = this.writes.get(path) ?? [];
    this.writes.delete(path);
    this.writes.set(path, [...before.slice(1 - MAX_WRITES), { from, to, by: this.nameOf(session), diff: headOf(diff, MAX_DIFF) }]);
    const [oldest] = this.writes.keys();
    if (this.writes.size > MAX_FILES && oldest !== undefined) this.writes.delete(oldest);
  }

  /** Who has changed a file from one version to another, and how, for a model that has read the first; empty where that is not known. */
  wordsSince(path: string, seen: string, now: string): string {
    const chain = chainOf(this.writes.get(path) ?? [], seen, now);
    if (chain === undefined) return '';
    const names = [...new Set(chain.map(({ by }) => by))].join(', ');
    return `Changed by ${names}:\n${headOf(chain.map(({ diff }) => diff).join('\n'), MAX_DIFF)}`;
  }
}

/** The changes that lead from one version to another; `undefined` where something else has changed it in between. */
function chainOf(writes: readonly SharedWrite[], seen: string, now: string): readonly SharedWrite[] | undefined {
  const first = writes.findLastIndex(({ from }) => from === seen);
  if (first < 0) return undefined;
  const chain = writes.slice(first);
  const isWhole = chain.every(({ to }, index) => to === (chain[index + 1]?.from ?? now));
  return isWhole ? chain : undefined;
}
