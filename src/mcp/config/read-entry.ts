import { present } from '../../domain/present.js';
import type { Node } from 'jsonc-parser';
import { formatNumber, t } from '../../domain/l10n.js';
import {
  MCP_TRANSPORTS,
  type McpConfig,
  type McpEntry,
  type McpOAuthConfig,
  type McpRemoteConfig,
  type McpSource,
  type McpStdioConfig,
  type McpTransport,
} from '../../domain/mcp/config.js';
import { isHeaderName, isHeaderValue, isVariableName, schemeProblem, urlProblem } from './addresses.js';
import type { JsonDocument, Property } from '../../text/json-document.js';
import { EntryFields, unknownKey } from './entry-fields.js';
import { shownName } from '../../text/key-path.js';
import { serverId } from '../../domain/mcp/tool-name.js';
import { parseTemplate } from './template.js';

/** Characters of an entry in its file: everything in it is shown in full before it is approved. */
const MAX_ENTRY_CHARACTERS = 32_000;
/** Arguments of a command line: each is looked for among the files of the workspace. */
const MAX_ARGS = 200;
/** Milliseconds: below, seconds were meant; above, never. */
const TIMEOUT_RANGE = { least: 1_000, most: 24 * 60 * 60 * 1_000 };
/** Keys that other programs show or keep to themselves. */
const SILENT: ReadonlySet<string> = new Set(['name', 'description', 'title', 'icon', 'gallery', 'version', '$schema', '_comment', 'comment']);
/** Keys by which other programs run tools without asking. */
const PERMITTING: ReadonlySet<string> = new Set(['autoApprove', 'alwaysAllow', 'trust']);

/** Keys that some type of server has. */
const OTHER_TYPES: ReadonlySet<string> = new Set(['command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers', 'oauth', 'auth']);

/** Where an entry is. */
export interface EntryPlace {
  readonly property: Property;
  /** Of keys, to the entry. */
  readonly path: readonly (string | number)[];
  readonly source: McpSource;
}

/** Characters of a name: with `mcp__`, the name of a tool, and `__` it has to fit the names of tools that models accept. */
const MAX_SERVER_NAME = 64;

/** Property names of `Object.prototype`: a server of such a name could be confused with them where names are keys. */
const INBORN: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Why a server cannot have a name; `undefined` when it can. */
function serverNameProblem(name: string): string | undefined {
  if (name.trim() === '') return t('The server has no name.');
  if (name.length > MAX_SERVER_NAME) return t('The name of the server has more than {0} characters.', MAX_SERVER_NAME);
  const id = serverId(name);
  if (id === '') return t('The name of the server must contain a letter or digit from A to Z, a to z, or 0 to 9, so that its tools can be named.');
  if (INBORN.has(name) || INBORN.has(id))
    return t('This name cannot be used for a server, because it has a meaning of its own in JavaScript. Choose another one.');
  return undefined;
}

/** Reads an entry; `undefined` when something is wrong that its server cannot do without, which is noted in the document. */
export function readEntry(document: JsonDocument, { property, path, source }: EntryPlace): McpEntry | undefined {
  const { name, nameNode, value } = property;
  const fields = new EntryFields(document, { path, node: value, format: source.format });
  const problem = serverNameProblem(name) ?? (value.type === 'object' ? sizeProblem(value) : t('A server must be an object in braces.'));
  if (problem !== undefined) fields.fail([], problem, nameNode);
  if (problem !== undefined || fields.hasFailed()) return undefined;
  if (serverId(name) !== name) fields.note([], t('Rules and the names of its tools call this server “{0}”.', serverId(name)), nameNode);
  const disabled = fields.flag('disabled') || isSwitchedOff(fields);
  const timeoutMs = timeoutOf(fields);
  const alwaysLoad = fields.flag('alwaysLoad');
  const config = configOf(fields);
  if (config === undefined) return undefined;
  for (const left of fields.rest) noteUnused(fields, left);
  if (fields.hasFailed()) return undefined;
  return { name, source, config, ...present({ timeoutMs }), ...(alwaysLoad ? { alwaysLoad } : {}), ...(disabled ? { disabled } : {}) };
}

