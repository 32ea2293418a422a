import type { ConfigProblem } from '../../domain/config/problem.js';
import type { CommandFile } from '../../domain/config/skill.js';
import { t } from '../../domain/l10n.js';
import { chooseByName, compareNames, type Reached } from '../choose-by-name.js';
import { commandKey } from './command-name.js';

/** A command that can be used. */
export interface ChosenCommand extends Reached {
  /** It is run by {@link name} behind a slash. */
  readonly command: CommandFile;
}

/** The commands of all files, put together. */
export interface CommandChoice {
  /** In the order of names. */
  readonly commands: readonly ChosenCommand[];
  /** Commands that are not used at all, because of another one in the same layer. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Chooses between commands of one name: what is built in wins, then the stronger layer, and the others are reached as `layer:name`,
 * so they stay usable. In one layer, the first in the order of paths wins, and the others are not used.
 * @param taken names that are built in, or of prompts of MCP servers, without their slashes
 */
export function chooseCommands(commands: readonly CommandFile[], taken: readonly string[]): CommandChoice {
  const reserved = new Set(taken.map(commandKey));
  const chosen: ChosenCommand[] = [];
  const problems: ConfigProblem[] = [];
  for (const { key, layers } of chooseByName(commands, commandKey)) {
    for (const [index, { first, below, others, qualifiedName }] of layers.entries()) {
      chosen.push(...below.map(({ definition, qualifiedName: name }) => ({ command: definition, name, qualifiedName: name, overridden: [] })));
      problems.push(...others.map((loser) => clash(first, loser)));
      const wins = index === 0 && !reserved.has(key);
      const reached = [...below, ...(wins ? layers.slice(1).map((loser) => ({ definition: loser.first, qualifiedName: loser.qualifiedName })) : [])];
      const why = (name: string): string => t('{0} has the same name and counts more. This command is reached as “{1}”.', first.origin.display, `/${name}`);
      const weaker = reached.map((loser) => ({ origin: loser.definition.origin, why: why(loser.qualifiedName) }));
      const unused = others.map(({ origin }) => ({ origin, why: t('{0} has the same name and comes first.', first.origin.display) }));
      chosen.push({ command: first, name: wins ? first.name : qualifiedName, qualifiedName, overridden: [...unused, ...weaker] });
    }
  }
  return { commands: chosen.sort((a, b) => compareNames(commandKey(a.name), commandKey(b.name))), problems };
}

/** The command of a name or a qualified name, whatever its case; `undefined` where there is none. */
export function findChosen(commands: readonly ChosenCommand[], name: string): ChosenCommand | undefined {
  const key = commandKey(name);
  return commands.find((each) => commandKey(each.name) === key) ?? commands.find(({ qualifiedName }) => commandKey(qualifiedName) === key);
}

function clash(first: CommandFile, loser: CommandFile): ConfigProblem {
  return {
    file: loser.origin.file,
    key: '',
    message: t('The command “/{0}” is in {1} and in {2}. That in {1} is used.', loser.name, first.origin.file, loser.origin.file),
  };
}
