import { present } from '../domain/present.js';
import { resolve } from 'node:path';
import { AbortError, errorMessage } from '../domain/errors.js';
import { type HookDefinition, type HookHandler, hookName } from '../domain/hook/definition.js';
import type { HookContext, HookEvent, HookEventName } from '../domain/hook/event.js';
import type { HookScope, HookSession } from '../domain/hook/hooks.js';
import type { HookOutcome } from '../domain/hook/outcome.js';
import type { HookAnswer, HookRunner } from '../domain/hook/runner.js';
import type { Log } from '../domain/log.js';
import { Slots } from '../concurrency/slots.js';
import { type HookResult, type KeepText, interpretAnswer } from './answer.js';
import { inputText, vocabularyOf } from './foreign-input.js';
import { callIn, toGnomon } from './foreign-names.js';
import { type HookedCall, hitsOf } from './hits.js';
import { Matchers } from './matcher.js';
import type { HookTrial } from './hook-trial.js';
import { type MergedResult, mergeResults } from './merge.js';
import { canonicalText } from './plain-json.js';

/** Hooks that run at a time, in all sessions: each is a process, and a machine has only so much room. */
const MAX_AT_ONCE = 16;
/** Milliseconds for all hooks of `SessionEnd` together, and as many as one of them may ask for: the window waits for them. */
const SESSION_END = { usual: 1_500, most: 60_000 };
/** Sessions whose hooks that run once are remembered. */
const MAX_SESSIONS = 200;
/** Notices that are remembered, of all sessions together. */
const MAX_NOTICED = 2_000;

/** The runner of hooks, and the registry that says which approved hooks an event has in a session. */
export interface HooksDeps {
  /**
   * The hooks for an event that may run now, in the order in which they are registered: those that need an approval have it.
   * @param scope what the session uses; the hooks of that come last
   */
  readonly definitionsFor: (event: HookEventName, scope: HookScope) => Promise<readonly HookDefinition[]>;
  readonly runner: HookRunner;
  /** Whether a permission rule is about a call; `undefined` when that cannot be decided. */
  readonly matchesRule: (rule: string, call: HookedCall) => boolean | undefined;
  /** Why a hook may not call an address, as a sentence for users; absent or `undefined`: it may. */
  readonly forbids?: (url: string) => string | undefined;
  /** Where texts go that are too long for the model; without it, what is left out is lost. */
  readonly keep?: KeepText;
  readonly log?: Log;
  /** Milliseconds since 1970; the clock of the machine unless given. */
  readonly now?: () => number;
}

/** Something that happened, and in which session. */
export interface Happening {
  readonly event: HookEvent;
  readonly context: HookContext;
  /** Called with the hooks that start. */
  readonly started?: HookSession['started'];
  /** The hooks that can allow something. Default: each can. */
  readonly allowing?: readonly HookDefinition[] | undefined;
}

/** Runs hooks, and remembers what they did in which session. */
export class RunningHooks {
  private readonly slots = new Slots(MAX_AT_ONCE);
  private readonly matchers = new Matchers();
  /** Hooks that run once in a session and have, by session. */
  private readonly done = new Map<string, Set<string>>();
  /** Notices that were given, by session and hook. */
  private readonly noticed = new Set<string>();

  constructor(private readonly deps: HooksDeps) {}

  async run(registered: readonly HookDefinition[], happening: Happening, signal: AbortSignal): Promise<HookOutcome> {
    const { event, context } = happening;
    const { hooks, notices } = hitsOf(registered, event, { matchers: this.matchers, matchesRule: this.deps.matchesRule });
    for (const { by, text } of notices) this.deps.log?.warn(`${by}: ${text}`);
    const due = this.due(withoutRepeated(hooks, context.cwd), context.session_id);
    if (due.length > 0) happening.started?.(due);
    const results = await Promise.all(due.map((hook) => this.result(hook, happening, { signal, hooks: due })));
    if (event.hook_event_name === 'SessionEnd') this.done.delete(context.session_id);
    const allowing = happening.allowing && new Set(happening.allowing.map(keyOf));
    const outcome = mergeResults(event.hook_event_name, results, (hook) => allowing?.has(keyOf(hook)) !== false);
    return notices.length === 0 ? outcome : { ...outcome, messages: [...notices, ...outcome.messages] };
  }

  /** The hooks for an event. */
  matching(registered: readonly HookDefinition[], event: HookEvent): readonly HookDefinition[] {
    return hitsOf(registered, event, { matchers: this.matchers, matchesRule: this.deps.matchesRule }).hooks;
  }

  /** Runs a hook whether it matches or not, and whether it ran before or not. */
  async tryOut(hook: HookDefinition, happening: Happening, signal: AbortSignal): Promise<HookTrial> {
    const { event, context } = happening;
    const matches = this.matching([hook], event).length > 0;
    const result = await this.result(hook, happening, { signal, hooks: [hook] });
    return {
      hook,
      matches,
      input: inputText(hook, event, context, this.deps.now?.() ?? Date.now()),
      run: result.run,
      outcome: mergeResults(event.hook_event_name, [result]),
    };
  }

  private async result(
    hook: HookDefinition,
    happening: Happening,
    { signal, hooks }: { readonly signal: AbortSignal; readonly hooks: readonly HookDefinition[] },
  ): Promise<MergedResult> {
    const answer = await this.answer(hook, happening, { signal, hooks });
    const { input, notice, ...said } = await this.interpreted(hook, answer);
    const result = notice === undefined || !this.isNew(notice, hook, happening.context) ? said : { ...said, messages: [...said.messages, notice] };
    this.deps.log?.info(`Hook ${hookName(hook)}: ${result.run.end}, ${result.run.decision}, ${Math.round(result.run.durationMs)} ms`);
    const { event } = happening;
    if (input === undefined || !('tool_name' in event)) return result;
    return { ...result, input: toGnomon(input, callIn(event), vocabularyOf(hook)) };
  }

