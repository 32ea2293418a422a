import type { ConfigLayer } from '../../domain/config/origin.js';
import type { CommandFile } from '../../domain/config/skill.js';
import type { McpFileFormat } from '../../domain/mcp/config.js';
import type { Format } from '../instructions/read-rule.js';

/** Where something of a program is looked for. */
export interface Place<Form = unknown> {
  /** A folder, or a file, from the home folder or a folder of the workspace on; with slashes. */
  readonly at: string;
  /** Whether it is looked for in the home folder, in folders of the workspace, or in both. */
  readonly of: readonly ConfigLayer[];
  /** In whose form it is there. */
  readonly form: Form;
}

/** Whose form a file with agents has; `roo` is a list of modes. */
export type AgentFileForm = 'claude' | 'vscode' | 'cursor' | 'roo';
/** The forms of files of layers: settings in the form of Claude Code, and files with hooks of Cursor and Copilot. */
export type LayerFileForm = 'settings' | 'cursor' | 'copilot';

/** A folder with rules. */
export interface RulePlace extends Place<Format> {
  /** Of the names of its files. */
  readonly ending: string;
  /** Folders right in it in which something else is. */
  readonly without?: readonly string[];
}

/** A file with servers. */
export interface ServerPlace extends Place<McpFileFormat> {
  /** Bytes of it that are read, where these are not the usual ones. */
  readonly maxBytes?: number;
  /** Whether the user has lists for single folders in it, too, which are of the local layer. */
  readonly hasLocal?: true;
}

const BOTH: Place['of'] = ['user', 'project'];
const USER: Place['of'] = ['user'];
const PROJECT: Place['of'] = ['project'];
const LOCAL: Place['of'] = ['local'];

/**
 * Folders with agents. `.gnomon` has files in the form of Claude Code here and in the other lists.
 *
 * - `.claude/agents`: code.claude.com/docs/en/sub-agents.
 * - `.github/agents`: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference; that of the user is `~/.copilot/agents`
 *   (docs.github.com, "Creating and using custom agents for GitHub Copilot CLI").
 * - `.cursor/agents`: cursor.com/docs/agent/subagents.
 */
export const AGENT_FOLDERS: readonly Place<AgentFileForm>[] = [
  { at: '.gnomon/agents', of: BOTH, form: 'claude' },
  { at: '.claude/agents', of: BOTH, form: 'claude' },
  { at: '.github/agents', of: PROJECT, form: 'vscode' },
  { at: '.copilot/agents', of: USER, form: 'vscode' },
  { at: '.cursor/agents', of: BOTH, form: 'cursor' },
];

/** Files with agents: the modes of Roo Code (docs.roocode.com/features/custom-modes). */
export const AGENT_LISTS: readonly Place<AgentFileForm>[] = [{ at: '.roomodes', of: PROJECT, form: 'roo' }];

/**
 * Folders of commands, in which folders are name spaces, and of prompts.
 *
 * - `.claude/commands`: code.claude.com/docs/en/slash-commands.
 * - `.github/prompts`: code.visualstudio.com/docs/copilot/customization/prompt-files.
 * - `.cursor/commands`: cursor.com/docs, "Commands": Markdown of the project and of the user.
 * - `.roo/commands`: docs.roocode.com/features/slash-commands: of the project and of the user.
 * - `.clinerules/workflows`: docs.cline.bot/customization/workflows: the name of the file is that of the command. `.cline/workflows`, of the project
 *   and of the user: github.com/cline/cline, `resolveWorkflowsConfigSearchPaths` in sdk/packages/shared/src/storage/paths.ts. Those of the user in
 *   `~/Documents` are left out: macOS asks users before a program may look in there.
 */
