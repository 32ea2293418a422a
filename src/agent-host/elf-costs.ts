import { join } from 'node:path';
import * as z from 'zod/mini';
import { Queue } from '../concurrency/queue.js';
import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import { type FileLayer, fileErrorCode } from '../domain/workspace/file-layer.js';
import type { ElfCosts } from '../elf/elf-costs.js';
import { atomicWrite } from '../session/atomic-write.js';

/** Name of the file in the storage of a workspace. */
const NAME = 'agent-costs.json';
/** Costs that are kept of each agent with each model. */
const MOST_COSTS = 20;
/** Pairs of an agent and a model that are kept, the latest used first. */
const MOST_PAIRS = 200;
/** Bytes of the largest file that is read, several times what these limits allow. */
const MAX_BYTES = 512 * 1024;
/** Characters of names. */
const MAX_NAME = 300;

const name = z.string().check(z.maxLength(MAX_NAME));
const pair = z.object({ type: name, model: name, usd: z.array(z.number().check(z.nonnegative())).check(z.maxLength(MOST_COSTS)) });
const content = z.object({ version: z.literal(1), costs: z.array(pair).check(z.maxLength(MOST_PAIRS)) });

/** The latest costs of an agent with a model, the oldest first. */
type Pair = z.infer<typeof pair>;

/** Services of {@link ElfCostsFile}. */
export interface ElfCostsDeps {
  /** Absolute path of the folder for what is kept of this workspace. */
  readonly storage: string;
  readonly files: FileLayer;
  readonly log: Log;
}

/**
 * What runs of agents have cost, in a file that all windows of the workspace share. It is read anew before each change and replaced as a whole, so
 * that windows lose no more of each other than what both add at the same moment. It is only shown to the user: no limit depends on it.
 */
export class ElfCostsFile implements ElfCosts {
  private readonly queue = new Queue();
  private readonly path: string;

  constructor(private readonly deps: ElfCostsDeps) {
    this.path = join(deps.storage, NAME);
  }

  async of(type: string, model: string): Promise<readonly number[]> {
    const pairs = await this.queue.run(() => this.read());
    return pairs.find(isOf(type, model))?.usd ?? [];
  }

  note(type: string, model: string, costUsd: number): Promise<void> {
    if (type.length > MAX_NAME || model.length > MAX_NAME) return Promise.resolve();
    return this.queue
      .run(() => this.add(type, model, costUsd))
      .catch((error: unknown) => this.deps.log.error('The cost of an agent could not be stored', error));
  }

  private async add(type: string, model: string, costUsd: number): Promise<void> {
    const { files, log } = this.deps;
    const pairs = await this.read();
    const isThis = isOf(type, model);
    const usd = [...(pairs.find(isThis)?.usd ?? []), costUsd].slice(-MOST_COSTS);
    const costs = [{ type, model, usd }, ...pairs.filter((each) => !isThis(each))].slice(0, MOST_PAIRS);
    await files.makeFolder(this.deps.storage);
    await atomicWrite({ files, log, pid: process.pid }, this.path, [Buffer.from(`${JSON.stringify({ version: 1, costs })}\n`)]);
  }

  /** What cannot be read is as good as nothing, and is replaced with the next cost. */
  private async read(): Promise<readonly Pair[]> {
    const { files, log } = this.deps;
    try {
      const entry = await files.stat(this.path);
      if (entry === undefined) return [];
      if (entry.type !== 'file' || entry.size > MAX_BYTES) throw new Error('it is not a regular file, or too large');
      return content.parse(JSON.parse(Buffer.from(await files.readFile(this.path)).toString('utf8'))).costs;
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT') log.warn(`The costs of agents are ignored: ${errorMessage(error)}`);
      return [];
    }
  }
}

function isOf(type: string, model: string): (pair: Pair) => boolean {
  return (each) => each.type === type && each.model === model;
}
