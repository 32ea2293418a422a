import * as z from 'zod/mini';
import { HOOK_EVENTS, type HookEventName } from '../../domain/hook/event.js';
import { PERMISSION_MODES } from '../../domain/tool/permission.js';
import { InvalidInputError, MessageParseError } from './errors.js';
import type { HookInput, HookMatcher, Hooks } from './hooks.js';
import type { JsonObject } from './parse-message.js';
import { problemOf } from './problem.js';

/** Fields by their names. */
type Shape = Readonly<Record<string, z.ZodMiniType>>;

const open = z.record(z.string(), z.unknown());
const text = z.exactOptional(z.string());
const request = z.looseObject({ callback_id: z.string(), input: open });

const base = {
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  permission_mode: z.enum(PERMISSION_MODES),
  agent_id: text,
  agent_type: text,
};
const call = { tool_name: z.string(), tool_input: open, tool_use_id: z.string() };
const stop = { stop_hook_active: z.boolean(), last_assistant_message: text };
const trigger = z.enum(['manual', 'auto']);

/** What is told in each event, beside what is told in all of them. */
const FIELDS: { readonly [Event in HookEventName]: Shape } = {
  PreToolUse: call,
  PreSkillShellCommand: { ...call, command_name: z.string(), invoked_by: z.enum(['user', 'claude', 'other']) },
  PermissionRequest: call,
  PostToolUse: { ...call, tool_response: z.unknown() },
  PostToolUseFailure: { ...call, error: z.string() },
  Notification: { message: z.string(), title: text, notification_type: z.enum(['permission_prompt', 'idle_prompt']) },
  UserPromptSubmit: { prompt: z.string() },
  SessionStart: { source: z.enum(['startup', 'resume', 'clear', 'compact']), model: text },
  SessionEnd: { reason: z.enum(['clear', 'prompt_input_exit', 'other']) },
  Stop: stop,
  SubagentStart: { agent_id: z.string(), agent_type: z.string() },
  SubagentStop: { ...stop, agent_id: z.string(), agent_type: z.string(), agent_transcript_path: z.string() },
  PreCompact: { trigger, custom_instructions: z.string() },
  PostCompact: { trigger },
};

const said = {
  continue: z.optional(z.boolean()),
  stopReason: z.optional(z.string()),
  systemMessage: z.optional(z.string()),
  suppressOutput: z.optional(z.boolean()),
};
const blocking = { decision: z.optional(z.literal('block')), reason: z.optional(z.string()) };
const context = { additionalContext: z.optional(z.string()) };
const judging = { permissionDecision: z.optional(z.enum(['allow', 'deny', 'ask'])), permissionDecisionReason: z.optional(z.string()) };
const updated = { updatedInput: z.optional(open) };
const decision = z.discriminatedUnion('behavior', [
  z.strictObject({ behavior: z.literal('allow'), ...updated }),
  z.strictObject({ behavior: z.literal('deny'), message: z.optional(z.string()) }),
]);

const specific = (event: HookEventName, shape: Shape): Shape => ({
  hookSpecificOutput: z.optional(z.strictObject({ hookEventName: z.literal(event), ...shape })),
});

/** What can be answered in each event, beside what can be in all of them. */
const ANSWERS: { readonly [Event in HookEventName]: Shape } = {
  PreToolUse: specific('PreToolUse', { ...judging, ...updated, ...context }),
  PreSkillShellCommand: specific('PreSkillShellCommand', judging),
  PermissionRequest: specific('PermissionRequest', { decision }),
  PostToolUse: { ...blocking, ...specific('PostToolUse', context) },
  PostToolUseFailure: { ...blocking, ...specific('PostToolUseFailure', context) },
  Notification: {},
  UserPromptSubmit: { ...blocking, ...specific('UserPromptSubmit', context) },
  SessionStart: specific('SessionStart', context),
  SessionEnd: {},
  Stop: blocking,
  SubagentStart: specific('SubagentStart', context),
  SubagentStop: blocking,
  PreCompact: blocking,
  PostCompact: {},
};

/** A hook under its id, which is all that the program knows of it. */
interface Registered {
  readonly event: HookEventName;
  readonly callback: (input: HookInput, context: { readonly signal: AbortSignal }) => unknown;
}

/** The hooks of a run: what `initialize` says of them, and the calls of them. */
export class HookCallbacks {
  /** What the program gets; `null` for none. */
  readonly wire: JsonObject | null;
  private readonly registered = new Map<string, Registered>();

  /** @param hooks checked, but with any names of events */
  constructor(hooks: Hooks | undefined) {
    const events = Object.entries(hooks ?? {}) as readonly (readonly [HookEventName, readonly HookMatcher[] | undefined])[];
    this.wire =
      events.length === 0 ? null : Object.fromEntries(events.map(([event, matchers = []]) => [event, matchers.map((each) => this.register(event, each))]));
  }

  /**
   * Calls one.
   * @param body the request `hook_callback`
   * @returns its answer
   * @throws MessageParseError for what is no such request, InvalidInputError for an answer that cannot be used, and what the hook throws: the program
   * takes all of it for no answer
   */
  async call(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const asked = z.safeParse(request, body);
    if (!asked.success) throw new MessageParseError('Gnomon’s program calls a hook in a way that cannot be read.', body, problemOf(asked.error.issues).path);
    const { callback_id: id, input } = asked.data;
    const hook = this.registered.get(id);
    if (hook === undefined) throw new InvalidInputError(`There is no hook “${id}”.`);
    const answered: unknown = (await hook.callback(inputOf(hook.event, input), { signal })) ?? {};
    if (!isPlain(answered)) throw new InvalidInputError(`A hook for ${hook.event} gave an answer that is no plain object.`);
    const { data, error } = z.safeParse(outputSchema(hook.event), answered);
    if (data === undefined) throw new InvalidInputError(`A hook for ${hook.event} gave no answer that can be used: ${problemOf(error.issues).problem}.`);
    return data;
  }

  private register(event: HookEventName, { hooks, ...how }: HookMatcher): JsonObject {
    const ids = hooks.map((callback) => {
      const id = `${event}-${this.registered.size + 1}`;
      this.registered.set(id, { event, callback });
      return id;
    });
    return { ...how, hookCallbackIds: ids };
  }
}

/** Whether a value has its fields as its own. Of a map, or of what a class gives, none would be seen. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function inputOf(event: HookEventName, input: JsonObject): HookInput {
  // Events of later versions have fields that are not known.
  const fields = HOOK_EVENTS.includes(event) ? FIELDS[event] : {};
  const { data, error } = z.safeParse(z.looseObject({ ...base, hook_event_name: z.literal(event), ...fields }), input);
  if (data !== undefined) return data as HookInput;
  throw new MessageParseError(`Gnomon’s program tells a hook for ${event} what cannot be read.`, input, problemOf(error.issues).path);
}

function outputSchema(event: HookEventName): z.ZodMiniType<JsonObject> {
  return z.strictObject({ ...said, ...(HOOK_EVENTS.includes(event) ? ANSWERS[event] : {}) });
}
