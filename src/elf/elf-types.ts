import type { AgentFile } from '../domain/config/agent.js';

/** What an agent that is started for a part of a task can be. */
export interface ElfType {
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** The only tools that it has; absent: those of who starts it. */
  readonly tools?: ReadonlySet<string>;
  /** The agent of a file; absent for one that is always there. */
  readonly agent?: AgentFile;
}

/** The type that is meant where none is named. */
export const GENERAL = 'general';

/** Those that are always there. */
const BUILT_IN: readonly ElfType[] = [
  {
    name: 'explore',
    description: 'Finds things out: it reads and searches, and can change nothing. Say how thorough it is to be.',
    tools: new Set(['read', 'grep', 'glob', 'list', 'symbols', 'diagnostics']),
  },
  { name: GENERAL, description: 'Works on anything, with your tools.' },
];

/** All that can be started. An agent of a file takes the place of one that is always there. */
export function elfTypes(files: readonly AgentFile[]): readonly ElfType[] {
  const ofFiles = files.map((agent): ElfType => ({ name: agent.name, description: agent.description, agent }));
  const taken = new Set(ofFiles.map(({ name }) => name.toLowerCase()));
  return [...BUILT_IN.filter(({ name }) => !taken.has(name)), ...ofFiles];
}
