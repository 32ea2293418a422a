import { basename } from 'node:path';
import { SERVERS_SETTING } from '../../agent-host/servers/configurations.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { McpAgreement } from '../../domain/mcp/connection.js';
import type { McpToolInfo } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import { present } from '../../domain/present.js';
import type { ConsentChange } from '../../mcp/consent/consent.js';
import { describeEntry } from '../../mcp/consent/describe-entry.js';
import { type ImportableFile, importPreview } from '../../mcp/consent/import-preview.js';
import { changedTools, toolFingerprint } from '../../mcp/consent/tool-fingerprint.js';
import { hasIcon } from '../../mcp/servers/server-icon.js';
import type { McpTrafficLine } from '../../mcp/servers/traffic-log.js';
import type { ServerBudget as ToolBudget } from '../../mcp/tools/budget.js';
import type { ServerOffer } from '../../mcp/tools/toolset.js';
import type { ChangedScript } from '../../node/mcp/approved-scripts.js';
import type { ViewElicitation } from '../../protocol/elicitation.js';
import type { ServerConsent, ServerDetails, ServerImport, ServerInspection, ServerRow, ServersProblem } from '../../protocol/servers.js';
import { headOf } from '../../text/show.js';
import { textTokens } from '../../text/text-tokens.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import type { ServerParts } from '../ports.js';

/** Tools, prompts and resources of a server that a page lists, each. */
const MAX_ITEMS = 1_000;
/** Characters of all descriptions and differences that are sent to a page at once. */
const MAX_CHARACTERS = 4_000_000;
/** The programs whose files are read, by format. */
const PROGRAMS = { claude: 'Claude Code', vscode: 'VS Code', cursor: 'Cursor', gnomon: 'Gnomon' } as const;

