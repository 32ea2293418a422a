import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type McpConnection, McpError } from '../../domain/mcp/connection.js';
import type { McpListed } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { McpServersDeps } from './ports.js';

/** Rate limit for reading a list: a server that keeps reporting changes must not keep Gnomon busy. Time in milliseconds. */
const MAX_READINGS = 10;
const READINGS_MS = 60_000;
/** The code of JSON-RPC 2.0 for a method that there is not. */
const METHOD_NOT_FOUND = -32_601;

/** Tools, prompts, and resources of a server, as it listed them. */
export type McpFeatures = Pick<McpServerState, 'tools' | 'prompts' | 'resources' | 'templates' | 'warnings'>;

/** Nothing. */
export const NO_FEATURES: McpFeatures = { tools: [], prompts: [], resources: [], templates: [], warnings: [] };

/** The lists of a server; templates are listed with the resources. */
export type McpListName = 'tools' | 'prompts' | 'resources';

interface ListsDeps extends Pick<McpServersDeps, 'clock' | 'wait'> {
  /** Takes what is new. */
  readonly tell: (features: McpFeatures) => void;
}

type ListKey = Exclude<keyof McpFeatures, 'warnings'>;

/**
 * A list of a server, read anew: what is the same stays the same object, and what was there before stays in its order, so that the definitions that a
 * model was sent do not move, and its prompt cache stays valid. Without any difference the result is the list before. What is listed twice is taken once,
 * as it came first.
 */
export function mergeList<Item>(before: readonly Item[], now: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const found = new Map<string, Item>();
  for (const item of now) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  const merged: Item[] = [];
  for (const item of before) {
    const key = keyOf(item);
    const next = found.get(key);
    if (next === undefined) continue;
    merged.push(isDeepStrictEqual(item, next) ? item : next);
    found.delete(key);
  }
  merged.push(...found.values());
  const same = merged.length === before.length && merged.every((item, index) => item === before[index]);
  return same ? before : merged;
}

/**
 * Reads the lists of one connection. Each is read separately, so that one that fails or hangs does not affect the others; a change while a list is
 * read causes one more reading of it. A list that fails stays as it was, with a warning; on a new connection, it is empty then.
 */
export class ServerLists {
  private features: McpFeatures;
  private readonly warnings = new Map<string, readonly string[]>();
  private readonly readings = new Map<McpListName, Promise<void>>();
  /** Lists that have changed while they are read. */
  private readonly stale = new Set<McpListName>();
  /** When lists were read last, as milliseconds of the clock. */
  private readonly times = new Map<McpListName, readonly number[]>();
  /** Lists that this connection has given. */
  private readonly given = new Set<string>();

  /** @param before what an earlier connection listed: what is the same stays the same object */
  constructor(
    private readonly connection: McpConnection,
    private readonly signal: AbortSignal,
    before: McpFeatures,
    private readonly deps: ListsDeps,
  ) {
    this.features = before;
  }

  /** Reads a list, if the server has it. Resolves when it is read, however that ended. */
  read(list: McpListName): Promise<void> {
    this.stale.add(list);
    const reading = this.readings.get(list) ?? this.readUntilStill(list);
    this.readings.set(list, reading);
    return reading;
  }

  /** Resolves when all lists that are being read now are read. */
  async settled(): Promise<void> {
    await Promise.all(this.readings.values());
  }

  private async readUntilStill(list: McpListName): Promise<void> {
    while (this.stale.has(list) && !this.signal.aborted) {
      await this.rest(list);
      this.stale.delete(list);
      await this.readOnce(list);
    }
    this.readings.delete(list);
  }

  /** Waits for the next time at which the list may be read. */
  private async rest(list: McpListName): Promise<void> {
    const { clock, wait } = this.deps;
    const now = clock.monotonic();
    const recent = (this.times.get(list) ?? []).filter((time) => now - time < READINGS_MS);
    const [first = now] = recent;
    if (recent.length >= MAX_READINGS) await wait(first + READINGS_MS - now, this.signal);
    this.times.set(list, [...recent, clock.monotonic()]);
  }

  private async readOnce(list: McpListName): Promise<void> {
    const { connection, signal } = this;
    const { capabilities } = connection.agreement;
    switch (list) {
      case 'tools':
        return this.take(
          'tools',
          capabilities.tools,
          () => connection.listTools(signal),
          ({ name }) => name,
        );
      case 'prompts':
        return this.take(
          'prompts',
          capabilities.prompts,
          () => connection.listPrompts(signal),
          ({ name }) => name,
        );
      case 'resources':
        await this.take(
          'resources',
          capabilities.resources,
          () => connection.listResources(signal),
          ({ uri }) => uri,
        );
        return this.take(
          'templates',
          capabilities.resources,
          () => connection.listResourceTemplates(signal),
          ({ uriTemplate }) => uriTemplate,
        );
    }
  }

  private async take<Name extends ListKey>(
    name: Name,
    has: boolean,
    listed: () => Promise<McpListed<McpFeatures[Name][number]>>,
    keyOf: (item: McpFeatures[Name][number]) => string,
  ): Promise<void> {
    try {
      const { items, warnings } = has ? await listed() : { items: [], warnings: [] };
      if (this.signal.aborted) return;
      this.given.add(name);
      const merged = mergeList<McpFeatures[Name][number]>(this.features[name], items, keyOf);
      const left = items.length - merged.length;
      this.show(name, merged, left === 0 ? warnings : [...warnings, t('{0} entries of its lists were left out, because others have the same names.', left)]);
    } catch (error) {
      // What is pending when the connection ends rejects, which says nothing about the list.
      if (this.signal.aborted) return;
      // Servers say of a capability that they have it, and have no such list.
      const isNone = error instanceof McpError && error.code === METHOD_NOT_FOUND;
      this.show(name, this.given.has(name) && !isNone ? this.features[name] : [], isNone ? [] : [unread(name, errorMessage(error))]);
    }
  }

  private show(name: ListKey, items: readonly unknown[], warnings: readonly string[]): void {
    this.warnings.set(name, warnings);
    const all = [...new Set([...this.warnings.values()].flat())];
    const same = all.length === this.features.warnings.length && all.every((warning, index) => warning === this.features.warnings[index]);
    if (items === this.features[name] && same) return;
    this.features = { ...this.features, [name]: items, warnings: same ? this.features.warnings : all };
    this.deps.tell(this.features);
  }
}

function unread(name: ListKey, reason: string): string {
  switch (name) {
    case 'tools':
      return t('Its tools could not be read: {0}', reason);
    case 'prompts':
      return t('Its prompts could not be read: {0}', reason);
    case 'resources':
      return t('Its resources could not be read: {0}', reason);
    case 'templates':
      return t('Its resource templates could not be read: {0}', reason);
  }
}
