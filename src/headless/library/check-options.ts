import * as z from 'zod/mini';
import { THINKING_EFFORTS } from '../../domain/model/effort.js';
import { HOOK_EVENTS } from '../../domain/hook/event.js';
import { PERMISSION_MODES } from '../../domain/tool/permission.js';
import { InvalidInputError } from './errors.js';
import type { Options } from './options.js';
import { problemOf } from './problem.js';
import { TOOL_NAME } from './tools.js';

const texts = z.array(z.string().check(z.minLength(1)));
const text = z.string().check(z.minLength(1));
const callback = z.custom((value) => typeof value === 'function');
const variables = z.record(z.string(), z.string());
const whole = z.number().check(z.refine((value) => Number.isSafeInteger(value) && value >= 1));
const flagName = z.string().check(z.regex(/^[a-zA-Z][\w-]*$/));

const server = z.union([
  z.strictObject({ type: z.optional(z.literal('stdio')), command: text, args: z.optional(z.array(z.string())), env: z.optional(variables) }),
  z.strictObject({ type: z.enum(['http', 'sse']), url: text, headers: z.optional(variables) }),
  z.strictObject({ type: z.literal('sdk'), name: text }),
]);

const hooks = z.array(
  z.strictObject({
    matcher: z.optional(z.string()),
    hooks: z.array(callback).check(z.minLength(1)),
    timeout: z.optional(z.number().check(z.gt(0))),
    onFailure: z.optional(z.enum(['block', 'continue'])),
  }),
);

const toolServer = z.looseObject({ name: z.string().check(z.regex(TOOL_NAME)), handleMessage: callback, close: callback });

function isMiswritten(name: string): boolean {
  return HOOK_EVENTS.some((event) => event !== name && event.toLowerCase() === name.trim().replaceAll(/[-_ ]/g, '').toLowerCase());
}

/** A check for each option: one that is new has to be added here. An option that is `undefined` is one that is left out. */
const SHAPE: { readonly [Name in keyof Required<Options>]: z.ZodMiniType } = {
  allowedTools: texts,
  disallowedTools: texts,
  tools: texts,
  model: text,
  effort: z.enum(THINKING_EFFORTS),
  maxTurns: whole,
  maxBudgetUsd: z.number().check(z.gte(0)),
  systemPrompt: z.union([
    z.string(),
    z.strictObject({ type: z.literal('preset'), preset: z.optional(z.enum(['gnomon', 'claude_code'])), append: z.optional(z.string()) }),
  ]),
  permissionMode: z.enum([...PERMISSION_MODES, 'auto', 'manual', 'dontAsk']),
  allowDangerouslySkipPermissions: z.boolean(),
  canUseTool: callback,
  // Of which events there are, later versions of the program know more; one that is only written in another way is a mistake that would guard nothing.
  hooks: z.record(
    z.string().check(z.refine((name) => !isMiswritten(name), { error: 'is no event, but differs from one in how it is written' })),
    z.optional(hooks),
  ),
  agent: text,
  continueConversation: z.boolean(),
  resume: text,
  forkSession: z.boolean(),
  sessionId: text,
  sessionStorage: z.enum(['own', 'vscode']),
  includePartialMessages: z.boolean(),
  cwd: text,
  addDirs: texts,
  settings: z.union([text, z.record(z.string(), z.unknown())]),
  settingSources: z.array(z.enum(['user', 'project', 'local'])),
  trustProject: z.boolean(),
  mcpServers: z.union([text, z.record(z.string(), server)]),
  toolServers: z.array(toolServer),
  strictMcpConfig: z.boolean(),
  env: z.record(z.string(), z.optional(z.string())),
  user: z.number().check(z.gte(0)),
  maxBufferSize: whole,
  stderr: callback,
  extraArgs: z.record(flagName, z.nullable(z.string())),
  signal: z.custom((value) => value instanceof AbortSignal),
  abortController: z.custom((value) => value instanceof AbortController),
  cliPath: text,
  transport: callback,
};

const schema = z.strictObject(Object.fromEntries(Object.entries(SHAPE).map(([name, check]) => [name, z.optional(check)])));

/** @throws InvalidInputError that names the option which is not known, or wrong. @param names of those that there are; left out: all */
export function check(options: Options, names?: readonly (keyof Options)[]): void {
  const checked = names === undefined ? schema : z.pick(schema, Object.fromEntries(names.map((name) => [name, true])));
  const { error } = z.safeParse(checked, options);
  if (error !== undefined) throw new InvalidInputError(`The options cannot be used: ${problemOf(error.issues).problem}.`);
}

/** @throws InvalidInputError that names the option which is not known, wrong, or contradicts another */
export function checkOptions(options: Options): void {
  check(options);
  checkServers(options);
  const { resume, continueConversation = false, forkSession = false, sessionId } = options;
  const goesOn = resume !== undefined || continueConversation;
  if (resume !== undefined && continueConversation) throw new InvalidInputError('The options resume and continueConversation contradict each other.');
  if (forkSession && !goesOn) throw new InvalidInputError('The option forkSession needs resume or continueConversation.');
  if (sessionId !== undefined && goesOn && !forkSession)
    throw new InvalidInputError('The option sessionId is for a new session: use it without resume and continueConversation, or with forkSession.');
}

/** @throws InvalidInputError for two servers of one name, and for one that is named and not there */
function checkServers({ toolServers = [], mcpServers }: Options): void {
  const names = toolServers.map(({ name }) => name);
  const [twice] = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new InvalidInputError(`The option toolServers has two servers with the name “${twice}”.`);
  for (const config of Object.values(typeof mcpServers === 'object' ? mcpServers : {}))
    if (config.type === 'sdk' && !names.includes(config.name))
      throw new InvalidInputError(`The option mcpServers names the server “${config.name}”, which is not among toolServers.`);
}