/** Lines that programs print about themselves and not about what went wrong: places in their code, the end of what they show of an error, their version. */
const NO_REASON = /^(?:\s*(?:at\s|File "|\^|[{}\]]|code:)|Node\.js v|npm (?:ERR!|error) A complete log|node:)/;
/** Lines with an error, as most programs and languages print it. */
const ERROR = /^\s*(?:[\w.]*(?:Error|Exception)\b|(?:error|fatal|panic)\b)/i;
/** The newest lines in which a reason is looked for. */
const NEWEST = 40;
/** Characters of such a line. */
const MAX_SAID = 300;

/** Why a server is not running, with what its process said last, for which users would have to look into its output. */
export function reasonOf({ problem, entry, stderr }: Pick<McpServerState, 'problem' | 'entry' | 'stderr'>): string | undefined {
  if (problem === undefined || entry.config.type !== 'stdio') return problem;
  const lines = stderr.slice(-NEWEST).filter((line) => line.trim() !== '' && !NO_REASON.test(line));
  const line = lines.findLast((each) => ERROR.test(each)) ?? lines.at(-1);
  return line === undefined || problem.includes(line.trim()) ? problem : t('{0} It said: {1}', problem, headOf(line.trim(), MAX_SAID));
}

/** A server as the list shows it, with what only its window knows: what it takes in the chat, and whether there are tokens for it. */
export function rowOf(
  state: McpServerState,
  parts: ServerParts,
  { budget, signedIn, revision }: { readonly budget: ToolBudget | undefined; readonly signedIn: boolean; readonly revision: number },
): ServerRow {
  const { approvals, choices, configurations } = parts;
  const { id, entry, status, waitsFor, agreement, tools, prompts, resources, templates } = state;
  const { line, agents, scope, file } = entry.source;
  const { loading = entry.alwaysLoad === true ? 'always' : 'auto', off } = choices.of(entry);
  const refused = offerOf(state, parts)?.refused.length ?? 0;
  const switchedOff = loading === 'off' ? tools.length : tools.filter(({ name }) => off.includes(name)).length;
  const { deferred = false, definitionTokens = 0, resultTokens = 0 } = budget ?? {};
  const problem = reasonOf(state);
  return {
    id,
    name: escapeHidden(entry.name),
    status,
    ...present({ waitsFor, problem }),
    ...(agreement?.server === undefined ? {} : { server: { name: escapeHidden(agreement.server.name), version: escapeHidden(agreement.server.version) } }),
    // In a window, no other program brings any.
    source: {
      display: displayOf(file, configurations),
      scope: scope === 'program' ? 'user' : scope,
      ...present({ line }),
      ...(agents === undefined ? {} : { agents: agents.map(escapeHidden) }),
    },
    ...(hasIcon(state) ? { icon: true } : {}),
    tools: { all: tools.length, on: Math.max(0, tools.length - switchedOff - refused), changed: changedOf(state, parts).size, refused },
    prompts: prompts.length,
    resources: resources.length + templates.length,
    tokens: { sent: deferred ? 0 : definitionTokens, deferred: deferred ? definitionTokens : 0, results: resultTokens },
    budget: loading,
    ...(signedIn ? { signedIn } : {}),
    ...(approvals.ofEntry(entry) === undefined ? {} : { approved: true }),
    ...(approvals.hasMore(entry) ? { hasMore: true } : {}),
    revision,
  };
}

/** Display name of a file that configures servers. */
function displayOf(file: string, { current }: ServerParts['configurations']): string {
  return file === SERVERS_SETTING ? SERVERS_SETTING : escapeHidden(current.displays.get(file) ?? basename(file));
}

function offerOf({ id }: McpServerState, { offered }: ServerParts): ServerOffer | undefined {
  return offered.toolset.servers.find((offer) => offer.id === id);
}

/** The tools that differ from what the user accepted, by name, with what was accepted; none before anything was. */
function changedOf({ entry, tools }: McpServerState, { approvals }: ServerParts): ReadonlyMap<string, { readonly before: string; readonly after: string }> {
  const accepted = [...approvals.acceptedTools(entry).values()];
  if (accepted.length === 0 || tools.length === 0) return new Map();
  return new Map(
    changedTools(accepted, tools).flatMap((change) =>
      change.change === 'gone' ? [] : [[change.name, { before: change.change === 'changed' ? change.before : '', after: change.after }] as const],
    ),
  );
}

/** Details of a server, limited to what a page can list. Texts are complete or absent. */
export async function detailsOf(state: McpServerState, parts: ServerParts): Promise<ServerDetails> {
  const { entry, tools, prompts, resources, templates, agreement, warnings } = state;
  const { off } = parts.choices.of(entry);
  const refused = new Map(offerOf(state, parts)?.refused.map(({ name, reason }) => [name, reason]));
  const changes = changedOf(state, parts);
  const diffs = new Map<string, string>();
  for (const [name, sides] of changes) diffs.set(name, await unifiedDiff(name, sides));
  const room = { left: MAX_CHARACTERS };
  const listed = {
    tools: within(
      room,
      tools.map((tool) => toolView(tool, { on: !off.includes(tool.name), diff: diffs.get(tool.name), refused: refused.get(tool.name) })),
    ),
    prompts: within(
      room,
      prompts.map((prompt) => ({ name: escapeHidden(prompt.name), ...wordsOf(prompt) })),
    ),
    resources: within(room, [
      ...resources.map(({ uri, name, title = name, description }) => ({ name: escapeHidden(uri), ...wordsOf({ title, description }) })),
      ...templates.map(({ uriTemplate, name, title = name, description }) => ({ name: escapeHidden(uriTemplate), ...wordsOf({ title, description }) })),
    ]),
  };
  const all = tools.length + prompts.length + resources.length + templates.length;
  return {
    ...listed,
    left: all - listed.tools.length - listed.prompts.length - listed.resources.length,
    ...(agreement?.instructions === undefined ? {} : { instructions: shownLines(agreement.instructions) }),
    warnings,
  };
}

function toolView(
  tool: McpToolInfo,
  { on, diff, refused }: { readonly on: boolean; readonly diff: string | undefined; readonly refused: string | undefined },
): ServerDetails['tools'][number] {
  const { name, description, inputSchema, annotations } = tool;
  const tokens = textTokens(JSON.stringify([name, description, inputSchema]));
  return {
    ...{ name, ...wordsOf(tool), on, tokens, annotations },
    ...(diff === undefined ? {} : { changed: { hash: toolFingerprint(tool), diff } }),
    ...present({ refused }),
  };
}

function wordsOf({ title, description }: { readonly title?: string | undefined; readonly description?: string | undefined }): {
  readonly title?: string;
  readonly description?: string;
} {
  return { ...(title === undefined ? {} : { title: escapeHidden(title) }), ...(description === undefined ? {} : { description: shownLines(description) }) };
}

/** Those that fit into what is left of the room, which they take. */
function within<Item extends object>(room: { left: number }, items: readonly Item[]): readonly Item[] {
  const fitting: Item[] = [];
  for (const item of items.slice(0, MAX_ITEMS)) {
    room.left -= JSON.stringify(item).length;
    if (room.left < 0) break;
    fitting.push(item);
  }
  return fitting;
}

/** A text of a server with its lines, and everything hidden in it visible. */
function shownLines(text: string): string {
  return text.split(/\r?\n/).map(escapeHidden).join('\n');
}

/** Effects of starting a server, with the changes since it was approved; `undefined` when there is nothing to approve. */
export async function consentOf({ entry }: McpServerState, { approvals }: ServerParts): Promise<ServerConsent | undefined> {
  const judged = await approvals.judge(entry);
  const { effective, verdict, notBound, hasMore } = judged;
  if (verdict === 'approved' && !hasMore) return undefined;
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
    changes: typeof verdict === 'string' ? [] : await changesOf(verdict, await approvals.changedScripts(judged)),
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

/** Connection state and messages of a server, for the inspector. */
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

/** A problem of a configuration as the list shows it. */
export function problemView({ file, key, line, message, harmless }: ConfigProblem, configurations: ServerParts['configurations']): ServersProblem {
  return {
    id: JSON.stringify([file, key, line ?? 0, message]),
    display: displayOf(file, configurations),
    key: escapeHidden(key),
    message,
    ...present({ line }),
    ...(harmless === true ? { harmless } : {}),
  };
}

/** Elicitation and sampling requests in a chat, oldest first. */
export function elicitationsOf(asking: Pick<ServerParts['asking'], 'open'>, session: string): readonly ViewElicitation[] {
  return asking.open(session).map(({ id, server, asked, ownHost }) => ({ id, server, asked, ...present({ ownHost }) }));
}

/** The files of other programs, as the import shows them. */
export async function importsOf({ configurations, ports }: ServerParts): Promise<readonly ServerImport[]> {
  await configurations.read();
  const { files, servers } = configurations.current;
  const own = servers.flatMap(({ entry }) => (entry.source.file === SERVERS_SETTING ? [entry] : []));
  const formats = new Map(files.map(({ source: { file, format } }) => [file, format]));
  return importPreview(files, ports.folders.paths(), own).map((file) => importView(file, PROGRAMS[formats.get(file.file) ?? 'claude']));
}

/** Names a server of a configuration file. */
export function importKey(file: string, name: string): string {
  return JSON.stringify([file, name]);
}

function importView({ file, display, servers, problems }: ImportableFile, program: string): ServerImport {
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
