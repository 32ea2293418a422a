import { present } from '../domain/present.js';
import { type CacheBreak, type Compaction, CACHE_BREAK_REASONS } from '../domain/session/context.js';
import { TASK_KINDS } from '../domain/model/task-kind.js';
import { HOOK_EVENTS } from '../domain/hook/event.js';
import { HOOK_DECISIONS } from '../domain/hook/outcome.js';
import type { FiguresByModel, ModelFigures, Usage } from '../domain/model/usage.js';
import type { LimitReached } from '../domain/model/purse.js';
import { ELF_LIMITS, type ElfLimit, type ElfRun, type ElfTreeState, type StoredElf, type StoredElfLimits } from '../domain/session/elf.js';
import type { HeldBack, HookRecord, PermissionDenial, SessionMeta, SessionParent, StoredRouting, TurnCost } from '../domain/session/session-store.js';
import { isStoredOutcome } from './codec/outcomes.js';
import { isSafeId } from './session-id.js';

/** Version of the sidecar. Fields of later versions are kept when an older one writes. */
const VERSION = 1;

/** The content of a sidecar, `<id>.meta.json`. */
export interface Sidecar {
  readonly meta: SessionMeta;
  /** Fields that this version does not know. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** A sidecar that is not there. */
export const EMPTY_SIDECAR: Sidecar = { meta: {}, unknown: {} };

/** A change of meta fields; `undefined` removes one. */
export type MetaPatch = { readonly [K in keyof SessionMeta]?: SessionMeta[K] | undefined };

type Check<T> = (value: unknown) => T | undefined;

const TITLE_SOURCES: readonly SessionMeta['titleBy'][] = ['person', 'model'];

/** Names of agents in a chat. */
const ELF_NAME = /^agent-\d+$/;

const CHECKS: { readonly [K in keyof Required<SessionMeta>]: Check<Required<SessionMeta>[K]> } = {
  title: text,
  titleBy: (value) => TITLE_SOURCES.find((known) => known === value),
  pinned: (value) => (typeof value === 'boolean' ? value : undefined),
  parent,
  model: text,
  modelChoice: text,
  routings: (value) => recordOf(value, routing, /^(?:0|[1-9]\d{0,8})$/),
  mode: text,
  agent: text,
  elf,
  elfLimits,
  elvesTold: (value) => recordOf(value, index, ELF_NAME),
  elfTrees: (value) => recordOf(value, elfTree, ELF_NAME),
  models: (value) => recordOf(value, text),
  turns: (value) => recordOf(value, turnCost),
  costUsd: spent,
  byModel: figuresByModel,
  interruptedAt: index,
  compactions: (value) => listOf(value, compaction),
  heldBack: (value) => listOf(value, heldBack),
  denials: (value) => listOf(value, denial),
  hookRuns: (value) => listOf(value, hookRun),
  outcomes: (value) => recordOf(value, (outcome) => (isStoredOutcome(outcome) ? outcome : undefined)),
  redacted: (value) => recordOf(value, (positions) => listOf(positions, index)),
};

/**
 * Reads a sidecar. A field of the wrong kind counts as missing.
 * @throws SyntaxError or TypeError when it is no JSON object.
 */
export function parseSidecar(bytes: Uint8Array): Sidecar {
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  if (!isRecord(value)) throw new TypeError('the sidecar is not an object');
  const own = new Set(['version', ...Object.keys(CHECKS)]);
  const unknown = Object.fromEntries(Object.entries(value).filter(([key]) => !own.has(key)));
  return { meta: checkMeta(value), unknown };
}

/** The bytes of a sidecar. */
export function encodeSidecar(sidecar: Sidecar): Uint8Array {
  return Buffer.from(`${JSON.stringify({ version: VERSION, ...sidecar.meta, ...sidecar.unknown }, undefined, 2)}\n`);
}

/** The meta with a change applied; only the change is checked. */
export function patchMeta(meta: SessionMeta, patch: MetaPatch): SessionMeta {
  const kept = Object.entries(meta).filter(([key]) => !Object.hasOwn(patch, key));
  const fields = new Map<string, unknown>([...kept, ...Object.entries(checkMeta(patch))]);
  return Object.fromEntries(Object.keys(CHECKS).flatMap((key) => (fields.has(key) ? [[key, fields.get(key)] as const] : [])));
}

/** The fields of a meta that are of the right kind. */
export function checkMeta(value: Readonly<Record<string, unknown>>): SessionMeta {
  const fields = Object.entries(CHECKS).flatMap(([key, check]: [string, Check<unknown>]) => {
    const checked = Object.hasOwn(value, key) ? check(value[key]) : undefined;
    return checked === undefined ? [] : [[key, checked] as const];
  });
  return Object.fromEntries(fields);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Nothing is ever paid back. */
function spent(value: unknown): number | undefined {
  const known = amount(value);
  return known === undefined || known < 0 ? undefined : known;
}

function index(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function parent(value: unknown): SessionParent | undefined {
  if (!isRecord(value)) return undefined;
  const [id, count] = [text(value['id']), index(value['count'])];
  return id === undefined || count === undefined || !isSafeId(id) ? undefined : { id, count };
}

function elf(value: unknown): StoredElf | undefined {
  if (!isRecord(value)) return undefined;
  const [name, callId, type, task] = ['name', 'callId', 'type', 'task'].map((key) => text(value[key]));
  const runs = listOf(value['runs'], elfRun) ?? [];
  if (name === undefined || callId === undefined || type === undefined || task === undefined || runs.length === 0) return undefined;
  return {
    name,
    callId,
    type,
    task,
    background: value['background'] === true,
    runs,
    ...present({ parent: text(value['parent']), worktree: text(value['worktree']) }),
  };
}

const RUN_STATES: readonly ElfRun['state'][] = ['pending', 'running', 'completed', 'failed', 'cancelled'];

function elfRun(value: unknown): ElfRun | undefined {
  if (!isRecord(value)) return undefined;
  const [state, since] = [RUN_STATES.find((known) => known === value['state']), text(value['since'])];
  if (state === undefined || since === undefined) return undefined;
  const [durationMs, problem, limit] = [amount(value['durationMs']), text(value['problem']), limitReached(value['limit'])];
  const byUser = value['byUser'] === true ? (true as const) : undefined;
  return { state, since, rounds: index(value['rounds']) ?? 0, ...present({ durationMs, problem, limit, byUser }) };
}

const LIMITS: readonly LimitReached['limit'][] = ['money', 'tokens', 'requests', 'turns'];

function limitReached(value: unknown): LimitReached | undefined {
  if (!isRecord(value)) return undefined;
  const [limit, most] = [LIMITS.find((known) => known === value['limit']), spent(value['value'])];
  if (limit === undefined || most === undefined) return undefined;
  const unknown = (['price', 'cost'] as const).find((known) => known === value['unknown']);
  const of = value['of'] === 'agents' ? ('agents' as const) : undefined;
  return { limit, value: most, used: spent(value['used']), whose: value['whose'] === 'own' ? 'own' : 'parent', ...present({ of, unknown }) };
}

/** More than any user raises a limit of agents to, and than a chat counts: what a file says beyond it would be no limit. */
const MOST_RAISED = 1e10;
const MOST_COUNTED = 10_000;

function raisedTo(value: unknown): number | undefined {
  const known = spent(value);
  return known === undefined || known > MOST_RAISED ? undefined : known;
}

function counted(value: unknown): number | undefined {
  const known = index(value);
  return known === undefined || known > MOST_COUNTED ? undefined : known;
}

function elfLimits(value: unknown): StoredElfLimits | undefined {
  if (!isRecord(value)) return undefined;
  const [raised, refused, answered] = [byLimit(value['raised'], raisedTo), byLimit(value['refused'], counted), byLimit(value['answered'], counted)];
  return present({ raised, refused, answered });
}

function byLimit(value: unknown, check: Check<number>): Partial<Record<ElfLimit, number>> | undefined {
  if (!isRecord(value)) return undefined;
  return present(Object.fromEntries(ELF_LIMITS.map((limit) => [limit, check(value[limit])])));
}

function elfTree(value: unknown): ElfTreeState | undefined {
  if (!isRecord(value)) return undefined;
  const { applied } = value;
  return present({ changed: index(value['changed']), conflicts: index(value['conflicts']), applied: typeof applied === 'boolean' ? applied : undefined });
}

const ROUTINGS: readonly StoredRouting['type'][] = ['chosen', 'ask', 'kept'];

/** The rest is checked where it is shown: it has many parts, and is seldom looked at. */
function routing(value: unknown): StoredRouting | undefined {
  if (!isRecord(value)) return undefined;
  const type = ROUTINGS.find((known) => known === value['type']);
  const [kind, corrected] = ['kind', 'corrected'].map((key) => TASK_KINDS.find((known) => known === value[key]));
  return type === undefined || kind === undefined ? undefined : present({ ...value, type, kind, corrected });
}

function turnCost(value: unknown): TurnCost | undefined {
  if (!isRecord(value)) return undefined;
  const [durationMs, costUsd, lost] = [amount(value['durationMs']), amount(value['costUsd']), cacheBreak(value['cacheBreak'])];
  return durationMs === undefined ? undefined : { durationMs, ...present({ costUsd, cacheBreak: lost }) };
}

function cacheBreak(value: unknown): CacheBreak | undefined {
  if (!isRecord(value)) return undefined;
  const tokens = index(value['tokens']);
  const reason = CACHE_BREAK_REASONS.find((known) => known === value['reason']);
  return tokens === undefined || reason === undefined ? undefined : { reason, tokens };
}

function figuresByModel(value: unknown): FiguresByModel | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).flatMap(([model, item]) => {
    const checked = modelFigures(item);
    return checked === undefined ? [] : [[model, checked] as const];
  });
  return Object.fromEntries(entries);
}

function modelFigures(value: unknown): ModelFigures | undefined {
  if (!isRecord(value)) return undefined;
  const [used, requests, searches] = [usage(value['usage']), index(value['requests']), index(value['webSearchRequests'])];
  if (used === undefined || requests === undefined) return undefined;
  return { usage: used, costUsd: spent(value['costUsd']), requests, ...present({ webSearchRequests: searches }) };
}

function usage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, hour] = USAGE_FIELDS.map((field) => index(value[field]));
  if (inputTokens === undefined || outputTokens === undefined || cacheReadTokens === undefined || cacheWriteTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, ...present({ hourCacheWriteTokens: hour }) };
}

