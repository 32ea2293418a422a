import { present } from '../../domain/present.js';
import type { AgentFile } from '../../domain/config/agent.js';
import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import { formatNumber, t } from '../../domain/l10n.js';
import type { FrontMatterFields, TakenField } from '../front-matter/front-matter-fields.js';
import { atLine, type FileFormat, type FileReading, readFile } from '../front-matter/read-file.js';
import type { ToolDialect } from '../tool-names.js';
import { agentNameProblem, nameOfFile, usableAgentName } from './agent-name.js';
import type { AgentReading, ServerReader } from './agent-reading.js';
import { readMaxTurns, readMode, readServers, readSkills, reportServers } from './agent-fields.js';
import { readEffort, readModel } from '../front-matter/turn-fields.js';
import { readHooks } from '../hooks/front-matter-hooks.js';
import { readDisallowedTools, readTools } from './read-tools.js';

/** Program whose format an agent file has. */
export type AgentDialect = 'claude' | 'vscode' | 'cursor';

/** Where an agent is read from. */
export interface AgentSource {
  readonly origin: ConfigOrigin;
  readonly dialect: AgentDialect;
  readonly readServers: ServerReader;
}

/** Most characters of an agent's prompt. */
const MAX_PROMPT = 200_000;
/** Whether an agent must have a name and a description. Otherwise, its name is that of its file. */
const NEEDED: Readonly<Record<AgentDialect, boolean>> = { claude: true, vscode: false, cursor: false };
/** Tools of a Cursor agent with `readonly`: only those that change nothing. */
const READING_TOOLS: readonly string[] = ['read', 'grep', 'glob', 'list', 'symbols', 'diagnostics', 'fetch', 'web_search', 'todo', 'ask'];
/** Names that may have been meant by one that is not known. */
const KNOWN_FIELDS: readonly string[] = [
  'name',
  'description',
  'tools',
  'allowedTools',
  'disallowedTools',
  'model',
  'permissionMode',
  'maxTurns',
  'effort',
  'isolation',
  'background',
  'agents',
  'disable-model-invocation',
  'skills',
  'mcpServers',
  'hooks',
  'user-invocable',
  'readonly',
];

/** Parsed fields of a file. */
interface Values extends Omit<AgentFile, 'origin' | 'fields' | 'permissionMode' | 'deniesPrompts' | 'mcpServers' | 'definedServers'> {
  /** Whether it keeps nothing of its tools but what changes nothing. */
  readonly readsOnly: boolean;
  readonly mode: Pick<AgentFile, 'permissionMode' | 'deniesPrompts'>;
  readonly servers: Pick<AgentFile, 'mcpServers' | 'definedServers'>;
}
type Reading = FileReading<AgentSource>;

const FORMAT: FileFormat<AgentSource, Values> = {
  fields: {
    name: readName,
    description: readDescription,
    systemPrompt: readPrompt,
    allowedTools: (file) => toolsIn(file, file.fields.take('tools', 'allowedTools'), readTools) ?? ['*'],
    disallowedTools: (file) => toolsIn(file, file.fields.take('disallowedTools'), readDisallowedTools) ?? [],
    readsOnly: readReadsOnly,
    model: ({ fields }) => readModel(fields),
    mode: ({ fields, origin }) => readMode(fields, origin),
    maxTurns: ({ fields }) => readMaxTurns(fields),
    effort: ({ fields }) => readEffort(fields),
    isolation: ({ fields }) => readIsolation(fields),
    // Cursor: cursor.com/docs/agent/subagents, `is_background`.
    background: ({ fields }) => isOn(fields.flag('background', 'is_background')),
    notForModels: readNotForModels,
    startable: (file) => startableIn(file, file.fields.take('agents')),
    skills: ({ fields }) => readSkills(fields),
    servers: serversOf,
    hooks: (file, { name }) =>
      readHooks(file, {
        owner: { kind: 'agent', name },
        ofVsCode: file.source.dialect === 'vscode',
        note: isFromRepository(file.origin) ? t('They run only after you have approved them.') : undefined,
      }),
    userInvocable: ({ fields }) => fields.flag('user-invocable') ?? true,
  },
  ignored: ignoredFields,
  known: KNOWN_FIELDS,
  check: (file, { description }) => {
    const says = (hidden: string): string => t('The text contains characters that cannot be seen: {0}. Look at it before you use the agent.', hidden);
    file.noteHidden('description', description, says);
    file.noteHidden('', file.frontMatter.body, says);
  },
};

