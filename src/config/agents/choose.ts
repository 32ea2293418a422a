import { present } from '../../domain/present.js';
import type { AgentFile } from '../../domain/config/agent.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import { type Reached, reachedByName } from '../choose-by-name.js';
import { agentNameKey, usableAgentName } from './agent-name.js';

/** An agent that can be used. */
export interface ChosenAgent extends Reached {
  readonly agent: AgentFile;
}

/** The agents of all files, put together. */
export interface AgentChoice {
  /** Those that have their name first, then those that are reached by their qualified names; each in the order of names. */
  readonly agents: readonly ChosenAgent[];
  /** Agents that are not used at all, because of another one in the same layer. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Chooses between agents of the same name: that of the stronger layer wins, and the others are reached as `layer:name`, so they stay usable.
 * In one layer, the first in the order of paths wins, and the others are not used.
 */
export function chooseAgents(agents: readonly AgentFile[]): AgentChoice {
  const reachedAs = (place: string, name: string): string => t('{0} has the same name and counts more. This agent is reached as “{1}”.', place, name);
  const { reached, problems } = reachedByName(agents, agentNameKey, { placeOf, reachedAs, clash });
  return { agents: reached.map(({ definition, ...rest }) => ({ agent: definition, ...rest })), problems };
}

/** The agent of a name or a qualified name, whatever its case, or of a name as a file has it; `undefined` where there is none. */
export function findAgent({ agents }: AgentChoice, name: string): ChosenAgent | undefined {
  const [key, usable] = [agentNameKey(name), agentNameKey(usableAgentName(name))];
  const named = (wanted: string): ChosenAgent | undefined => agents.find((each) => agentNameKey(each.name) === wanted);
  return named(key) ?? agents.find(({ qualifiedName }) => agentNameKey(qualifiedName) === key) ?? named(usable);
}

function clash(first: AgentFile, loser: AgentFile): ConfigProblem {
  const { file, line } = loser.origin;
  const message = t('The agent “{0}” is in {1} and in {2}. That in {1} is used.', loser.name, placeOf(first), placeOf(loser));
  return { file, key: 'name', ...present({ line }), message };
}

function placeOf({ origin: { file, line } }: AgentFile): string {
  return line === undefined ? file : `${file}:${line}`;
}
