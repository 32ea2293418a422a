import { CONFIG_LAYERS, type Overridden } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { CommandFile } from '../../domain/config/skill.js';
import { t } from '../../domain/l10n.js';
import { commandKey } from './command-name.js';

/** A command that can be used. */
export interface ChosenCommand {
  readonly command: CommandFile;
  /** What it is run by, without the slash: its name, or `layer:name` where something else has that name. */
  readonly name: string;
  /** `layer:name`, which means this command whatever others there are. */
  readonly qualifiedName: string;
  /** Commands of the same name that lost against it, and why. */
  readonly overridden: readonly Overridden[];
}

/** The commands of all files, put together. */
export interface CommandChoice {
  /** In the order of names. */
  readonly commands: readonly ChosenCommand[];
  /** Commands that are not used at all, because of another one in the same layer. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Chooses between commands of one name: what is built in wins, then the stronger layer, and the others are reached as `layer:name`
 * (decision 33). In one layer, the first in the order of paths wins, and the others are not used.
 * @param taken names that are built in, or of prompts of MCP servers, without their slashes
 */
export function chooseCommands(commands: readonly CommandFile[], taken: readonly string[]): CommandChoice {
  const byName = new Map<string, CommandFile[]>();
  for (const command of commands) {
    const rivals = byName.get(commandKey(command.name));
    if (rivals === undefined) byName.set(commandKey(command.name), [command]);
    else rivals.push(command);
  }
  const reserved = new Set(taken.map(commandKey));
  const chosen: ChosenCommand[] = [];
  const problems: ConfigProblem[] = [];
  for (const [key, rivals] of byName) {
    const layers = CONFIG_LAYERS.flatMap((layer) => {
      const [first, ...others] = rivals.filter(({ origin }) => origin.layer === layer).sort(byPath);
      problems.push(...(first === undefined ? [] : others.map((loser) => clash(first, loser))));
      return first === undefined ? [] : [{ command: first, others, qualifiedName: `${layer}:${first.name}` }];
    });
    for (const [index, { command, others, qualifiedName }] of layers.entries()) {
      const wins = index === 0 && !reserved.has(key);
      const weaker = wins ? layers.slice(1).map((loser) => ({ origin: loser.command.origin, why: t('{0} has the same name and counts more. This command is reached as “{1}”.', command.origin.display, `/${loser.qualifiedName}`) })) : [];
      const unused = others.map(({ origin }) => ({ origin, why: t('{0} has the same name and comes first.', command.origin.display) }));
      chosen.push({ command, name: wins ? command.name : qualifiedName, qualifiedName, overridden: [...unused, ...weaker] });
    }
  }
  return { commands: chosen.sort((a, b) => compare(commandKey(a.name), commandKey(b.name))), problems };
}

/** The command of a name or a qualified name, whatever its case; `undefined` where there is none. */
export function findChosen(commands: readonly ChosenCommand[], name: string): ChosenCommand | undefined {
  const key = commandKey(name);
  return commands.find((each) => commandKey(each.name) === key) ?? commands.find(({ qualifiedName }) => commandKey(qualifiedName) === key);
}

function byPath({ origin: a }: CommandFile, { origin: b }: CommandFile): number {
  return compare(a.file, b.file);
}

/** By code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function clash(first: CommandFile, loser: CommandFile): ConfigProblem {
  return { file: loser.origin.file, key: '', message: t('The command “/{0}” is in {1} and in {2}. That in {1} is used.', loser.name, first.origin.file, loser.origin.file) };
}