/**
 * Reads one file with an agent. A mistake that would give the agent more than the file says, or leaves it without a name, skips it;
 * any other is reported.
 *
 * - Claude Code, and Gnomon: code.claude.com/docs/en/sub-agents, "Supported frontmatter fields".
 * - VS Code: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference.
 * - Cursor: cursor.com/docs/agent/subagents.
 */
export function readAgentFile(text: string, source: AgentSource): AgentReading {
  const { problems, ...result } = readFile(text, source, FORMAT);
  if ('skipped' in result) {
    const { why, name } = result.skipped;
    return { agents: [], skipped: [{ origin: atLine(source.origin, result.skipped), why, ...present({ name }) }], problems };
  }
  const { readsOnly, mode, servers, ...agent } = result.value;
  const allowedTools = readsOnly ? onlyReading(agent.allowedTools) : agent.allowedTools;
  return { agents: [{ ...agent, ...mode, ...servers, allowedTools }], skipped: [], problems };
}

function readName(file: Reading): string {
  const { frontMatter, fields, origin, source } = file;
  const line = file.lineOf('name');
  const given = fields.text('name');
  // In the folders of other programs, there are also files such as README.md.
  const isAgent = frontMatter.exists || /\.agent\.md$/i.test(origin.file);
  if (given === undefined && (NEEDED[source.dialect] || !isAgent)) {
    const why = frontMatter.exists ? t('The agent has no “{0}”.', 'name') : t('The file has no front matter with “{0}” and “{1}”.', 'name', 'description');
    file.fail(why, line);
    return '';
  }
  const written = given ?? nameOfFile(origin.file);
  // VS Code shows any name: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference, "Header fields".
  const name = source.dialect === 'vscode' && agentNameProblem(written) !== undefined ? usableAgentName(written) : written;
  const problem = agentNameProblem(name);
  if (problem !== undefined) file.fail(agentNameProblem(written) ?? problem, line);
  else if (name !== written) fields.problem({ name: given === undefined ? '' : 'name', line }, t('In Gnomon, the agent has the name “{0}”.', name), true);
  return name;
}

function readDescription(file: Reading): string {
  const description = file.fields.text('description');
  if (description === undefined && NEEDED[file.source.dialect])
    file.fail(t('The agent has no “{0}”, so nobody would know when to use it.', 'description'), file.lineOf('description'));
  return description ?? '';
}

/** The text of the file; `systemPrompt` is how programs name it (C17), and comes first where a file has both. */
function readPrompt(file: Reading): string | undefined {
  const { body, bodyLine } = file.frontMatter;
  const prompt = [file.fields.text('systemPrompt'), body.trim()].filter((part) => part !== undefined && part !== '').join('\n\n');
  if (prompt.length > MAX_PROMPT) file.fail(t('The text of the agent has more than {0} characters.', formatNumber(MAX_PROMPT)), bodyLine);
  return prompt === '' ? undefined : prompt;
}

/** @returns `undefined` where there is no such field; none where it cannot be read, which skips the agent */
function toolsIn(file: Reading, field: TakenField | undefined, read: typeof readTools): readonly string[] | undefined {
  if (field === undefined) return undefined;
  const tools = read(file.fields, field, toolDialect(file));
  if (tools === undefined) failAt(file, field);
  return tools ?? [];
}

function readReadsOnly(file: Reading): boolean {
  const { fields } = file;
  const field = fields.take('readonly');
  if (field === undefined) return false;
  if (typeof field.value !== 'boolean') {
    fields.refuse(field, t('“{0}” must be true or false.', 'readonly'));
    failAt(file, { ...field, name: 'readonly' });
  } else fields.report(field, 'used', field.value ? t('The agent only has tools that change nothing.') : undefined);
  return field.value === true;
}

