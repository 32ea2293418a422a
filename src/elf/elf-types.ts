import { createHash } from 'node:crypto';
import { ToolInputError } from '../domain/errors.js';
import { BUILT_IN as BUILT_IN_CONTENT } from '../domain/tool/model-use.js';
import { present } from '../domain/present.js';
import type { AgentFile } from '../domain/config/agent.js';
import { namesAgent } from '../engine/agents/narrow.js';

/** What an agent that is started for a part of a task can be. */
export interface ElfType {
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** What it may do, and how it works; of one that is always there, no file says so. */
  readonly agent: AgentFile;
}

/** Name of the tool by which a model gives work away. */
export const AGENT_TOOL = 'agent';
/** Name of the tool by which it looks after the agents that it has started. */
export const AGENTS_TOOL = 'agents';

/** The type that is meant where none is named. */
export const GENERAL = 'general';

/** The model of one that only finds things out: a cheap one of the same provider. */
export const CHEAP_MODEL = 'fast';

/** Those that are always there. */
const BUILT_IN: readonly ElfType[] = [
  builtIn(
    'explore',
    'Finds things out: it reads and searches, and can change nothing. Say how thorough it is to be.',
    [...['read', 'grep', 'glob', 'list', 'symbols', 'diagnostics']],
    CHEAP_MODEL,
  ),
  builtIn(GENERAL, 'Works on anything, with your tools.', ['*']),
];

function builtIn(name: string, description: string, allowedTools: readonly string[], model?: string): ElfType {
  const origin = { layer: 'user', file: '', display: 'Gnomon' } as const;
  return {
    name,
    description,
    agent: { name, description, allowedTools, disallowedTools: [], skills: [], hooks: [], userInvocable: false, fields: [], origin, ...present({ model }) },
  };
}

/** Names what an agent is, as it was read: all that its file says, or that no file defines it. What is only said about the fields of the file is left out. */
export function contentOf({ agent }: ElfType): string {
  if (agent.origin.file === '') return BUILT_IN_CONTENT;
  return createHash('sha256')
    .update(JSON.stringify({ ...agent, fields: agent.fields.map(({ field, state }) => [field, state]) }))
    .digest('hex');
}

/** @param content of the agent that was asked about, see {@link contentOf} @throws ToolInputError where it is another one by now */
export function assertUnchanged(type: ElfType, content: string): void {
  if (contentOf(type) !== content) throw new ToolInputError(`The agent “${type.name}” has changed since this was asked about: call the tool again.`);
}

/** All that can be started. An agent of a file takes the place of one that is always there. */
export function elfTypes(files: readonly AgentFile[]): readonly ElfType[] {
  const ofFiles = files.map((agent): ElfType => ({ name: agent.name, description: agent.description, agent }));
  const taken = new Set(ofFiles.map(({ name }) => name.toLowerCase()));
  return [...BUILT_IN.filter(({ name }) => !taken.has(name)), ...ofFiles];
}

/** Those of some types that a model can start. @param by the agent that works; absent: none */
export function startableBy(by: Pick<AgentFile, 'startable'> | undefined, types: readonly ElfType[]): readonly ElfType[] {
  const startable = by?.startable;
  return types.filter(({ name, agent }) => (startable === undefined ? agent.notForModels !== true : namesAgent(startable, name)));
}
