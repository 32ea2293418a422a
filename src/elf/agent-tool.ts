import * as z from 'zod/mini';
import { errorMessage, ToolInputError } from '../domain/errors.js';
import { withoutUnseen } from '../domain/hidden-characters.js';
import { present } from '../domain/present.js';
import type { Decision } from '../domain/model/routing.js';
import type { ModelUse } from '../domain/tool/model-use.js';
import type { Tool, ToolSpec } from '../domain/tool/tool.js';
import { formatBytes, formatCost, t } from '../domain/l10n.js';
import { THINKING_EFFORTS, type ThinkingEffort } from '../domain/model/effort.js';
import { defineTool, type Draft, filled, textResult } from '../tool/calls/define.js';
import { type ElfWorktrees, MUCH_ROOM } from './brought.js';
import { wordsFor } from './elf-result.js';
import { AGENT_TOOL, contentOf, type ElfType, GENERAL } from './elf-types.js';
import { type ElfCosts, type UsualCost, usualCost } from './elf-costs.js';
import type { Elves } from './elves.js';

/** Characters of a prompt at most. */
const MAX_PROMPT = 200_000;
/** Characters of what is shown of a task. */
const MAX_TASK = 100;
/** Characters of a description of a type, for the model. */
const MAX_DESCRIPTION = 500;
/** Types that are described to the model; each request carries them. More can be started by their names. */
const MAX_LISTED = 30;

const schema = z.strictObject({
  description: filled,
  prompt: filled,
  agent_type: z.optional(filled),
  model: z.optional(filled),
  effort: z.optional(z.enum(THINKING_EFFORTS)),
  background: z.optional(z.boolean()),
  isolation: z.optional(z.enum(['worktree'])),
  agent_id: z.optional(filled),
});
type Args = z.infer<typeof schema>;

interface State {
  readonly prompt: string;
  readonly effort?: ThinkingEffort;
  readonly type: string;
  /** What that is, see {@link contentOf}. */
  readonly content: string;
  readonly task: string;
  readonly model?: string;
  readonly routing?: Decision;
  /** What the user reads about that model. */
  readonly aboutModel?: string;
  readonly background: boolean;
  /** Whether a new one works in a worktree. */
  readonly isolated?: boolean;
  /** One that is to go on. */
  readonly agent?: string;
}

/** The model that an agent is to have: that of the chat, another one by its name `provider/model`, or one that there is not. */
export type ElfModel =
  | { readonly kind: 'own'; readonly routing?: Decision }
  | {
      readonly kind: 'other';
      /** Present where it was chosen for it. */
      readonly routing?: Decision;
      /** Whether the user has left it to Gnomon to choose models here, so that they are not asked about it. */
      readonly isLeftToUs?: boolean;
      readonly key: string;
      readonly label: string;
      /** Its price beside that of the chat’s. */
      readonly price: 'cheaper' | 'same' | 'dearer' | 'unknown';
      /** Whether somebody else runs it, who gets to see what the agent reads. */
      readonly ofOtherProvider: boolean;
    }
  | { readonly kind: 'missing'; readonly wanted: string };

/** Services of the tool: what can be started, and by whom it is. */
export interface AgentToolDeps {
  readonly elves: Pick<Elves, 'start' | 'tell' | 'find' | 'typeOf'>;
  readonly costs: ElfCosts;
  readonly types: () => readonly ElfType[];
  /** The model that an agent wants, in a session. @param written as a file or a call has it @param prompt what it is to do */
  readonly modelOf: (written: string | undefined, session: string, prompt: string, signal: AbortSignal) => Promise<ElfModel>;
  /** The model that an agent has had, in a session. @param key `provider/model` */
  readonly modelKept: (key: string, session: string) => Promise<ElfModel>;
  readonly worktrees: Pick<ElfWorktrees, 'bytesNeeded'>;
  /** Why the agents of a session get no worktrees of their own, for its model; `undefined` where they can. */
  readonly whyNoWorktree: (session: string) => string | undefined;
}

