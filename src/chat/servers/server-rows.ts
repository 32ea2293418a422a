import { present } from '../../domain/present.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpAgreement } from '../../domain/mcp/connection.js';
import type { McpToolInfo } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { ConsentChange } from '../../mcp/consent/consent.js';
import { describeEntry } from '../../mcp/consent/describe-entry.js';
import type { ImportableFile } from '../../mcp/consent/import-preview.js';
import type { ChangedScript } from '../../node/mcp/approved-scripts.js';
import { hasIcon } from '../../mcp/servers/server-icon.js';
import type { McpTrafficLine } from '../../mcp/servers/traffic-log.js';
import type { ServerBudget as ToolBudget } from '../../mcp/tools/budget.js';
import type { ServerOffer, ToolLoading } from '../../mcp/tools/toolset.js';
import type { ServerConsent, ServerDetails, ServerImport, ServerInspection, ServerRow, ServersProblem, ServerTool } from '../../protocol/servers.js';
import { headOf } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import type { Judged } from '../../agent-host/servers/approvals.js';

/** What a line of the list is made from. */
export interface RowFacts {
  readonly state: McpServerState;
  /** Absent while it is not connected. */
  readonly offer: ServerOffer | undefined;
  readonly budget: ToolBudget | undefined;
  readonly loading: ToolLoading;
  /** Names of tools that the user switched off. */
  readonly off: readonly string[];
  /** Names of tools that differ from what the user accepted. */
  readonly changed: ReadonlySet<string>;
  readonly approved: boolean;
  /** Whether more is bound of it than when it was approved. */
  readonly hasMore: boolean;
  readonly signedIn: boolean;
  /** Short form of the path of its configuration. */
  readonly display: string;
  readonly revision: number;
}

