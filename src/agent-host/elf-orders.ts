import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import { THINKING_EFFORTS } from '../domain/model/effort.js';
import { NO_USAGE } from '../domain/model/usage.js';
import { present } from '../domain/present.js';
import type { ElfOrder } from '../domain/session/elf.js';
import type { ElfOrigin, KnownElf } from '../elf/elf.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { namesIn } from '../node/files/names-in.js';
import { atomicWrite } from '../session/atomic-write.js';

/** Folder of the orders beside the sessions of elves. */
const FOLDER = 'orders';
const SUFFIX = '.json';

const RUN = z.object({
  state: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
  since: z.string(),
  rounds: z.int().check(z.gte(0)),
  durationMs: z.optional(z.number()),
  problem: z.optional(z.string()),
});

const STORED = z.object({
  version: z.literal(1),
  elf: z.object({
    name: z.string(),
    parent: z.optional(z.string()),
    callId: z.string(),
    type: z.string(),
    task: z.string(),
    background: z.boolean(),
    worktree: z.optional(z.string()),
  }),
  order: z.object({
    prompts: z.array(z.string()).check(z.minLength(1)),
    model: z.optional(z.string()),
    effort: z.optional(z.enum(THINKING_EFFORTS)),
    run: z.optional(RUN),
    before: z.optional(z.array(RUN)),
  }),
});

/** An order with the elf that it is for. */
export interface StoredOrder {
  readonly elf: KnownElf;
  readonly order: ElfOrder;
}

/** What the elves of a chat were given and have not taken up, in a file for each: the window can be closed before they do. */
export class ElfOrders {
  private readonly folder: string;

  /** @param elves absolute path of the folder with their sessions */
  constructor(
    elves: string,
    private readonly log: Log,
  ) {
    this.folder = join(elves, FOLDER);
  }

  /** Writes what one was given; `undefined`: it has taken up everything. Does not reject. */
  async keep(elf: KnownElf, order: ElfOrder | undefined): Promise<void> {
    const path = join(this.folder, `${elf.name}${SUFFIX}`);
    try {
      if (order === undefined) await rm(path, { force: true });
      else await this.write(path, { elf, order });
    } catch (error) {
      this.log.error(`What ${elf.name} is to do could not be stored`, error);
    }
  }

  private async write(path: string, stored: StoredOrder): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const writer = { files: createNodeFileLayer(), log: this.log, pid: process.pid };
    await atomicWrite(writer, path, [Buffer.from(JSON.stringify({ version: 1, ...stored }))]);
  }

  /** All of them; what cannot be read is left out. Does not reject. */
  async all(): Promise<readonly StoredOrder[]> {
    const names = (await namesIn(this.folder)).filter((name) => name.endsWith(SUFFIX));
    return (await Promise.all(names.map((name) => this.read(join(this.folder, name))))).filter((order) => order !== undefined);
  }

  private async read(path: string): Promise<StoredOrder | undefined> {
    try {
      const { elf, order } = STORED.parse(JSON.parse(await readFile(path, 'utf8')));
      const { run, before, ...rest } = order;
      const runs = present({ run: run && present(run), before: before?.map((each) => present(each)) });
      return { elf: present(elf), order: { ...present(rest), ...runs } };
    } catch (error) {
      this.log.warn(`The order ${path} cannot be read: ${errorMessage(error)}`);
      return undefined;
    }
  }
}

/** Elves with what they have not taken up, and those that have begun nothing at all. */
export function withOrders(begun: readonly ElfOrigin[], orders: readonly StoredOrder[]): readonly ElfOrigin[] {
  const left = new Map(orders.map((each) => [each.elf.name, each] as const));
  const known = begun.map((origin) => {
    const order = left.get(origin.name)?.order;
    left.delete(origin.name);
    const { stored } = origin;
    // The window was closed when the run had begun, and before that was noted here.
    const isTaken = order?.run !== undefined && stored?.runs.some(({ since }) => since === order.run?.since) === true;
    if (order === undefined || stored === undefined || isTaken) return origin;
    const before = (order.before ?? []).filter(({ since }) => !stored.runs.some((run) => run.since === since));
    return { ...origin, stored: { ...stored, order, runs: [...stored.runs, ...before] } };
  });
  const nothing = { model: '', usage: NO_USAGE, costUsd: 0 };
  const unbegun = [...left.values()].filter(({ order }) => order.run !== undefined);
  return [...known, ...unbegun.map(({ elf, order }) => ({ ...elf, stored: { ...nothing, runs: order.before ?? [], order } }))];
}