export const COMMAND_FOLDERS: readonly Place<CommandFile['dialect']>[] = [
  { at: '.gnomon/commands', of: BOTH, form: 'claude' },
  { at: '.claude/commands', of: BOTH, form: 'claude' },
  { at: '.github/prompts', of: PROJECT, form: 'vscode' },
  { at: '.cursor/commands', of: BOTH, form: 'plain' },
  { at: '.roo/commands', of: BOTH, form: 'plain' },
  { at: '.cline/workflows', of: BOTH, form: 'plain' },
  { at: '.clinerules/workflows', of: PROJECT, form: 'plain' },
];

/**
 * Folders with skills, in the order of paths.
 *
 * - `.agents/skills`: agentskills.io, "Adding skills support"; `.claude/skills`: code.claude.com/docs/en/skills.
 * - `.github/skills`, and of the user `~/.copilot/skills`: code.visualstudio.com/docs/copilot/customization/agent-skills.
 * - `.cline/skills`, `.clinerules/skills`: docs.cline.bot/customization/skills, "Where Skills Live".
 * - `.cursor/skills`: cursor.com/docs/context/skills; `.roo/skills`: docs.roocode.com/features/skills.
 */
export const SKILL_FOLDERS: readonly Place<'skill'>[] = [
  { at: '.agents/skills', of: BOTH, form: 'skill' },
  { at: '.claude/skills', of: BOTH, form: 'skill' },
  { at: '.cline/skills', of: BOTH, form: 'skill' },
  { at: '.clinerules/skills', of: PROJECT, form: 'skill' },
  { at: '.copilot/skills', of: USER, form: 'skill' },
  { at: '.cursor/skills', of: BOTH, form: 'skill' },
  { at: '.github/skills', of: PROJECT, form: 'skill' },
  { at: '.gnomon/skills', of: BOTH, form: 'skill' },
  { at: '.roo/skills', of: BOTH, form: 'skill' },
];

/**
 * Where Roo Code has folders for single modes beside those for all: `.roo/rules-code` has rules for its mode `code`, and `.roo/skills-code` skills
 * (docs.roocode.com/features/custom-instructions, docs.roocode.com/features/skills).
 */
export const MODE_FOLDERS: readonly Place<'modes'>[] = [{ at: '.roo', of: BOTH, form: 'modes' }];

/** Folders with output styles: code.claude.com/docs/en/output-styles. */
export const STYLE_FOLDERS: readonly Place<'claude'>[] = [
  { at: '.gnomon/output-styles', of: BOTH, form: 'claude' },
  { at: '.claude/output-styles', of: BOTH, form: 'claude' },
];

/** The file with what only this user has in a workspace folder, from there. */
export const LOCAL_SETTINGS = '.gnomon/settings.local.json';

/**
 * Files of layers, in the order in which they count within a layer.
 *
 * - `settings.json`: code.claude.com/docs/en/settings.
 * - `.cursor/hooks.json`: cursor.com/docs/agent/hooks, of the project and of the user.
 */
export const LAYER_FILES: readonly Place<LayerFileForm>[] = [
  { at: '.gnomon/settings.json', of: BOTH, form: 'settings' },
  { at: '.claude/settings.json', of: BOTH, form: 'settings' },
  { at: '.cursor/hooks.json', of: BOTH, form: 'cursor' },
  { at: LOCAL_SETTINGS, of: LOCAL, form: 'settings' },
  { at: '.claude/settings.local.json', of: LOCAL, form: 'settings' },
];

/**
 * Folders with files of hooks: docs.github.com, "About hooks" of Copilot; code.visualstudio.com, "Agent hooks". Those of the user: docs.github.com,
 * "GitHub Copilot CLI configuration directory".
 */
export const HOOK_FOLDERS: readonly Place<LayerFileForm>[] = [
  { at: '.copilot/hooks', of: USER, form: 'copilot' },
  { at: '.github/hooks', of: PROJECT, form: 'copilot' },
];