function serversOf(file: Reading): Values['servers'] {
  const { fields, frontMatter, source } = file;
  const field = fields.take('mcpServers');
  if (field === undefined) return {};
  const servers = readServers(fields, field, frontMatter.lineAt);
  if (servers === undefined) {
    failAt(file, field);
    return {};
  }
  const { file: path, folder, ...origin } = source.origin;
  const reading = source.readServers(servers.defined, field.name, {
    scope: isFromRepository(origin) ? 'workspace' : 'user',
    format: source.dialect,
    file: path,
    ...present({ folder }),
  });
  fields.include({ problems: reading.problems, reports: [] });
  reportServers(fields, field, servers, reading);
  return { mcpServers: servers.names, ...(reading.entries.length === 0 ? {} : { definedServers: reading.entries }) };
}

/** Claude Code: code.claude.com/docs/en/sub-agents, `isolation`, whose only value is `worktree`. */
function readIsolation(fields: FrontMatterFields): 'worktree' | undefined {
  const field = fields.take('isolation');
  if (field === undefined) return undefined;
  if (field.value !== 'worktree') {
    fields.refuse(field, t('“{0}” must be “{1}”.', 'isolation', 'worktree'));
    return undefined;
  }
  fields.report(field, 'used', t('Where it is chosen for a chat, the agent works in the open folders.'));
  return 'worktree';
}

function isOn(flag: boolean | undefined): true | undefined {
  return flag === true ? true : undefined;
}

/**
 * VS Code: custom-agent-file-reference, "Header fields": `disable-model-invocation`, and `infer`, which it replaces and which is false where models do
 * not start the agent.
 */
function readNotForModels(file: Reading): true | undefined {
  const inferred = switchOf(file, 'infer');
  return isOn(switchOf(file, 'disable-model-invocation') ?? (inferred === undefined ? undefined : !inferred));
}

/** A switch that limits an agent, which skips it where that is neither on nor off. */
function switchOf(file: Reading, name: string): boolean | undefined {
  const field = file.fields.take(name);
  if (field === undefined) return undefined;
  if (typeof field.value === 'boolean') file.fields.report(field, 'used');
  else file.fail(t('“{0}” must be true or false.', name), field.line);
  return field.value === true;
}

/** VS Code: custom-agent-file-reference, "Header fields", `agents`: the names of those that it can start, `*` for all, an empty list for none. */
function startableIn(file: Reading, field: TakenField | undefined): readonly string[] | undefined {
  if (field === undefined) return undefined;
  const items = file.fields.items(field);
  if (items === undefined) {
    file.fail(t('“{0}” cannot be read, and without it the agent could start more agents than it should.', field.name), field.line);
    return [];
  }
  file.fields.report(field, 'used');
  // It is called as its file is read, see readName.
  const names = items.map(({ text }) => (text === '*' || agentNameProblem(text) === undefined ? text : usableAgentName(text)));
  return names.includes('*') ? undefined : names;
}

/** Skips an agent because of a field that limits it. */
function failAt(file: Reading, { name, line }: Pick<TakenField, 'name' | 'line'>): void {
  file.fail(t('“{0}” cannot be read, and without it the agent would have more tools than it should.', name), line);
}

/** Program whose tool names a file uses. */
function toolDialect({ source: { dialect } }: Reading): ToolDialect {
  return dialect === 'vscode' ? 'vscode' : 'claude';
}

/** Of a list with everything, all reading tools. */
function onlyReading(tools: readonly string[]): readonly string[] {
  return tools.includes('*') ? READING_TOOLS : tools.filter((tool) => READING_TOOLS.includes(tool));
}

/** Why fields of other programs have no effect here. */
function ignoredFields(): Readonly<Record<string, string>> {
  const nothing = t('Gnomon has nothing like it.');
  return {
    color: t('Gnomon shows agents without colors.'),
    memory: nothing,
    initialPrompt: t('Gnomon sends nothing automatically when you choose an agent.'),
    handoffs: t('Gnomon shows no buttons for handing over. Choose the other agent in the menu of the permission mode.'),
    'argument-hint': t('Gnomon shows no hint for the messages to an agent.'),
    target: nothing,
    mode: t('In Gnomon, every agent can be chosen for a chat.'),
    hidden: t('Write “{0}” to leave the agent out of the list.', 'user-invocable: false'),
    prompt: t('The text of the agent is what comes behind the front matter.'),
    omitClaudeMd: nothing,
    observer: nothing,
    version: nothing,
    author: nothing,
    license: nothing,
    metadata: nothing,
    tags: nothing,
    category: nothing,
    created: nothing,
    updated: nothing,
    temperature: nothing,
  };
}
