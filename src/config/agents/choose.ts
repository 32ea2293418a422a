import type { AgentFile } from '../../domain/config/agent.js';
import type { Overridden } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import { chooseByName, compareNames } from '../choose-by-name.js';
import { agentNameKey, usableAgentName } from './agent-name.js';

/** An agent that can be used. */
export interface ChosenAgent {
  readonly agent: AgentFile;
  /** What it is chosen by: its name, or `layer:name` where an agent of a stronger layer has that name. */
  readonly name: string;
  /** `layer:name`, which means this agent whatever others there are. */
  readonly qualifiedName: string;
  /** Agents of the same name that lost against it, and why; none for those that lost themselves. */
  readonly overridden: readonly Overridden[];
}

/** The agents of all files, put together. */
export interface AgentChoice {
  /** Those that have their name first, then those that are reached by their qualified names; each in the order of names. */
  readonly agents: readonly ChosenAgent[];
  /** Agents that are not used at all, because of another one in the same layer. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Chooses between agents of the same name: that of the stronger layer wins, and the others are reached as `layer:name` (decision 33).
 * In one layer, the first in the order of paths wins, and the others are not used.
 */
export function chooseAgents(agents: readonly AgentFile[]): AgentChoice {
  const chosen: ChosenAgent[] = [];
  const problems: ConfigProblem[] = [];
  for (const { layers } of chooseByName(agents, agentNameKey)) {
    const [{ first, others, qualifiedName }, ...weaker] = layers;
    for (const layer of layers) problems.push(...layer.others.map((loser) => clash(layer.first, loser)));
    const reached = [...layers.flatMap(({ below }) => below), ...weaker.map((loser) => ({ definition: loser.first, qualifiedName: loser.qualifiedName }))];
    const lost = [
      ...others.map(({ origin }) => ({ origin, why: sameLayer(first) })),
      ...reached.map((loser) => ({ origin: loser.definition.origin, why: strongerLayer(first, loser.qualifiedName) })),
    ];
    chosen.push({ agent: first, name: first.name, qualifiedName, overridden: lost });
    chosen.push(...reached.map(({ definition, qualifiedName: name }) => ({ agent: definition, name, qualifiedName: name, overridden: [] })));
  }
  const isQualified = ({ name, agent }: ChosenAgent): number => Number(name !== agent.name);
  return { agents: chosen.sort((a, b) => isQualified(a) - isQualified(b) || compareNames(a.name, b.name)), problems };
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
  return { file, key: 'name', ...(line === undefined ? {} : { line }), message };
}

function sameLayer(winner: AgentFile): string {
  return t('{0} has the same name and comes first.', placeOf(winner));
}

function strongerLayer(winner: AgentFile, qualifiedName: string): string {
  return t('{0} has the same name and counts more. This agent is reached as “{1}”.', placeOf(winner), qualifiedName);
}

function placeOf({ origin: { file, line } }: AgentFile): string {
  return line === undefined ? file : `${file}:${line}`;
}