function sizeProblem({ length }: Node): string | undefined {
  return length > MAX_ENTRY_CHARACTERS
    ? t('The entry has more than {0} characters, too many to be looked at before it is approved.', formatNumber(MAX_ENTRY_CHARACTERS))
    : undefined;
}

function isSwitchedOff(fields: EntryFields): boolean {
  return fields.has('enabled') && !fields.flag('enabled');
}

function timeoutOf(fields: EntryFields): number | undefined {
  const value = fields.take('timeout')?.value;
  if (value === undefined) return undefined;
  const timeout: unknown = value.value;
  if (typeof timeout === 'number' && timeout >= TIMEOUT_RANGE.least && timeout <= TIMEOUT_RANGE.most) return Math.round(timeout);
  fields.note(
    ['timeout'],
    t('The timeout must be a number of milliseconds from {0} to {1}. It is ignored.', formatNumber(TIMEOUT_RANGE.least), formatNumber(TIMEOUT_RANGE.most)),
    value,
  );
  return undefined;
}

function configOf(fields: EntryFields): McpConfig | undefined {
  const type = typeOf(fields);
  switch (type) {
    case 'stdio':
      return stdioOf(fields);
    case 'http':
    case 'sse':
      return remoteOf(fields, type);
    case 'sdk': {
      const name = fields.text('name', { variables: false });
      if (name === undefined && !fields.hasFailed()) fields.fail([], t('A server of type “sdk” needs a “name”: the one under which it was registered.'));
      return name === undefined ? undefined : { type, name };
    }
    case undefined:
      return undefined;
  }
}

/** The transport that an entry names, or that what it contains is for. */
function typeOf(fields: EntryFields): McpTransport | undefined {
  const named = fields.take('type')?.value;
  if (named !== undefined) return namedType(fields, named);
  const hasCommand = fields.has('command');
  const hasUrl = fields.has('url');
  if (hasCommand !== hasUrl) return hasCommand ? 'stdio' : 'http';
  const message = hasCommand
    ? t('The server has a “command” and a “url”. Keep the one that is meant, or add a “type”.')
    : t('The server has neither a “command” to start nor a “url” to connect to.');
  fields.fail([], message);
  return undefined;
}

function namedType(fields: EntryFields, node: Node): McpTransport | undefined {
  const value: unknown = node.value;
  const type = MCP_TRANSPORTS.find((each) => each === value);
  if (type !== undefined) return type;
  // The name that the specification has for it, which Claude Code accepts (code.claude.com/docs/en/mcp).
  if (value === 'streamable-http') return 'http';
  // GitHub’s name for a process (docs.github.com/copilot/reference/custom-agents-configuration).
  if (value === 'local') return 'stdio';
  const message =
    value === 'ws'
      ? t('Gnomon cannot connect to servers of type “ws”. Possible types are {0}.', MCP_TRANSPORTS.join(', '))
      : t('Gnomon does not know the type “{0}”. Possible types are {1}.', shownName(typeof value === 'string' ? value : node.type), MCP_TRANSPORTS.join(', '));
  fields.fail(['type'], message, node);
  return undefined;
}

function stdioOf(fields: EntryFields): McpStdioConfig | undefined {
  if (!fields.has('command')) fields.fail([], t('The “command” is missing: the program that is the server.'));
  const command = fields.text('command');
  const args = fields.texts('args');
  if (args.length > MAX_ARGS) fields.fail(['args'], t('The server has more than {0} arguments.', MAX_ARGS));
  args.forEach((arg, index) => {
    if (arg === '') fields.note(['args', index], t('The argument is empty; the program is given an empty text.'));
  });
  const env = fields.record('env', { lenient: fields.format === 'vscode' });
  for (const name of Object.keys(env)) if (!isVariableName(name)) fields.fail(['env', name], t('This cannot be the name of a variable of the environment.'));
  const cwd = fields.text('cwd');
  const envFile = fields.text('envFile');
  if (command === undefined) return undefined;
  const problem = commandProblem(command);
  if (problem !== undefined) fields.fail(['command'], problem);
  return { type: 'stdio', command, args, env, ...present({ cwd, envFile }) };
}

