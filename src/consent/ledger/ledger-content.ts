import * as z from 'zod/mini';
import type { ApprovalKind } from '../../domain/host/approvals.js';

/** The version of the file that this version of Gnomon reads and writes. */
const VERSION = 1;
/** In the list of what was taken over: nothing is taken over any more, as what was revoked since is not known. */
const EVERYTHING = '*';

const entry = z.looseObject({ kind: z.string(), subject: z.string(), workspace: z.optional(z.string()), value: z.unknown() });
const content = z.looseObject({ version: z.literal(VERSION), takenOver: z.array(z.string()), entries: z.array(entry) });

/** An approval as it is in the file. Keys that only other versions know stay. */
type Entry = z.infer<typeof entry>;

/** Content of the file: entries, the newest first, and the approvals migrated from memory. */
export type LedgerContent = z.infer<typeof content>;

/** Of a text that is not a ledger: broken, or written by a later version. */
export type LedgerProblem = 'damaged' | 'newer';

/** Selection of approvals in a file by kind and workspace. */
export interface Selection<Value> {
  readonly kind: ApprovalKind<Value>;
  /** Names the workspace, for a kind of which each has its own. */
  readonly workspace: string;
}

/** Approvals that versions before the file kept. */
export interface TakenOver<Value> extends Selection<Value> {
  /** Names where they were kept, so that they are taken over once. */
  readonly mark: string;
  readonly values: readonly Value[];
}

/** The ledger of a user who has approved nothing. */
export const EMPTY_LEDGER: LedgerContent = { version: VERSION, takenOver: [], entries: [] };

/** New ledger after a damaged one. Approvals of earlier versions are not migrated again: some may have been revoked in the damaged one. */
export const LEDGER_AFTER_DAMAGE: LedgerContent = { ...EMPTY_LEDGER, takenOver: [EVERYTHING] };

const newer = z.looseObject({ version: z.number().check(z.gt(VERSION)) });

/** Reads the text of a ledger. */
export function parseLedger(text: string): LedgerContent | LedgerProblem {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'damaged';
  }
  const { data } = content.safeParse(json);
  return data ?? (newer.safeParse(json).success ? 'newer' : 'damaged');
}

/** The text of a ledger. */
export function ledgerText(ledger: LedgerContent): string {
  return `${JSON.stringify(ledger, undefined, 1)}\n`;
}

/** The approvals of a kind that can be read. */
export function valuesIn<Value>({ entries }: LedgerContent, selection: Selection<Value>): readonly Value[] {
  return readable(entries, selection).map(({ value }) => value);
}

/** A ledger with other approvals of a kind; the same when there is nothing to change. Entries of other versions that cannot be read stay as they are. */
export function changedLedger<Value>(
  ledger: LedgerContent,
  selection: Selection<Value>,
  change: (approvals: readonly Value[]) => readonly Value[],
): LedgerContent {
  const before = readable(ledger.entries, selection);
  const values = before.map(({ value }) => value);
  const after = change(values);
  if (after.length === values.length && after.every((value, index) => value === values[index])) return ledger;
  const kept = new Map<Value, Entry>(before.map(({ value, entry: own }) => [value, own]));
  const written = distinct(after.map((value) => kept.get(value) ?? entryOf(value, selection)));
  const subjects = new Set(written.map(({ subject }) => subject));
  const replaced = new Set(before.map(({ entry: own }) => own));
  const others = ledger.entries.filter((each) => !replaced.has(each) && !(isOf(each, selection) && subjects.has(each.subject)));
  return { ...ledger, entries: within([...written, ...others], selection.kind) };
}

/** A ledger with what earlier versions kept behind what it has; the same when that was taken over before. */
export function withTakenOver<Value>(ledger: LedgerContent, { mark, values, ...selection }: TakenOver<Value>): LedgerContent {
  const { takenOver } = ledger;
  if (takenOver.includes(mark) || takenOver.includes(EVERYTHING)) return ledger;
  return { ...changedLedger(ledger, selection, (own) => [...own, ...values]), takenOver: [...takenOver, mark] };
}

interface ReadEntry<Value> {
  readonly entry: Entry;
  readonly value: Value;
}

function readable<Value>(entries: readonly Entry[], selection: Selection<Value>): readonly ReadEntry<Value>[] {
  return entries.flatMap((each) => {
    const value = isOf(each, selection) ? selection.kind.read(each.value) : undefined;
    return value === undefined ? [] : [{ entry: each, value }];
  });
}

function isOf({ kind, workspace }: Entry, selection: Selection<unknown>): boolean {
  return kind === selection.kind.name && workspace === (selection.kind.perWorkspace ? selection.workspace : undefined);
}

function entryOf<Value>(value: Value, { kind, workspace }: Selection<Value>): Entry {
  return { kind: kind.name, subject: kind.subjectOf(value), ...(kind.perWorkspace ? { workspace } : {}), value };
}

/** The first of those about the same. */
function distinct(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ subject }) => !seen.has(subject) && seen.add(subject));
}

function within(entries: readonly Entry[], { name, most }: ApprovalKind<unknown>): Entry[] {
  let count = 0;
  return entries.filter(({ kind }) => kind !== name || (count += 1) <= most);
}