/** The tool for what can be started now. */
export function createAgentTool(deps: AgentToolDeps): Tool {
  return defineTool<Args, State>({
    spec: specOf(deps.types()),
    schema,
    forms: OTHER_FORMS,
    plan: (args, { sessionId, signal }) => draftOf(args, deps, sessionId, signal),
    execute: async ({ type, agent, aboutModel, ...state }, _plan, { sessionId, callId, signal, ...context }) => {
      const { elves, types } = deps;
      const tell = (line: string): void => context.output(`${line}\n`);
      const work = { ...state, session: sessionId, callId, signal, tell };
      if (aboutModel !== undefined) tell(aboutModel);
      const begun = agent === undefined ? await elves.start({ ...work, type: typeNamed(type, types()) }) : await elves.tell(agent, work);
      if (begun === 'told')
        return textResult(`${agent ?? ''} was told: it gets that with its next request, unless it has ended by then. The tool agents says how it stands.`);
      const { elf, result } = begun;
      if (state.background)
        return textResult(`${elf.name} works in the background. Go on with other things; the tool agents says how it stands, and gets its last message.`);
      const came = await result;
      elf.noteTold();
      const about = came.state === 'completed' ? '' : `\n\n[${elf.name}: to have it go on, call this tool again with agent_id.]`;
      return textResult(`${wordsFor(came, elf.name)}${about}`, came.state !== 'completed');
    },
  });
}

/** What a call is about. @throws ToolInputError for one that cannot be made */
async function draftOf(args: Args, deps: AgentToolDeps, session: string, signal: AbortSignal): Promise<Draft<State>> {
  const { description, prompt, effort, agent_id } = args;
  if (prompt.length > MAX_PROMPT)
    throw new ToolInputError(`The prompt has ${prompt.length} characters, and at most ${MAX_PROMPT} can be. Name files instead of repeating them.`);
  const task = taskOf(description);
  const preview = { kind: 'input', input: prompt } as const;
  if (agent_id !== undefined)
    return { ...(await draftOfGoingOn(agent_id, { task, prompt, background: args.background ?? false }, deps, { session, signal })), preview };
  const type = typeNamed(args.agent_type, deps.types());
  const { uses, ...model } = await modelOfCall(type, await deps.modelOf(args.model ?? type.agent.model, session, prompt, signal), deps);
  const background = type.agent.background ?? args.background ?? false;
  const why = deps.whyNoWorktree(session);
  // What its file says, the model cannot leave out.
  if (args.isolation !== undefined && why !== undefined) throw new ToolInputError(`Not started: ${why} Leave isolation out.`);
  const isolated = why === undefined && (args.isolation ?? type.agent.isolation) === 'worktree';
  const room = isolated ? await roomFor(deps, signal) : undefined;
  return {
    subject: `${type.name}: ${task}`,
    accesses: [{ kind: 'spawn', target: type.name, ...present({ model: uses && model.aboutModel, uses, room }) }],
    preview,
    state: { type: type.name, content: contentOf(type), task, prompt, background, isolated, ...model, ...present({ effort }) },
  };
}

/** What a call is about that tells an agent something more: it goes on with the model that it has, and as its file is by now. */
async function draftOfGoingOn(
  agent: string,
  told: Pick<State, 'task' | 'prompt' | 'background'>,
  deps: AgentToolDeps,
  { session, signal }: { readonly session: string; readonly signal: AbortSignal },
): Promise<Omit<Draft<State>, 'preview'>> {
  const elf = await deps.elves.find(session, agent);
  const type = await deps.elves.typeOf(elf);
  const model = elf.model === undefined ? await deps.modelOf(undefined, session, told.prompt, signal) : await deps.modelKept(elf.model, session);
  const { uses, aboutModel } = await modelOfCall(type, model, deps);
  return {
    subject: `${type.name}: ${told.task}`,
    accesses: [{ kind: 'spawn', target: type.name, ...present({ model: uses && aboutModel, uses }) }],
    state: { type: type.name, content: contentOf(type), ...told, agent: elf.name, ...present({ aboutModel }) },
  };
}

/** How much room a worktree takes, where that is much. @throws ToolInputError where there can be none */
async function roomFor({ worktrees }: AgentToolDeps, signal: AbortSignal): Promise<string | undefined> {
  try {
    const bytes = await worktrees.bytesNeeded(signal);
    return bytes > MUCH_ROOM ? formatBytes(bytes) : undefined;
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolInputError(`Not started: ${errorMessage(error)}`);
  }
}

/** @throws ToolInputError naming those that there are */
function typeNamed(name: string = GENERAL, types: readonly ElfType[]): ElfType {
  const found = types.find((type) => type.name.toLowerCase() === name.trim().toLowerCase());
  if (found !== undefined) return found;
  const names = types.map((type) => type.name);
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : '';
  throw new ToolInputError(`There is no agent “${name.slice(0, MAX_TASK)}”. There are: ${names.slice(0, MAX_LISTED).join(', ')}${more}.`);
}

