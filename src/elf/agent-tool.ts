import * as z from 'zod/mini';
import { ToolInputError } from '../domain/errors.js';
import { withoutUnseen } from '../domain/hidden-characters.js';
import { present } from '../domain/present.js';
import type { Tool, ToolSpec } from '../domain/tool/tool.js';
import { defineTool, filled, textResult } from '../tool/calls/define.js';
import { wordsFor } from './elf-result.js';
import { type ElfType, GENERAL } from './elf-types.js';
import type { Elves } from './elves.js';

/** Name of the tool by which a model gives work away. */
const AGENT_TOOL = 'agent';

/** Characters of a prompt at most. */
const MAX_PROMPT = 200_000;
/** Characters of what is shown of a task. */
const MAX_TASK = 100;
/** Characters of a description of a type, for the model. */
const MAX_DESCRIPTION = 500;
/** Types that are described to the model; each request carries them. More can be started by their names. */
const MAX_LISTED = 30;

const schema = z.strictObject({ description: filled, prompt: filled, agent_type: z.optional(filled) });
type Args = z.infer<typeof schema>;

interface State {
  readonly type: string;
  readonly task: string;
  readonly prompt: string;
  readonly model?: string;
}

/** The model that an agent is to have: none in particular, or one by its name `provider/model`, and the words for it. */
export type ElfModel = { readonly kind: 'own' } | { readonly kind: 'other'; readonly key: string; readonly label: string } | { readonly kind: 'missing' };

/** Services of the tool: what can be started, and by whom it is. */
export interface AgentToolDeps {
  readonly elves: Pick<Elves, 'work'>;
  readonly types: () => readonly ElfType[];
  /** The model that a type wants, in a session. */
  readonly modelOf: (type: ElfType, session: string) => Promise<ElfModel>;
}

/** The tool for what can be started now. */
export function createAgentTool({ elves, types, modelOf }: AgentToolDeps): Tool {
  const offered = types();
  const find = (name: string = GENERAL): ElfType => {
    const found = types().find((type) => type.name.toLowerCase() === name.trim().toLowerCase());
    if (found === undefined) {
      const names = types().map((type) => type.name);
      const listed = names.slice(0, MAX_LISTED).join(', ');
      const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : '';
      throw new ToolInputError(`There is no agent “${name.slice(0, MAX_TASK)}”. There are: ${listed}${more}.`);
    }
    return found;
  };
  return defineTool<Args, State>({
    spec: specOf(offered),
    schema,
    forms: { names: { subagenttype: 'agent_type', agentname: 'agent_type', agent: 'agent_type', type: 'agent_type', message: 'prompt', task: 'prompt' } },
    plan: async ({ description, prompt, agent_type }, { sessionId }) => {
      const type = find(agent_type);
      if (prompt.length > MAX_PROMPT)
        throw new ToolInputError(`The prompt has ${prompt.length} characters, and at most ${MAX_PROMPT} can be. Name files instead of repeating them.`);
      const model = await modelOf(type, sessionId);
      if (model.kind === 'missing') throw new ToolInputError(`The agent “${type.name}” wants the model “${type.agent.model ?? ''}”, which is not there.`);
      const other = model.kind === 'other' ? model : undefined;
      const task = taskOf(description);
      return {
        subject: `${type.name}: ${task}`,
        accesses: [{ kind: 'spawn', target: type.name, ...present({ model: other?.label }) }],
        preview: { kind: 'input', input: prompt },
        state: { type: type.name, task, prompt, ...present({ model: other?.key }) },
      };
    },
    execute: async ({ type, task, prompt, model }, _plan, { sessionId, callId, signal, ...context }) => {
      const work = { session: sessionId, callId, type: find(type), task, prompt, signal, ...present({ model }) };
      const result = await elves.work({ ...work, tell: (line) => context.output(`${line}\n`) });
      return textResult(wordsFor(result), result.state !== 'completed');
    },
  });
}

function specOf(types: readonly ElfType[]): ToolSpec {
  const list = types.slice(0, MAX_LISTED).map(({ name, description }) => `- ${name}: ${description.replaceAll(/\s+/g, ' ').slice(0, MAX_DESCRIPTION)}`);
  const names = types.length > MAX_LISTED ? {} : { enum: types.map(({ name }) => name) };
  return {
    name: AGENT_TOOL,
    description: [
      'Have another agent do a part of the task, in a context of its own. You get its last message. It sees nothing of this conversation: the prompt has to',
      'say all that it needs to know, and what to report. Use it for searches over many files, and for parts that do not depend on each other: several',
      'calls in one answer run side by side. What it finds is to be checked before you rely on it.',
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
      },
      required: ['description', 'prompt'],
      additionalProperties: false,
    },
  };
}

/** A task on one line, for users. */
function taskOf(description: string): string {
  const line = withoutUnseen(description).text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_TASK ? line : `${line.slice(0, MAX_TASK - 1)}…`;
}
