import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The variable that marks the processes of one command, wherever they go. */
export const MARK_VARIABLE = 'GNOMON_COMMAND';

/** How long it may take to load a program, in milliseconds: one on a dead network drive is never loaded. */
const LOADED_MS = 500;
const POLL_MS = 2;
/** How often an environment is looked for that is there and not shown. */
const MAX_LOOKS = 5;

/** A process that has not ended. */
export interface RunningProcess {
  readonly id: number;
  /** Whether it needs nothing but a processor to go on. One that does not may never go on, such as in a call to a dead network drive. */
  readonly isReady: boolean;
}

/** What `/proc/pid/stat` says of a process; `state` is a letter. */
interface Stat {
  readonly id: number;
  readonly group: number;
  readonly state: string;
  /** Whether it has an environment; `later` while its program is being loaded. */
  readonly environment: 'none' | 'later' | 'there';
}

/** The processes of the machine. Only Linux has such a table; elsewhere it is empty. */
export class ProcessTable {
  /**
   * Those with a mark in the environment they were started with, also those that left their group with `setsid` or lost their parent. Programs that replace
   * their environment are not found.
   */
  async marked(mark: string): Promise<readonly number[]> {
    const wanted = `\0${MARK_VARIABLE}=${mark}\0`;
    const end = performance.now() + LOADED_MS;
    const found: number[] = [];
    let left = await processIds();
    for (let looks = 1; ; looks += 1) {
      const looked = await Promise.all(left.map(async (id) => ({ id, environment: await this.read(id, 'environ') })));
      found.push(...looked.flatMap(({ id, environment = '' }) => (`\0${environment}`.includes(wanted) ? [id] : [])));
      const nothing = looked.flatMap(({ id, environment }) => (environment === '' ? [id] : []));
      // Nothing is shown of one that is just loading its program, or has loaded one since the environment was opened; nor ever of one that took it away.
      left = (await this.stats(nothing)).flatMap(({ id, environment }) =>
        environment === 'later' || (environment === 'there' && looks < MAX_LOOKS) ? [id] : [],
      );
      if (left.length === 0 || performance.now() > end) return found;
      await delay(POLL_MS);
    }
  }

  /** Those of some processes that still run. */
  async running(ids: readonly number[]): Promise<readonly RunningProcess[]> {
    return live(await this.stats(ids));
  }

  /**
   * The members of a process group that still run. A dead one that its parent never collects, as in a container without an init process, can be signalled
   * for ever; only the table shows the difference.
   * @returns `undefined` where there is no table.
   */
  async membersOf(group: number): Promise<readonly RunningProcess[] | undefined> {
    const ids = await processIds();
    if (ids.length === 0) return undefined;
    return live((await this.stats(ids)).filter((stat) => stat.group === group));
  }

  /** @returns `undefined` where there is no such process any more, and for what is not shown of those of other users. */
  protected read(id: number, name: 'environ' | 'stat'): Promise<string | undefined> {
    return readFile(`/proc/${id}/${name}`, 'latin1').catch(() => undefined);
  }

  private stats(ids: readonly number[]): Promise<readonly Stat[]> {
    return Promise.all(ids.map(async (id) => statIn(id, (await this.read(id, 'stat')) ?? '')));
  }
}

async function processIds(): Promise<readonly number[]> {
  // Systems without this table are answered for by the callers.
  const names = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : [];
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Format: proc(5), `/proc/pid/stat`. The name, which is in parentheses, may contain anything. */
function statIn(id: number, text: string): Stat {
  // The first field of these is the third one of the format.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // One that has just ended is not there any more.
  const state = fields[0] || 'X';
  const [group = 0, memory = 0, start = 0, end = 0] = [5 - 3, 23 - 3, 50 - 3, 51 - 3].map((index) => Number(fields[index]));
  const environment = memory === 0 || (end > 0 && end === start) ? 'none' : end === 0 ? 'later' : 'there';
  return { id, group, state, environment };
}

function live(stats: readonly Stat[]): readonly RunningProcess[] {
  return stats.filter(({ state }) => !['Z', 'X'].includes(state)).map(({ id, state }) => ({ id, isReady: state === 'R' }));
}
