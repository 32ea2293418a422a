import { fromForeign, toForeign } from './foreign-names.js';
import { interpret, type SaidByHook } from './answer.js';
import { merge } from './merge.js';
import { type Matches, readMatcher } from './matcher.js';
import { Places } from '../concurrency/places.js';
import type { HookDefinition, HookHandler } from '../domain/hook/definition.js';
import type { HookContext, HookEvent, HookInput } from '../domain/hook/event.js';
import type { Hooks } from '../domain/hook/hooks.js';
import { noHooks } from '../domain/hook/outcome.js';
import type { HookAnswer, HookRunner } from '../domain/hook/runner.js';

/** Hooks that run at a time, in all sessions: each is a process, and a machine has only so much room. */
const MAX_AT_ONCE = 16;

/** A tool call, for the conditions of hooks. */
export interface HookedCall {
  /** Gnomon's name of the tool. */
  readonly tool: string;
  readonly args: unknown;
}

/** Dependencies of {@link createHooks}. */
export interface HooksDeps {
  /** The hooks that may run now, in the order in which they are registered: those that need an approval have it. */
  readonly definitions: () => readonly HookDefinition[];
  readonly runner: HookRunner;
  /** Whether a permission rule is about a call; `undefined` when that cannot be told. */
  readonly matchesRule: (rule: string, call: HookedCall) => boolean | undefined;
}

/** Makes what runs hooks. What each has matched, run, and said is in the outcome. */
export function createHooks({ definitions, runner, matchesRule }: HooksDeps): Hooks {
  const places = new Places(MAX_AT_ONCE);
  /** Hooks that run once in a session and have, by session. */
  const done = new Map<string, Set<string>>();
  const isDone = (hook: HookDefinition, session: string): boolean => {
    if (hook.once !== true) return false;
    const ran = done.get(session) ?? new Set();
    done.set(session, ran);
    const key = handlerKey(hook);
    if (ran.has(key)) return true;
    ran.add(key);
    return false;
  };
  return {
    async run(event, context, signal) {
      const all = definitions().filter((hook) => hook.event === event.hook_event_name);
      if (all.length === 0) return noHooks(event.hook_event_name);
      const told = toldOf(event, context);
      const matching = withoutRepeated(all.filter((hook) => isHit(hook, told, matchesRule) && !isDone(hook, context.session_id)));
      const input = JSON.stringify(told.input);
      const said = matching.map(async (hook): Promise<SaidByHook> => interpret(hook, await places.use(() => start(hook, input, told.input.cwd), signal).catch(aborted)));
      const outcome = merge(event.hook_event_name, await Promise.all(said));
      if (event.hook_event_name === 'SessionEnd') done.delete(context.session_id);
      if (outcome.rewritten === undefined || told.call === undefined) return outcome;
      return { ...outcome, rewritten: { ...outcome.rewritten, input: fromForeign(told.call.tool, outcome.rewritten.input) } };

      function start(hook: HookDefinition, text: string, cwd: string): Promise<HookAnswer> {
        return runner.run({ handler: hook.handler, input: text, timeoutMs: hook.timeoutMs, cwd, variables: variablesFor(hook, cwd) }, signal);
      }
    },
  };
}

/** A hook that did not get a place before the turn was stopped. */
function aborted(): HookAnswer {
  return { type: 'aborted', durationMs: 0 };
}

/** What hooks are told of an event. */
interface Told {
  readonly input: HookInput;
  /** What matchers are compared with; absent where they do not count. */
  readonly names?: readonly string[];
  readonly call?: HookedCall;
}

function toldOf(event: HookEvent, context: HookContext): Told {
  if ('tool_name' in event) {
    const call = { tool: event.tool_name, args: event.tool_input };
    const foreign = toForeign(call.tool, call.args, context.cwd);
    return { input: { ...context, ...event, tool_name: foreign.name, tool_input: foreign.input }, names: [foreign.name, ...foreign.others], call };
  }
  const input = { ...context, ...event };
  switch (event.hook_event_name) {
    case 'SessionStart':
      return { input, names: [event.source] };
    case 'SessionEnd':
      return { input, names: [event.reason] };
    case 'PreCompact':
    case 'PostCompact':
      return { input, names: [event.trigger] };
    case 'Notification':
      return { input, names: [event.notification_type] };
    case 'SubagentStart':
    case 'SubagentStop':
      return { input, names: [event.agent_type] };
    default:
      return { input };
  }
}

const matchers = new Map<string, Matches>();

/** Matchers that are kept read. */
const MAX_MATCHERS = 500;

/** Whether a hook is for an event. What cannot be told counts as a hit: a guard is not passed over because its file is odd. */
function isHit({ matcher, condition }: HookDefinition, { names, call }: Told, matchesRule: HooksDeps['matchesRule']): boolean {
  if (names !== undefined && matcherFor(matcher)(names) === false) return false;
  return condition === undefined || call === undefined || matchesRule(condition, call) !== false;
}

function matcherFor(matcher = ''): Matches {
  const known = matchers.get(matcher) ?? readMatcher(matcher);
  if (matchers.size < MAX_MATCHERS) matchers.set(matcher, known);
  return known;
}

/** The same handler in several files runs once. */
function withoutRepeated(hooks: readonly HookDefinition[]): readonly HookDefinition[] {
  const seen = new Set<string>();
  return hooks.filter((hook) => {
    const key = handlerKey(hook);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function handlerKey({ event, matcher, handler, condition }: HookDefinition): string {
  return JSON.stringify([event, matcher ?? '', condition ?? '', sorted(handler)]);
}

function sorted(handler: HookHandler): unknown {
  return Object.entries(handler).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Variables by which scripts find their files (code.claude.com/docs/en/hooks, "Environment variables"). */
function variablesFor({ origin, event }: HookDefinition, cwd: string): Readonly<Record<string, string>> {
  const folder = origin.folder ?? cwd;
  return { CLAUDE_PROJECT_DIR: folder, GNOMON_PROJECT_DIR: folder, GNOMON_HOOK_EVENT: event };
}