const USAGE_FIELDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'hourCacheWriteTokens'] as const satisfies readonly (keyof Usage)[];

const TRIGGERS: readonly Compaction['trigger'][] = ['manual', 'auto', 'context_length'];

function compaction(value: unknown): Compaction | undefined {
  if (!isRecord(value)) return undefined;
  const [upTo, at, before, after] = ['upTo', 'at', 'tokensBefore', 'tokensAfter'].map((key) => index(value[key]));
  const [summary, createdAt] = [text(value['summary']), text(value['createdAt'])];
  const trigger = TRIGGERS.find((known) => known === value['trigger']);
  if (upTo === undefined || summary === undefined || createdAt === undefined || trigger === undefined) return undefined;
  const underWay = text(value['underWay']);
  return { upTo, at: at ?? upTo, summary, trigger, createdAt, tokensBefore: before ?? 0, tokensAfter: after ?? 0, ...present({ underWay }) };
}

function heldBack(value: unknown): HeldBack | undefined {
  if (!isRecord(value)) return undefined;
  const [from, to] = [index(value['from']), index(value['to'])];
  return from === undefined || to === undefined || from >= to ? undefined : { from, to };
}

function denial(value: unknown): PermissionDenial | undefined {
  if (!isRecord(value)) return undefined;
  const [toolName, toolCallId, why] = [text(value['toolName']), text(value['toolCallId']), text(value['reason'])];
  if (toolName === undefined || toolCallId === undefined || why === undefined) return undefined;
  return { toolName, toolCallId, reason: why };
}

function hookRun(value: unknown): HookRecord | undefined {
  if (!isRecord(value)) return undefined;
  const [toolCallId, by, reason, durationMs] = [text(value['toolCallId']), text(value['by']), text(value['reason']), amount(value['durationMs'])];
  const event = HOOK_EVENTS.find((known) => known === value['event']);
  const decision = HOOK_DECISIONS.find((known) => known === value['decision']);
  if (toolCallId === undefined || by === undefined || event === undefined || decision === undefined) return undefined;
  const marks = { ...(value['failed'] === true ? { failed: true as const } : {}), ...(value['rewrote'] === true ? { rewrote: true as const } : {}) };
  return { toolCallId, event, by, decision, durationMs: durationMs ?? 0, ...marks, ...present({ reason }) };
}

function listOf<T>(value: unknown, check: Check<T>): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map((item: unknown) => check(item)).filter((item) => item !== undefined);
}

/** @param keys which keys count. Default: indexes of messages. */
function recordOf<T>(value: unknown, check: Check<T>, keys = /^\d+$/): Readonly<Record<string, T>> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const checked = keys.test(key) ? check(item) : undefined;
    return checked === undefined ? [] : [[key, checked] as const];
  });
  return Object.fromEntries(entries);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