/** Lines that programs print about themselves and not about what went wrong: places in their code, the end of what they show of an error, their version. */
const NO_REASON = /^(?:\s*(?:at\s|File "|\^|[{}\]]|code:)|Node\.js v|npm (?:ERR!|error) A complete log|node:)/;
/** Lines with an error, as most programs and languages print it. */
const ERROR = /^\s*(?:[\w.]*(?:Error|Exception)\b|(?:error|fatal|panic)\b)/i;
/** The newest lines in which a reason is looked for. */
const NEWEST = 40;
/** Characters of such a line. */
const MAX_SAID = 300;

/** Why a server is not running, with what its process said last, for which users would have to look into its output. */
function withReason(problem: string, { entry, stderr }: Pick<McpServerState, 'entry' | 'stderr'>): string {
  if (entry.config.type !== 'stdio') return problem;
  const lines = stderr.slice(-NEWEST).filter((line) => line.trim() !== '' && !NO_REASON.test(line));
  const line = lines.findLast((each) => ERROR.test(each)) ?? lines.at(-1);
  return line === undefined || problem.includes(line.trim()) ? problem : t('{0} It said: {1}', problem, headOf(line.trim(), MAX_SAID));
}

/** A server as the list shows it. */
export function rowOf({ state, offer, budget, loading, off, changed, approved, hasMore, signedIn, display, revision }: RowFacts): ServerRow {
  const { id, entry, status, waitsFor, problem, agreement, tools, prompts, resources, templates } = state;
  const { line, agents } = entry.source;
  const refused = offer?.refused.length ?? 0;
  const switchedOff = loading === 'off' ? tools.length : tools.filter(({ name }) => off.includes(name)).length;
  const definitions = budget?.definitionTokens ?? 0;
  return {
    id,
    name: escapeHidden(entry.name),
    status,
    ...present({ waitsFor }),
    ...(problem === undefined ? {} : { problem: withReason(problem, state) }),
    ...(agreement?.server === undefined ? {} : { server: { name: escapeHidden(agreement.server.name), version: escapeHidden(agreement.server.version) } }),
    source: { display, scope: entry.source.scope, ...present({ line }), ...(agents === undefined ? {} : { agents: agents.map(escapeHidden) }) },
    ...(hasIcon(state) ? { icon: true } : {}),
    tools: { all: tools.length, on: Math.max(0, tools.length - switchedOff - refused), changed: changed.size, refused },
    prompts: prompts.length,
    resources: resources.length + templates.length,
    tokens: { sent: budget?.deferred === true ? 0 : definitions, deferred: budget?.deferred === true ? definitions : 0, results: budget?.resultTokens ?? 0 },
    budget: loading,
    ...(signedIn ? { signedIn } : {}),
    ...(approved ? { approved } : {}),
    ...(hasMore ? { hasMore } : {}),
    revision,
  };
}

/** What a tool of the list of a server is made from. */
export interface ToolFacts {
  readonly offer: ServerOffer | undefined;
  readonly off: readonly string[];
  readonly tokens: (tool: McpToolInfo) => number;
  /** How tools differ from what the user accepted, by name. */
  readonly changed: ReadonlyMap<string, { readonly hash: string; readonly diff: string }>;
}

/** What is known of a server beside its line. */
export function detailsOf({ tools, prompts, resources, templates, agreement, warnings }: McpServerState, facts: ToolFacts): ServerDetails {
  const item = ({ title, description }: { readonly title?: string; readonly description?: string }): { title?: string; description?: string } => ({
    ...(title === undefined ? {} : { title: escapeHidden(title) }),
    ...(description === undefined ? {} : { description: shownLines(description) }),
  });
  return {
    tools: tools.map((tool) => toolView(tool, facts)),
    prompts: prompts.map((prompt) => ({ name: escapeHidden(prompt.name), ...item(prompt) })),
    resources: [
      ...resources.map((resource) => ({ name: escapeHidden(resource.uri), ...item({ ...resource, title: resource.title ?? resource.name }) })),
      ...templates.map((template) => ({ name: escapeHidden(template.uriTemplate), ...item({ ...template, title: template.title ?? template.name }) })),
    ],
    left: 0,
    ...(agreement?.instructions === undefined ? {} : { instructions: shownLines(agreement.instructions) }),
    warnings,
  };
}

function toolView(tool: McpToolInfo, { offer, off, tokens, changed }: ToolFacts): ServerTool {
  const { name, title, description, annotations } = tool;
  const refused = offer?.refused.find((each) => each.name === name)?.reason;
  const change = changed.get(name);
  return {
    name,
    ...(title === undefined ? {} : { title: escapeHidden(title) }),
    ...(description === undefined ? {} : { description: shownLines(description) }),
    on: !off.includes(name),
    tokens: tokens(tool),
    annotations,
    ...present({ changed: change, refused }),
  };
}

/** A text of a server with its lines, and everything hidden in it visible. */
function shownLines(text: string): string {
  return text.split(/\r?\n/).map(escapeHidden).join('\n');
}

/** What a server would do when it starts, and how that differs from what was approved. */
export async function consentView(
  state: McpServerState,
  { effective, verdict, notBound, hasMore }: Judged,
  scripts: readonly ChangedScript[],
): Promise<ServerConsent> {
  const { entry } = state;
  const { type, command, args, cwd, envFile, env, url, headers, inputs, warnings } = describeEntry(entry, 'binding');
  const oauth = entry.config.type === 'http' || entry.config.type === 'sse' ? entry.config.oauth : undefined;
  const isProcess = type === 'stdio';
  return {
    hash: effective.hash,
    transport: type,
    ...present({ command }),
    ...(isProcess ? { args, env } : {}),
    ...present({ cwd, envFile }),
    ...(url === undefined ? {} : { url, headers }),
    ...(oauth?.clientId === undefined ? {} : { clientId: escapeHidden(oauth.clientId) }),
    ...(oauth?.scopes === undefined ? {} : { scopes: oauth.scopes.map(escapeHidden) }),
    scripts: [...effective.files.map(({ path }) => path), ...effective.folders.map(({ path }) => `${path}/`)],
    warnings: [
      ...(hasMore ? [t('Gnomon now binds more of what it runs than when you approved it.')] : []),
      ...notBound,
      ...warnings,
      ...(inputs.length === 0 ? [] : [t('You are asked for these values before it starts: {0}.', inputs.join(', '))]),
    ],
    changes: typeof verdict === 'string' ? [] : await changesOf(verdict, scripts),
  };
}

async function changesOf({ before, after }: ConsentChange, scripts: readonly ChangedScript[]): Promise<ServerConsent['changes']> {
  const configuration = {
    title: t('Configuration'),
    path: 'configuration.txt',
    diff: await unifiedDiff('configuration', { before: `${before}\n`, after: `${after}\n` }),
  };
  const ofScripts = scripts.map(async ({ path, ...sides }) => ({ title: path, path, diff: await unifiedDiff(path, sides) }));
  return [configuration, ...(await Promise.all(ofScripts))];
}

/** How a connection is, and what went over it. */
export function inspectionOf({ agreement, restarts, stderr }: McpServerState, traffic: readonly McpTrafficLine[]): ServerInspection {
  return {
    ...(agreement === undefined ? {} : { agreement: agreementView(agreement) }),
    restarts,
    stderr,
    messages: traffic.map(({ seq, direction, method, id, latencyMs, text, error }) => ({
      ...{ seq, direction, size: Buffer.byteLength(text) },
      ...(method === undefined ? {} : { method: escapeHidden(method) }),
      ...(id === undefined ? {} : { rpcId: escapeHidden(id) }),
      ...present({ latencyMs, error }),
    })),
  };
}

function agreementView({ era, revision, transport, capabilities }: McpAgreement): NonNullable<ServerInspection['agreement']> {
  return { era, revision, transport, capabilities: Object.entries(capabilities).flatMap(([name, has]) => (has ? [name] : [])) };
}

/** A problem of a configuration as the list shows it. @param display short form of its file's path */
export function problemView({ file, key, line, message, harmless }: ConfigProblem, display: string): ServersProblem {
  return {
    id: JSON.stringify([file, key, line ?? 0, message]),
    display,
    key: escapeHidden(key),
    message,
    ...present({ line }),
    ...(harmless === true ? { harmless } : {}),
  };
}

/** Names a server of a configuration file. */
export function importKey(file: string, name: string): string {
  return JSON.stringify([file, name]);
}

/** A configuration file as the import shows it. */
export function importView({ file, display, servers, problems }: ImportableFile, program: string): ServerImport {
  return {
    display,
    program,
    servers: servers.map(({ name, starts, known, problems: own }) => {
      const refused = refusalOf(known, own.find(({ harmless }) => harmless !== true)?.message);
      return {
        key: importKey(file, name),
        name,
        starts: starts ?? '',
        unmapped: own.filter(({ harmless }) => harmless === true).map(({ message }) => message),
        ...present({ refused }),
      };
    }),
    ...(problems[0] === undefined ? {} : { problem: problems[0].message }),
  };
}

function refusalOf(known: 'no' | 'same' | 'other', problem: string | undefined): string | undefined {
  if (problem !== undefined) return problem;
  if (known === 'same') return t('It is in Gnomon’s configuration already.');
  return known === 'other' ? t('There is another server of this name in Gnomon’s configuration.') : undefined;
}
