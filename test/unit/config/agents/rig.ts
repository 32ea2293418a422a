import { readFile, readdir } from 'node:fs/promises';
import type { AgentReading } from '../../../../src/config/agents/agent-reading.js';
import { type AgentDialect, readAgentFile } from '../../../../src/config/agents/read-agent.js';
import { readRoomodes } from '../../../../src/config/agents/read-roomodes.js';
import { readDefinedServers } from '../../../../src/mcp/config/read-config.js';
import type { AgentFile } from '../../../../src/domain/config/agent.js';
import type { ConfigLayer, ConfigOrigin } from '../../../../src/domain/config/origin.js';
import { inOrder } from '../in-order.js';

const FOLDER = 'test/fixtures/config-corpus/agents';
const FOLDERS: Readonly<Record<string, string>> = {
  claude: '.claude/agents',
  gnomon: '.gnomon/agents',
  vscode: '.github/agents',
  cursor: '.cursor/agents',
  roo: '',
};

/** Where an agent is. @param display with slashes, relative to the workspace or the home folder */
export function originOf(display: string, layer: ConfigLayer = 'project'): ConfigOrigin {
  return layer === 'user' ? { layer, file: `/home/me/${display}`, display: `~/${display}` } : { layer, file: `/ws/${display}`, display, folder: '/ws' };
}

/** Reads an agent of a workspace. */
export function read(
  text: string,
  { dialect = 'claude', origin = originOf('.claude/agents/a.md') }: { readonly dialect?: AgentDialect; readonly origin?: ConfigOrigin } = {},
): AgentReading {
  return readAgentFile(text, { origin, dialect, readServers: readDefinedServers });
}

/** The only agent of a file with these fields, which has nothing that keeps it from being used. */
export function agentOf(yaml: string, origin?: ConfigOrigin): AgentFile {
  const {
    agents: [agent],
    skipped,
  } = read(`---\nname: a\ndescription: b\n${yaml}\n---\n\nWork.\n`, origin === undefined ? {} : { origin });
  if (agent === undefined) throw new Error(JSON.stringify(skipped));
  return agent;
}

/** Files of the corpus, such as `claude/windows.md`. */
export async function corpusFiles(): Promise<readonly string[]> {
  const lists = await Promise.all(
    Object.keys(FOLDERS).map(async (folder) =>
      (await readdir(`${FOLDER}/${folder}`)).filter((name) => !name.endsWith('.txt')).map((name) => `${folder}/${name}`),
    ),
  );
  return lists.flat();
}

/** Reads a file of the corpus as one of a workspace. */
export async function readCorpus(name: string): Promise<AgentReading> {
  const [folder = '', file = ''] = name.split('/');
  const text = await readFile(`${FOLDER}/${name}`, 'utf8');
  const display = folder === 'roo' ? '.roomodes' : `${FOLDERS[folder] ?? ''}/${file}`;
  if (folder === 'roo') return readRoomodes(text, { origin: originOf(display) });
  return read(text, { dialect: folder === 'vscode' || folder === 'cursor' ? folder : 'claude', origin: originOf(display) });
}

/** What reports say of an agent, in their order. */
const KEYS = [
  ...[
    'name',
    'description',
    'systemPrompt',
    'allowedTools',
    'disallowedTools',
    'model',
    'permissionMode',
    'deniesPrompts',
    'maxTurns',
    'effort',
    'isolation',
    'background',
    'notForModels',
    'startable',
  ],
  ...['skills', 'mcpServers', 'definedServers', 'hooks', 'userInvocable'],
];

/** A reading on one line for each thing in it. */
export function lines({ agents, skipped, problems }: AgentReading): readonly string[] {
  return [
    ...agents.flatMap(({ fields, origin, ...agent }) => [
      `agent ${agent.name} ${origin.file}:${origin.line ?? '-'}`,
      ...inOrder(agent, KEYS).map(
        ([name, value]) => `  ${name}: ${JSON.stringify(name === 'hooks' ? agent.hooks.map(({ event, handler }) => [event, handler]) : value)}`,
      ),
      ...fields.map(({ field, state, note, line }) => `  ${state} ${field}:${line ?? '-'}${note === undefined ? '' : ` ${note}`}`),
    ]),
    ...skipped.map(({ origin, name, why }) => `skipped ${name ?? '-'} ${origin.file}:${origin.line ?? '-'} ${why}`),
    ...problems.map(({ key, line, message, harmless }) => `${harmless === true ? 'note' : 'problem'} ${key}:${line ?? '-'} ${message}`),
  ];
}
