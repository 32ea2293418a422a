import * as z from 'zod/mini';
import { HOOK_EVENTS } from '../../domain/hook/event.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import { present } from '../../domain/present.js';
import { EXIT, Impossible } from '../exit.js';
import { type ControlBody, objectIn } from './control.js';

/** What `initialize` says about the session, beside what the driving program brings: as flags of the same names do. */
export interface InitializeWish {
  readonly systemPrompt?: string;
  readonly appendedPrompt?: string;
  readonly schema?: JsonSchema;
  readonly title?: string;
  /** Why fields have no effect, as sentences. */
  readonly notes: readonly string[];
}

/** Hooks that a program may have in all. */
const MAX_HOOKS = 1_000;

/** The fields that are followed, with what they can be. */
const FOLLOWED: Readonly<Record<string, z.ZodMiniType>> = {
  hooks: z
    .record(
      z.string(),
      z.array(
        z.looseObject({
          hookCallbackIds: z.array(z.string()),
          matcher: z.optional(z.nullable(z.string())),
          timeout: z.optional(z.number()),
          onFailure: z.optional(z.enum(['block', 'continue'])),
        }),
      ),
    )
    .check(
      z.refine((hooks) => {
        const groups = Object.values(hooks).flat();
        return groups.reduce((count, { hookCallbackIds }) => count + hookCallbackIds.length, 0) <= MAX_HOOKS;
      }),
    ),
  sdkMcpServers: z.array(z.string()),
  mcpServers: z.record(z.string(), z.looseObject({})),
  systemPrompt: z.union([z.string(), z.array(z.string())]),
  appendSystemPrompt: z.string(),
  jsonSchema: z.record(z.string(), z.unknown()),
  title: z.string(),
};

/** Fields that neither restrict nor loosen what may be done, and why they have no effect. */
const NEUTRAL: Readonly<Record<string, string>> = {
  planModeInstructions: 'the mode “plan” has instructions of its own',
  promptSuggestions: 'no prompts are suggested',
  agentProgressSummaries: 'there are no agents that work for others',
  forwardSubagentText: 'there are no agents that work for others',
  perTaskStopAffordance: 'commands in the background outlast an interrupt in any case',
  supportedDialogKinds: 'there are no such dialogs',
  excludeDynamicSections: 'what differs between users stands behind the system prompt',
};
/** Fields that save a client requests, and are not needed. */
const SILENT: readonly string[] = ['subtype', 'systemPromptSnapshot', 'sdkMcpServerManifests', 'sdkMcpServerManifestsOrigin'];

/**
 * Reads the request `initialize`.
 * @throws Impossible that names a field which cannot be followed and could restrict what may be done, or that is not what it has to be: nothing
 * may be run then
 */
export function readInitialize(request: ControlBody): InitializeWish {
  const given = Object.entries(request).filter(([name, value]) => !SILENT.includes(name) && !isEmpty(name, value));
  for (const [name, value] of given) {
    const shape = Object.hasOwn(FOLLOWED, name) ? FOLLOWED[name] : undefined;
    if (shape === undefined && !Object.hasOwn(NEUTRAL, name))
      throw refused(`the field “${name}” is not followed by Gnomon, and could restrict what may be done, so nothing was run.`);
    if (shape !== undefined && !z.safeParse(shape, value).success) throw refused(`the field “${name}” is not what it has to be, so nothing was run.`);
  }
  const { systemPrompt, appendSystemPrompt, jsonSchema, title } = Object.fromEntries(given) as {
    readonly [Name in 'systemPrompt' | 'appendSystemPrompt' | 'title']?: string;
  } & { readonly jsonSchema?: JsonSchema };
  const prompt = [systemPrompt ?? []].flat().filter((part) => part !== '');
  return {
    ...(prompt.length === 0 ? {} : { systemPrompt: prompt.join('\n\n') }),
    ...present({ appendedPrompt: appendSystemPrompt, schema: jsonSchema, title }),
    notes: [
      ...given.flatMap(([name]) => (Object.hasOwn(NEUTRAL, name) ? [`In initialize, “${name}” has no effect in Gnomon: ${NEUTRAL[name] ?? ''}.`] : [])),
      ...eventsWithoutCalls(request['hooks']).map((event) => `In initialize, the hooks for “${event}” have no effect in Gnomon: they are never called.`),
    ],
  };
}

/**
 * The events of hooks at which no function is called: those that there are not, and the end of a session, which comes when the
 * input has ended and nothing can be answered any more.
 * @param hooks as `initialize` has them
 */
export function eventsWithoutCalls(hooks: unknown): readonly string[] {
  const called = HOOK_EVENTS.filter((event) => event !== 'SessionEnd');
  return Object.keys(objectIn(hooks)).filter((event) => !called.some((each) => each === event));
}

/** Whether nothing is asked for by it. An empty list of skills asks for none of them. */
function isEmpty(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0 && name !== 'skills';
}

function refused(why: string): Impossible {
  return new Impossible(`In initialize, ${why}`, EXIT.usage);
}