  /** Whether a notice is new: the same notice of a hook is shown once in a session. */
  private isNew(notice: string, hook: HookDefinition, { session_id }: HookContext): boolean {
    const key = JSON.stringify([session_id, hookName(hook), notice]);
    if (this.noticed.has(key)) return false;
    if (this.noticed.size >= MAX_NOTICED) this.noticed.clear();
    this.noticed.add(key);
    return true;
  }

  private interpreted(hook: HookDefinition, answer: HookAnswer): Promise<HookResult> {
    const keep: KeepText = async (text, about) => this.deps.keep?.(text, about);
    return interpretAnswer(hook, answer, keep);
  }

  private async answer(
    hook: HookDefinition,
    { event, context }: Happening,
    { signal, hooks }: { readonly signal: AbortSignal; readonly hooks: readonly HookDefinition[] },
  ): Promise<HookAnswer> {
    const why = hook.broken ?? (hook.handler.type === 'http' ? this.deps.forbids?.(hook.handler.url) : undefined);
    if (why !== undefined) return { type: 'not_started', why, durationMs: 0 };
    const cwd = folderOf(hook, context.cwd);
    const budget = event.hook_event_name === 'SessionEnd' ? AbortSignal.timeout(sessionEndMs(hooks)) : undefined;
    const stopped = budget === undefined ? signal : AbortSignal.any([signal, budget]);
    const start = async (): Promise<HookAnswer> => {
      const input = inputText(hook, event, context, this.deps.now?.() ?? Date.now());
      return this.deps.runner.run({ handler: placed(hook.handler, cwd), input, timeoutMs: hook.timeoutMs, cwd, variables: variablesFor(hook, cwd) }, stopped);
    };
    const answer = await this.slots.use(start, stopped).catch(unanswered);
    return answer.type === 'aborted' && !signal.aborted ? { type: 'timed_out', stderr: '', durationMs: answer.durationMs } : answer;
  }

  /** Leaves out those that run once and have. */
  private due(hooks: readonly HookDefinition[], session: string): readonly HookDefinition[] {
    if (hooks.every(({ once }) => once !== true)) return hooks;
    const ran = this.done.get(session) ?? new Set();
    this.done.set(session, ran);
    const [oldest] = this.done.keys();
    if (this.done.size > MAX_SESSIONS && oldest !== undefined) this.done.delete(oldest);
    return hooks.filter((hook) => {
      if (hook.once !== true) return true;
      const key = keyOf(hook);
      const isFirst = !ran.has(key);
      ran.add(key);
      return isFirst;
    });
  }
}

/** Names a hook among all there are. */
function keyOf({ event, matcher, origin, handler }: HookDefinition): string {
  return canonicalText([event, matcher ?? null, origin, handler]);
}

/** A handler whose folder is absolute. */
function placed(handler: HookHandler, folder: string): HookHandler {
  return handler.type === 'command' && handler.cwd !== undefined ? { ...handler, cwd: resolve(folder, handler.cwd) } : handler;
}

/** A hook that did not get a place before it was stopped, or that could not be started because of an unexpected error. */
function unanswered(error: unknown): HookAnswer {
  return error instanceof AbortError ? { type: 'aborted', durationMs: 0 } : { type: 'not_started', why: errorMessage(error), durationMs: 0 };
}

function sessionEndMs(hooks: readonly HookDefinition[]): number {
  return Math.min(SESSION_END.most, Math.max(SESSION_END.usual, ...hooks.map(({ timeoutMs }) => timeoutMs)));
}

/**
 * The same handler in several files runs once, as that of the first file, and fails as the strictest of them says. It runs again where one of them wants that.
 */
function withoutRepeated(hooks: readonly HookDefinition[], cwd: string): readonly HookDefinition[] {
  const chosen = new Map<string, HookDefinition>();
  for (const hook of hooks) {
    const { handler, dialect, foreignEvent, broken } = hook;
    const key = canonicalText([handler, dialect, foreignEvent ?? null, broken ?? null, folderOf(hook, cwd)]);
    const known = chosen.get(key);
    if (known === undefined) chosen.set(key, hook);
    else chosen.set(key, asStrictOf(known, hook));
  }
  return [...chosen.values()];
}

/** Nothing that another file says of a hook makes it guard less: neither is it done with sooner, nor does a failure mean less. */
function asStrictOf(first: HookDefinition, other: HookDefinition): HookDefinition {
  const { once, onFailure, ...rest } = first;
  const failure = strictness(other) > strictness(first) ? other.onFailure : onFailure;
  return { ...rest, ...(once === true && other.once === true ? { once } : {}), ...present({ onFailure: failure }) };
}

/** Without `onFailure`, the default of the event counts, which is never laxer than `continue`. */
function strictness({ onFailure }: HookDefinition): number {
  return onFailure === 'block' ? 2 : onFailure === undefined ? 1 : 0;
}

function folderOf({ origin }: HookDefinition, cwd: string): string {
  return origin.folder ?? cwd;
}

/** Variables by which scripts find their files: code.claude.com/docs/en/hooks, cursor.com/docs/agent/hooks. */
function variablesFor({ event, dialect }: HookDefinition, folder: string): Readonly<Record<string, string>> {
  return { CLAUDE_PROJECT_DIR: folder, GNOMON_PROJECT_DIR: folder, GNOMON_HOOK_EVENT: event, ...(dialect === 'cursor' ? { CURSOR_PROJECT_DIR: folder } : {}) };
}
