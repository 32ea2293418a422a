import { type ChosenCommand, chooseCommands, findChosen } from '../config/commands/choose-commands.js';
import type { CommandFiles } from '../customization/commands.js';
import type { Skills } from '../customization/skills.js';
import type { ConnectedServers } from '../mcp/connected-servers.js';
import { type PromptCommand, promptCommands } from '../mcp/prompts/prompt-commands.js';
import { unusableText } from './file-forms.js';
import { qualifiedSkillCommand, type SkillActions, type SkillCommand, skillCommands } from './skill-commands.js';
import { findCommand } from './written-command.js';

/** A command of a file, by the name that it is run by, with a slash. */
export interface FileCommand {
  readonly kind: 'file';
  readonly name: string;
  readonly chosen: ChosenCommand;
}

/** Where slash commands come from, beside those that are built in. */
export interface SlashSources {
  readonly servers: Pick<ConnectedServers, 'states'>;
  /** The commands of files. */
  readonly files: Pick<CommandFiles, 'commands' | 'unusable' | 'read'>;
  /** What activates skills. */
  readonly skills: SkillActions & { readonly skills: Pick<Skills, 'ready'> };
}

/** The commands that a message can begin with: those that are built in, those that activate skills, the prompts of MCP servers, and those of files. */
export class SlashCommands<BuiltIn extends { readonly kind: 'built_in'; readonly name: string }> {
  constructor(
    private readonly builtIn: readonly BuiltIn[],
    private readonly sources: SlashSources,
  ) {}

  /** The command of a name without its slash. @throws Error that names others that come near. */
  find(name: string): BuiltIn | SkillCommand | PromptCommand | FileCommand {
    const { first, ofFiles } = this;
    if (this.isFirst(name)) return findCommand(first, name);
    const chosen = findChosen(ofFiles, name);
    if (chosen !== undefined) return { kind: 'file', name: `/${chosen.name}`, chosen };
    const { skills, files } = this.sources;
    const qualified = qualifiedSkillCommand(skills, name);
    if (qualified !== undefined) return qualified;
    const unusable = files.unusable.find((each) => each.name.toLowerCase() === name);
    if (unusable !== undefined) throw new Error(unusableText(unusable.name, unusable.display, unusable.why));
    return findCommand([...first, ...ofFiles.map((each) => ({ kind: 'file' as const, name: `/${each.name}`, chosen: each }))], name);
  }

  /** Reads files and skills as they are now, where a command of a name is not something else: changes are reported a moment later. */
  async refresh(name: string): Promise<void> {
    if (!this.isFirst(name)) await Promise.all([this.sources.files.read(), this.sources.skills.skills.ready()]);
  }

  /** Whether there is a command with a name, as far as is known. */
  isKnown(name: string): boolean {
    return this.isFirst(name) || findChosen(this.ofFiles, name) !== undefined;
  }

  /** Built-in commands win over skills of the same name. */
  get own(): readonly (BuiltIn | SkillCommand)[] {
    return [...this.builtIn, ...skillCommands(this.sources.skills, new Set(this.builtIn.map(({ name }) => name)))];
  }

  /** The commands of files that no other command has the name of. */
  get ofFiles(): readonly ChosenCommand[] {
    return chooseCommands(
      this.sources.files.commands,
      this.first.map(({ name }) => name.slice(1)),
    ).commands;
  }

  /** Those that come before the ones of files. */
  private get first(): readonly (BuiltIn | SkillCommand | PromptCommand)[] {
    return [...this.own, ...promptCommands(this.sources.servers)];
  }

  private isFirst(name: string): boolean {
    return this.first.some((command) => command.name.toLowerCase() === `/${name}`);
  }
}