/** Why a command cannot be started; `undefined` when it can. */
export function commandProblem(command: string): string | undefined {
  if (command.trim() === '') return t('The command is empty.');
  if (command !== command.trim()) return t('The command begins or ends with a space.');
  const [first = '', ...more] = command.split(/\s+/);
  // A path may contain spaces; a name that is looked up never does.
  if (more.length > 0 && !/[\\/$]/.test(first)) return t('The command must be a program alone. Put what follows it into “args”.');
  return undefined;
}

function remoteOf(fields: EntryFields, type: 'http' | 'sse'): McpRemoteConfig | undefined {
  if (!fields.has('url')) fields.fail([], t('The “url” is missing: the address of the server.'));
  const url = fields.text('url');
  const headers = fields.record('headers');
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name)) fields.fail(['headers', name], t('This cannot be the name of a header.'));
    else if (!isHeaderValue(value)) fields.fail(['headers', name], t('The value contains characters that no header can have.'));
  }
  const oauth = oauthOf(fields);
  if (url === undefined) return undefined;
  const problem = writtenUrlProblem(url, fields);
  if (problem !== undefined) fields.fail(['url'], problem);
  return { type, url, headers, ...present({ oauth }) };
}

/** Checks an address as far as it can be known before variables are replaced. */
function writtenUrlProblem(url: string, { format }: EntryFields): string | undefined {
  const template = parseTemplate(url, format);
  if ('problem' in template) return undefined;
  const [first = ''] = template;
  if (template.every((part) => typeof part === 'string')) return urlProblem(url);
  // Where the text before the first variable has a scheme, that can be judged.
  return typeof first === 'string' && first.includes(':') ? schemeProblem(first.includes('://') ? first : `${first}//`) : undefined;
}

/** OAuth settings of an entry: `oauth`, and in Cursor’s files `auth`, whose names are in capitals (cursor.com/docs/mcp). */
function oauthOf(fields: EntryFields): McpOAuthConfig | undefined {
  const key = fields.has('auth') ? 'auth' : 'oauth';
  const node = fields.take(key)?.value;
  if (node === undefined) return undefined;
  if (node.type !== 'object') {
    fields.note([key], t('This must be an object in braces. It is ignored.'), node);
    return undefined;
  }
  const inner = fields.inner(key, node);
  const clientId = inner.text('clientId') ?? inner.text('CLIENT_ID');
  const clientSecret = inner.text('clientSecret') ?? inner.text('CLIENT_SECRET');
  const scopes = scopesOf(inner);
  for (const { name, nameNode } of inner.rest) inner.note([name], unknownKey(name), nameNode);
  return present({ clientId, clientSecret, scopes });
}

/** A list of texts, or one text with spaces between them as in a request (RFC 6749, 3.3). */
function scopesOf(fields: EntryFields): readonly string[] | undefined {
  if (!fields.has('scopes')) return undefined;
  const scopes = fields.isText('scopes') ? (fields.text('scopes') ?? '').split(' ') : fields.texts('scopes');
  return scopes.filter((scope) => scope !== '');
}

function noteUnused(fields: EntryFields, { name, nameNode, value }: Property): void {
  if (SILENT.has(name) || (name === 'sandboxEnabled' && value.value === false)) return;
  if (PERMITTING.has(name)) return fields.note([name], t('Gnomon ignores this: which tools run without asking is decided by your permission rules.'), nameNode);
  switch (name) {
    case 'headersHelper':
      return fields.fail([name], t('Gnomon does not run a command for headers. Write them into “headers”, with variables for what is secret.'), nameNode);
    case 'sandboxEnabled':
      return fields.fail([name], t('Gnomon does not start servers in a sandbox. To start this one without it, remove the key.'), nameNode);
    case 'tools':
      // Names of tools in GitHub’s files; mostly all of them.
      if (value.children?.length === 1 && value.children[0]?.value === '*') return undefined;
      return fields.note([name], t('Gnomon ignores this. Switch off single tools in the list of servers, or name those of an agent in its “tools”.'), nameNode);
    case 'sandbox':
    case 'dev':
      return fields.note([name], t('Gnomon ignores this: it is for VS Code alone.'), nameNode);
    default:
      return fields.note([name], OTHER_TYPES.has(name) ? t('Gnomon ignores this: a server of this type does not have it.') : unknownKey(name), nameNode);
  }
}
