import { readFile, readdir } from 'node:fs/promises';
import { expandCommand } from '../../../../src/config/commands/expand-command.js';
import { type CommandReading, readCommandFile } from '../../../../src/config/commands/read-command.js';
import type { ConfigLayer, ConfigOrigin } from '../../../../src/domain/config/origin.js';
import type { CommandFile } from '../../../../src/domain/config/skill.js';
import { scriptAsWritten } from '../../../../src/domain/session/scripted-text.js';
import { inOrder } from '../in-order.js';

const CORPUS = 'test/fixtures/config-corpus/commands';
const FOLDERS: Readonly<Record<string, string>> = { claude: '.claude/commands', gnomon: '.gnomon/commands', vscode: '.github/prompts' };

/** Where a command is. @param display with slashes, relative to the workspace or the home folder */
export function originOf(display: string, layer: ConfigLayer = 'project'): ConfigOrigin {
  return layer === 'user' ? { layer, file: `/home/me/${display}`, display: `~/${display}` } : { layer, file: `/ws/${display}`, display, folder: '/ws' };
}

/** Reads a command of a workspace. @param path from the folder of commands on */
export function read(
  text: string,
  path = 'a.md',
  { dialect = 'claude', layer = 'project' }: { readonly dialect?: CommandFile['dialect']; readonly layer?: ConfigLayer } = {},
): CommandReading {
  return readCommandFile(text, { origin: originOf(`${dialect === 'claude' ? '.claude/commands' : '.github/prompts'}/${path}`, layer), dialect, path });
}

/** The command of a text that can be used. */
export function commandOf(text: string, path?: string, options?: Parameters<typeof read>[2]): CommandFile {
  const { command, problems } = read(text, path, options);
  if (command === undefined) throw new Error(JSON.stringify(problems));
  return command;
}

/** The text of a command with arguments, with its command lines as they would run. */
export function expanded(text: string, argument = '', inputs?: Readonly<Record<string, string>>): string {
  const command = commandOf(text, undefined, inputs === undefined ? {} : { dialect: 'vscode' });
  return scriptAsWritten(
    expandCommand(command, { argument, inputs: inputs ?? {}, variables: { CLAUDE_PROJECT_DIR: '/ws', workspaceFolder: '/ws' }, shell: 'bash' }).script,
  );
}

/** The command lines of a command with arguments. */
export function commandLines(text: string, argument: string, shell: 'bash' | 'powershell' = 'bash'): readonly string[] {
  return expandCommand(commandOf(text), { argument, inputs: {}, variables: {}, shell }).script.flatMap((part) =>
    part.type === 'command' ? [part.command] : [],
  );
}

/** Files of the corpus, such as `claude/git/commit.md`. */
export async function corpusFiles(): Promise<readonly string[]> {
  const names = await readdir(CORPUS, { recursive: true });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

/** Reads a file of the corpus as one of a workspace. */
export async function readCorpus(name: string): Promise<CommandReading> {
  const [folder = '', ...rest] = name.split('/');
  const path = rest.join('/');
  return readCommandFile(await readFile(`${CORPUS}/${name}`, 'utf8'), {
    origin: originOf(`${FOLDERS[folder] ?? ''}/${path}`),
    dialect: folder === 'vscode' ? 'vscode' : 'claude',
    path,
  });
}

/** What reports say of a command, in their order. */
const KEYS = ['name', 'description', 'argumentHint', 'model', 'agent', 'effort', 'argumentNames', 'allowedTools', 'hooks', 'firstArgument', 'body', 'dialect'];

/** A reading on one line for each thing in it. */
export function lines({ command, skipped, problems }: CommandReading): readonly string[] {
  const { fields = [], origin, ...rest } = command ?? {};
  return [
    ...(command === undefined
      ? []
      : [`command /${command.name} ${origin?.display ?? ''}`, ...inOrder(rest, KEYS).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)]),
    ...fields.map(({ field, state, note, line }) => `  ${state} ${field}:${line ?? '-'}${note === undefined ? '' : ` ${note}`}`),
    ...(skipped === undefined ? [] : [`skipped /${skipped.name} ${skipped.origin.display}:${skipped.origin.line ?? '-'} ${skipped.why}`]),
    ...problems.map(({ key, line, message, harmless }) => `${harmless === true ? 'note' : 'problem'} ${key}:${line ?? '-'} ${message}`),
  ];
}
