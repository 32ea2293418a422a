import type { AgentFile } from '../../domain/config/agent.js';
import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { FrontMatterFields } from '../front-matter/front-matter-fields.js';
import { type FrontMatter, readFrontMatter } from '../../text/front-matter/read-front-matter.js';
import type { ToolDialect } from '../tool-names.js';
import { agentNameProblem, nameOfFile, usableAgentName } from './agent-name.js';
import type { AgentReading, ServerReader } from './agent-reading.js';
import { readMaxTurns, readMode, readServers, readSkills, reportServers } from './agent-fields.js';
import { readEffort, readModel } from '../front-matter/turn-fields.js';
import { readHooks } from '../hooks/front-matter-hooks.js';
import { readDisallowedTools, readTools } from './read-tools.js';

/** Whose form an agent has. */
export type AgentDialect = 'claude' | 'vscode' | 'cursor';

/** Where an agent is read from. */
export interface AgentSource {
  readonly origin: ConfigOrigin;
  readonly dialect: AgentDialect;
  readonly readServers: ServerReader;
}

/** Characters of what an agent is told. */
const MAX_PROMPT = 200_000;
/** Whether an agent must have a name and a description. Otherwise, its name is that of its file. */
const NEEDED: Readonly<Record<AgentDialect, boolean>> = { claude: true, vscode: false, cursor: false };
/** What an agent of Cursor with `readonly` may do: nothing that changes anything. */
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
  'skills',
  'mcpServers',
  'hooks',
  'user-invocable',
  'readonly',
];

/**
 * Reads one file with an agent. A mistake that would give the agent more than the file says, or leaves it without a name, skips it;
 * any other is reported.
 *
 * - Claude Code, and Gnomon: code.claude.com/docs/en/sub-agents, "Supported frontmatter fields".
 * - VS Code: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference.
 * - Cursor: cursor.com/docs/agent/subagents.
 */
export function readAgentFile(text: string, source: AgentSource): AgentReading {
  const { origin } = source;
  const frontMatter = readFrontMatter(text, { file: origin.file });
  const { problems } = frontMatter;
  if (frontMatter.broken !== undefined) return { agents: [], skipped: [{ origin: atLine(origin, problems[0]), why: frontMatter.broken }], problems };
  return new AgentFileReader(frontMatter, source).read();
}

class AgentFileReader {
  private readonly fields: FrontMatterFields;
  private readonly dialect: ToolDialect;
  private failed: { readonly why: string; readonly line?: number } | undefined;

  constructor(
    private readonly frontMatter: FrontMatter,
    private readonly source: AgentSource,
  ) {
    this.fields = new FrontMatterFields(frontMatter.fields, source.origin.file);
    this.dialect = source.dialect === 'vscode' ? 'vscode' : 'claude';
  }

  read(): AgentReading {
    const { origin } = this.source;
    const name = this.name();
    const agent = this.agent(name);
    this.fields.ignore(ignoredFields());
    this.fields.rest(KNOWN_FIELDS);
    this.noteHidden('description', agent.description, this.frontMatter.lineAt(['description']) ?? 1);
    this.noteHidden('', this.frontMatter.body, this.frontMatter.bodyLine);
    const problems = [...this.frontMatter.problems, ...this.fields.problems];
    if (this.failed === undefined) return { agents: [{ ...agent, fields: this.fields.reports }], skipped: [], problems };
    const { why, line } = this.failed;
    const isListed = problems.some(({ message, harmless }) => message === why && harmless !== true);
    const here = { file: origin.file, key: '', ...(line === undefined ? {} : { line }), message: why };
    return {
      agents: [],
      skipped: [{ origin: atLine(origin, this.failed), ...(name === '' ? {} : { name }), why }],
      problems: isListed ? problems : [here, ...problems],
    };
  }

  private agent(name: string): AgentFile {
    const {
      fields,
      source: { origin },
    } = this;
    const description = this.description();
    const systemPrompt = this.prompt();
    const tools = this.tools();
    const model = readModel(fields);
    const mode = readMode(fields, origin);
    const maxTurns = readMaxTurns(fields);
    const effort = readEffort(fields);
    const skills = readSkills(fields);
    const servers = this.servers();
    const hooks = readHooks(fields, {
      origin,
      owner: { kind: 'agent', name },
      lineAt: this.frontMatter.lineAt,
      ofVsCode: this.source.dialect === 'vscode',
      note: isFromRepository(origin) ? t('They run only after you have approved them.') : undefined,
    });
    const userInvocable = fields.flag('user-invocable') ?? true;
    return {
      name,
      description,
      ...(systemPrompt === '' ? {} : { systemPrompt }),
      ...tools,
      ...(model === undefined ? {} : { model }),
      ...mode,
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(effort === undefined ? {} : { effort }),
      skills,
      ...servers,
      hooks,
      userInvocable,
      origin,
      fields: [],
    };
  }

