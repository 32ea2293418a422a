import * as z from 'zod/mini';
import { TASK_KINDS, type TaskKind } from '../domain/model/task-kind.js';
import { present } from '../domain/present.js';
import { type ByModelAndKind, NO_OBSERVATIONS, type Observations } from './estimates.js';
import { observed } from './observed.js';
import { BECAUSE, type Because } from './outcome.js';

/** What came of a task. */
export interface Observed {
  /** Key of the model. */
  readonly model: string;
  readonly kind: TaskKind;
  /** How much of it succeeded, 0 to 1. */
  readonly share: number;
  readonly because: readonly Because[];
  /** When that was known, as RFC 3339 in UTC. */
  readonly at: string;
}

/** The observations of a model in a kind. */
export interface StoredObservations extends Observations {
  /** When the last one was made, as RFC 3339 in UTC; only to tell which were used longest ago. */
  readonly last?: string;
}

/** All observations of a user. */
export interface ObservationTable {
  readonly models: ByModelAndKind<StoredObservations>;
  /** What came of the latest tasks, the latest last: for the user to read, nothing is computed from it. */
  readonly recent: readonly Observed[];
}

/** What of a file was left out: entries that are impossible, by the names of their models and kinds, and how many models there were too many. */
export interface Dropped {
  readonly entries: readonly string[];
  readonly models: number;
}

/** Nothing was observed. */
export const NO_TABLE: ObservationTable = Object.freeze({ models: {}, recent: [] });

const VERSION = 1;
/** Models that are kept, the latest observed first. */
const MOST_MODELS = 500;
const MOST_RECENT = 20;
/** Characters of a key. */
const LONGEST_KEY = 500;
/** Observations of a model in a kind: the product never has more than 33.4, and the user may say that they are surer. */
const MOST_SEEN = 1_000;
const ABOUT =
  'What came of tasks that models were chosen for automatically, for how well they are expected to do the next ones. “seen” is how many there were, ' +
  'older ones counting less, “solved” how many of them succeeded. You can change and remove entries. Nothing of this leaves your machine. ' +
  'See docs/routing.md.';

const MEMBERS = z.record(z.string(), z.unknown());
const TABLE = z.object({ version: z.literal(VERSION), models: MEMBERS, recent: z.optional(z.array(z.unknown())) });
const LATER = z.object({ version: z.number().check(z.gt(VERSION)) });
const KIND = z.enum(TASK_KINDS);
const AMOUNT = z.number().check(z.minimum(0), z.maximum(MOST_SEEN));
/** What the user has written in place of a time says nothing, and takes nothing from the numbers. */
const OBSERVATIONS = z.object({ solved: AMOUNT, seen: AMOUNT, last: z.optional(z.unknown()) }).check(z.refine(({ solved, seen }) => solved <= seen));
/** As {@link Observed.at} is written: then the order of texts is that of times. */
const TIME = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/));
const RECENT = z.object({
  ...{ model: z.string().check(z.maxLength(LONGEST_KEY)), kind: KIND, share: z.number().check(z.minimum(0), z.maximum(1)) },
  ...{ because: z.array(z.enum(BECAUSE)), at: TIME },
});

/**
 * Reads the text of a table. What of it is impossible is left out; models that are not known are kept.
 * @returns `damaged` where it is none, `newer` for one of a later version
 */
export function readTable(text: string): { readonly table: ObservationTable; readonly dropped: Dropped } | 'damaged' | 'newer' {
  const found = parsed(text);
  const content = TABLE.safeParse(found).data;
  if (content === undefined) return LATER.safeParse(found).success ? 'newer' : 'damaged';
  const entries: string[] = [];
  const models = Object.entries(content.models).flatMap(([key, kinds]): readonly ModelEntry[] => {
    const all = key.length > LONGEST_KEY ? undefined : MEMBERS.safeParse(kinds).data;
    if (all === undefined) entries.push(key);
    const known = Object.entries(all ?? {}).flatMap(([kind, value]) => {
      const read = KIND.safeParse(kind).success ? OBSERVATIONS.safeParse(value).data : undefined;
      if (read === undefined) entries.push(`${key}, ${kind}`);
      return read === undefined ? [] : [[kind, storedOf(read)] as const];
    });
    return known.length === 0 ? [] : [[key, Object.fromEntries(known)]];
  });
  const recent = (content.recent ?? []).flatMap((each) => RECENT.safeParse(each).data ?? []).slice(-MOST_RECENT);
  return { table: { models: Object.fromEntries(latest(models)), recent }, dropped: { entries, models: Math.max(0, models.length - MOST_MODELS) } };
}

/** The text of a table, for people to read. */
export function tableText({ models, recent }: ObservationTable): string {
  const rounded = Object.fromEntries(
    Object.entries(models).map(([key, kinds]) => [
      key,
      Object.fromEntries(Object.entries(kinds).map(([kind, { solved, seen, last }]) => [kind, { solved: short(solved), seen: short(seen), last }])),
    ]),
  );
  return `${JSON.stringify({ about: ABOUT, version: VERSION, models: rounded, recent }, undefined, 2)}\n`;
}

/** Adds what came of tasks. */
export function withObserved({ models, recent }: ObservationTable, all: readonly Observed[]): ObservationTable {
  const next = new Map(Object.entries(models));
  for (const { model, kind, share, at } of all) {
    const kinds = next.get(model);
    const before = kinds?.[kind];
    // A clock that was set back makes nothing older.
    const last = before?.last !== undefined && before.last > at ? before.last : at;
    next.set(model, { ...kinds, [kind]: { ...observed(before ?? NO_OBSERVATIONS, share), last } });
  }
  return { models: Object.fromEntries(latest([...next])), recent: [...recent, ...all].slice(-MOST_RECENT) };
}

type ModelEntry = readonly [key: string, kinds: ByModelAndKind<StoredObservations>[string]];

function latest(models: readonly ModelEntry[]): readonly ModelEntry[] {
  if (models.length <= MOST_MODELS) return models;
  const lastOf = ([, kinds]: ModelEntry): string =>
    Object.values(kinds)
      .map(({ last = '' }) => last)
      .reduce((a, b) => (a > b ? a : b), '');
  return models
    .map((entry) => ({ entry, last: lastOf(entry) }))
    .sort((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0))
    .slice(0, MOST_MODELS)
    .map(({ entry }) => entry);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function storedOf({ solved, seen, last }: z.infer<typeof OBSERVATIONS>): StoredObservations {
  return { solved, seen, ...present({ last: TIME.safeParse(last).data }) };
}

function short(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