/**
 * Files with MCP servers, in the order in which they are read.
 *
 * - `.mcp.json`, and of the user `~/.claude.json`: code.claude.com/docs/en/mcp, "Project scope", "User scope", and "Local scope". Claude Code keeps
 *   all that it remembers in the latter, so that it can be large.
 * - `.vscode/mcp.json`: code.visualstudio.com/docs/agents/reference/mcp-configuration, also about `.mcp.json`.
 * - `.cursor/mcp.json`: cursor.com/docs/mcp, "Configuration locations".
 * - `~/.copilot/mcp-config.json`: docs.github.com, "GitHub Copilot CLI configuration directory"; its fields are those of Claude Code, with `local`
 *   for `stdio`.
 */
export const SERVER_FILES: readonly ServerPlace[] = [
  { at: '.mcp.json', of: PROJECT, form: 'claude' },
  { at: '.vscode/mcp.json', of: PROJECT, form: 'vscode' },
  { at: '.claude.json', of: USER, form: 'claude', maxBytes: 8 * 1024 * 1024, hasLocal: true },
  { at: '.cursor/mcp.json', of: BOTH, form: 'cursor' },
  { at: '.copilot/mcp-config.json', of: USER, form: 'claude' },
];

/**
 * Folders with rules, each in the order of the paths in it.
 *
 * - Copilot: docs.github.com, "Adding repository custom instructions for GitHub Copilot"; those of the user: "GitHub Copilot CLI configuration directory".
 * - Cursor: cursor.com/docs, "Rules".
 * - Cline: docs.cline.bot, "Cline Rules"; it leaves out what is in the folders of its workflows, hooks, and skills there.
 * - Roo Code: docs.roocode.com/features/custom-instructions, which also describes text files.
 * - Claude Code: code.claude.com/docs/en/memory, "Organize rules with .claude/rules/". They count as its other files do.
 */
export const RULE_FOLDERS: readonly RulePlace[] = [
  { at: '.github/instructions', of: PROJECT, form: 'copilot', ending: '.instructions.md' },
  { at: '.copilot/instructions', of: USER, form: 'copilot', ending: '.instructions.md' },
  { at: '.cursor/rules', of: BOTH, form: 'cursor', ending: '.mdc' },
  { at: '.cline/rules', of: PROJECT, form: 'cline', ending: '.md' },
  { at: '.clinerules', of: PROJECT, form: 'cline', ending: '.md', without: ['workflows', 'hooks', 'skills'] },
  { at: '.roo/rules', of: BOTH, form: 'plain', ending: '' },
  { at: '.claude/rules', of: BOTH, form: 'claude', ending: '.md' },
];

/**
 * Files with instructions, in the order in which they apply: the later wins. `others` are for other tools than Claude Code and those that read
 * `AGENTS.md`: `.cursorrules` is the older form of Cursor, `.clinerules` can be a file in place of the folder, and `.roorules` counts where there is
 * no folder of Roo Code. `shared` are in any folder of the workspace (code.claude.com/docs/en/memory), `own` are the user’s.
 */
export const INSTRUCTION_FILES: readonly Place<'others' | 'shared' | 'own'>[] = [
  { at: '.github/copilot-instructions.md', of: PROJECT, form: 'others' },
  { at: '.cursorrules', of: PROJECT, form: 'others' },
  { at: '.clinerules', of: PROJECT, form: 'others' },
  { at: '.roorules', of: PROJECT, form: 'others' },
  { at: '.copilot/copilot-instructions.md', of: USER, form: 'others' },
  { at: 'AGENTS.md', of: PROJECT, form: 'shared' },
  { at: '.claude/CLAUDE.md', of: PROJECT, form: 'shared' },
  { at: 'CLAUDE.md', of: PROJECT, form: 'shared' },
  { at: 'AGENTS.local.md', of: LOCAL, form: 'shared' },
  { at: 'CLAUDE.local.md', of: LOCAL, form: 'shared' },
  { at: '.claude/CLAUDE.md', of: USER, form: 'own' },
  { at: '.config/gnomon/AGENTS.md', of: USER, form: 'own' },
];

/** The places of a layer. */
export function placesOf<P extends Place>(all: readonly P[], layer: ConfigLayer): readonly P[] {
  return all.filter(({ of }) => of.includes(layer));
}