/** The model of a call, what the user reads about it, and whether they are asked. @throws ToolInputError for a model that there is not */
async function modelOfCall(
  type: ElfType,
  model: ElfModel,
  { costs }: Pick<AgentToolDeps, 'costs'>,
): Promise<Pick<State, 'model' | 'routing' | 'aboutModel'> & { readonly uses?: ModelUse }> {
  if (model.kind === 'missing') throw new ToolInputError(`The agent “${type.name}” wants the model “${model.wanted}”, which is not there.`);
  const { routing } = model;
  if (routing?.type === 'ask') return { aboutModel: t('Auto found no model that is good enough for this agent, so it has that of who started it.') };
  if (model.kind === 'own') return routing === undefined ? {} : { model: routing.key, routing };
  const aboutModel = aboutOf(model, await usualCost(costs, type.name, model.key));
  const asks = model.isLeftToUs !== true && (model.ofOtherProvider || model.price === 'dearer' || model.price === 'unknown');
  const uses = { agent: type.name, content: contentOf(type), model: model.key, label: model.label };
  return { model: model.key, aboutModel, ...present({ routing }), ...(asks ? { uses } : {}) };
}

/** Names by which other programs and models call the arguments. */
const OTHER_FORMS = {
  names: {
    ...{ subagenttype: 'agent_type', agentname: 'agent_type', agent: 'agent_type', type: 'agent_type' },
    ...{ message: 'prompt', task: 'prompt' },
    ...{ runinbackground: 'background', agentid: 'agent_id', resume: 'agent_id', to: 'agent_id', taskid: 'agent_id' },
  },
} as const;

const PRICES = { cheaper: () => t('cheaper'), same: () => t('the same price'), dearer: () => t('more expensive'), unknown: () => t('price unknown') } as const;

/** Describes a model to the user before an agent is started with it. @param usual what such an agent has cost so far */
function aboutOf({ label, price }: Extract<ElfModel, { kind: 'other' }>, usual: UsualCost | undefined): string {
  const cost = usual === undefined ? t('usual cost unknown') : t('usually {0} to {1}', formatCost(usual.least), formatCost(usual.most));
  return `${label} (${PRICES[price]()}; ${cost})`;
}

function specOf(types: readonly ElfType[]): ToolSpec {
  const list = types.slice(0, MAX_LISTED).map(({ name, description }) => `- ${name}: ${description.replaceAll(/\s+/g, ' ').slice(0, MAX_DESCRIPTION)}`);
  const names = types.length > MAX_LISTED ? {} : { enum: types.map(({ name }) => name) };
  return {
    name: AGENT_TOOL,
    description: [
      'Have another agent do a part of the task, in a context of its own. You get its last message. It sees nothing of this conversation: the prompt has to',
      'say all that it needs to know, and what to report. Use it for searches over many files, and for parts that do not depend on each other: several',
      'calls in one answer run side by side. What it finds is to be checked before you rely on it. One that has ended can go on: name it with agent_id.',
      'Agents:',
      ...list,
      ...(types.length > MAX_LISTED ? [`- and ${types.length - MAX_LISTED} more, by their names`] : []),
    ].join('\n'),
    parameters: {
      type: 'object',
      properties: {
        description: { type: 'string', description: 'The work in three to six words, for the user' },
        prompt: { type: 'string', description: 'All that the agent is told' },
        agent_type: { type: 'string', ...names, description: `Default: ${GENERAL}` },
        model: { type: 'string', description: 'provider/model; leave it out unless the user wants another one' },
        effort: { type: 'string', enum: [...THINKING_EFFORTS], description: 'How much it thinks. Default: as you' },
        isolation: {
          type: 'string',
          enum: ['worktree'],
          description:
            'Have it work in a working tree of its own, with a copy of all files that Git does not ignore: for changes beside others, taken over when you want',
        },
        background: { type: 'boolean', description: 'Go on without waiting for it. Default: false' },
        agent_id: { type: 'string', description: 'One that you have started, such as agent-1, to tell it the prompt: it knows what it did' },
      },
      required: ['description', 'prompt'],
      additionalProperties: false,
    },
  };
}

/** A task on one line, for users. */
function taskOf(description: string): string {
  const line = withoutUnseen(description).text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '…';
  return line.length <= MAX_TASK ? line : `${line.slice(0, MAX_TASK - 1)}…`;
}