  private name(): string {
    const { origin, dialect } = this.source;
    const line = this.frontMatter.lineAt(['name']);
    const given = this.fields.text('name');
    // In the folders of other programs, there are also files such as README.md.
    const isAgent = this.frontMatter.exists || /\.agent\.md$/i.test(origin.file);
    if (given === undefined && (NEEDED[dialect] || !isAgent)) {
      this.fail(
        this.frontMatter.exists ? t('The agent has no “{0}”.', 'name') : t('The file has no front matter with “{0}” and “{1}”.', 'name', 'description'),
        line ?? 1,
      );
      return '';
    }
    const written = given ?? nameOfFile(origin.file);
    // VS Code shows any name: code.visualstudio.com/docs/agents/reference/custom-agent-file-reference, "Header fields".
    const name = dialect === 'vscode' && agentNameProblem(written) !== undefined ? usableAgentName(written) : written;
    const problem = agentNameProblem(name);
    if (problem !== undefined) this.fail(agentNameProblem(written) ?? problem, line ?? 1);
    else if (name !== written) {
      const place = { name: given === undefined ? '' : 'name', line: line ?? 1 };
      this.fields.problem(place, t('In Gnomon, the agent has the name “{0}”.', name), true);
    }
    return name;
  }

  private description(): string {
    const description = this.fields.text('description');
    if (description === undefined && NEEDED[this.source.dialect])
      this.fail(t('The agent has no “{0}”, so nobody would know when to use it.', 'description'), this.frontMatter.lineAt(['description']) ?? 1);
    return description ?? '';
  }

  /** The text of the file; `systemPrompt` is how programs name it (C17), and comes first where a file has both. */
  private prompt(): string {
    const field = this.fields.text('systemPrompt');
    const prompt = [field, this.frontMatter.body.trim()].filter((part) => part !== undefined && part !== '').join('\n\n');
    if (prompt.length > MAX_PROMPT) this.fail(t('The text of the agent has more than {0} characters.', formatNumber(MAX_PROMPT)), this.frontMatter.bodyLine);
    return prompt;
  }

  private tools(): Pick<AgentFile, 'allowedTools' | 'disallowedTools'> {
    const { fields, dialect } = this;
    const list = fields.take('tools', 'allowedTools');
    const allowedTools = list === undefined ? ['*'] : readTools(fields, list, dialect);
    const taken = fields.take('disallowedTools');
    const disallowedTools = taken === undefined ? [] : readDisallowedTools(fields, taken, dialect);
    for (const [field, tools] of [
      [list, allowedTools],
      [taken, disallowedTools],
    ] as const) {
      if (field !== undefined && tools === undefined)
        this.fail(t('“{0}” cannot be read, and without it the agent would have more tools than it should.', field.name), field.line);
    }
    const readsOnly = this.readsOnly() && allowedTools !== undefined;
    return { allowedTools: readsOnly ? onlyReading(allowedTools) : (allowedTools ?? []), disallowedTools: disallowedTools ?? [] };
  }

  private readsOnly(): boolean {
    const field = this.fields.take('readonly');
    if (field === undefined) return false;
    if (typeof field.value !== 'boolean') {
      this.fields.refuse(field, t('“{0}” must be true or false.', 'readonly'));
      this.fail(t('“{0}” cannot be read, and without it the agent would have more tools than it should.', 'readonly'), field.line);
    } else this.fields.report(field, 'used', field.value ? t('The agent only has tools that change nothing.') : undefined);
    return field.value === true;
  }

  private servers(): Pick<AgentFile, 'mcpServers' | 'definedServers'> {
    const field = this.fields.take('mcpServers');
    if (field === undefined) return {};
    const servers = readServers(this.fields, field, this.frontMatter.lineAt);
    if (servers === undefined) {
      this.fail(t('“{0}” cannot be read, and without it the agent would have more tools than it should.', field.name), field.line);
      return {};
    }
    const {
      origin: { file, folder, ...origin },
      dialect,
      readServers: read,
    } = this.source;
    const reading = read(servers.defined, field.name, {
      scope: isFromRepository(origin) ? 'workspace' : 'user',
      format: dialect,
      file,
      ...(folder === undefined ? {} : { folder }),
    });
    this.fields.include({ problems: reading.problems, reports: [] });
    reportServers(this.fields, field, servers, reading);
    return { mcpServers: servers.names, ...(reading.entries.length === 0 ? {} : { definedServers: reading.entries }) };
  }

  private noteHidden(name: string, text: string, line: number): void {
    const { hidden } = withoutUnseen(text);
    if (hidden !== undefined)
      this.fields.problem({ name, line }, t('The text contains characters that cannot be seen: {0}. Look at it before you use the agent.', hidden));
  }

  private fail(why: string, line: number | undefined): void {
    this.failed ??= { why, ...(line === undefined ? {} : { line }) };
  }
}

/** Of a list with everything, all reading tools. */
function onlyReading(tools: readonly string[]): readonly string[] {
  return tools.includes('*') ? READING_TOOLS : tools.filter((tool) => READING_TOOLS.includes(tool));
}

function atLine(origin: ConfigOrigin, place: { readonly line?: number } | undefined): ConfigOrigin {
  return place?.line === undefined ? origin : { ...origin, line: place.line };
}

/** Why fields of other programs have no effect here. */
function ignoredFields(): Readonly<Record<string, string>> {
  const nothing = t('Gnomon has nothing like it.');
  const noAgents = t('Agents do not start other agents in Gnomon.');
  const inChat = t('In Gnomon, an agent works in the chat.');
  return {
    color: t('Gnomon shows agents without colors.'),
    memory: nothing,
    background: inChat,
    is_background: inChat,
    isolation: t('In Gnomon, an agent works in the open folders, and not in a copy of them.'),
    initialPrompt: t('Gnomon sends nothing by itself when you choose an agent.'),
    agents: noAgents,
    handoffs: noAgents,
    infer: noAgents,
    'disable-model-invocation': noAgents,
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
