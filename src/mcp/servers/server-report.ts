import type { McpConfig } from '../../domain/mcp/config.js';
import type { McpAgreement } from '../../domain/mcp/connection.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { McpScrubber } from './clean-line.js';
import type { McpTrafficLine } from './traffic-log.js';

/** Characters of a message that a report quotes: enough to see what it is. */
const MESSAGE_CHARACTERS = 300;

/**
 * All that is known of a server, as a text to copy into a bug report. Of variables and headers it has the names only, of addresses
 * nothing behind the path. It is in English, for others read it too.
 * @param traffic scrubbed, as the inspector shows it
 * @param scrub knows the secrets of the server
 */
export function serverReport(state: McpServerState, traffic: readonly McpTrafficLine[], scrub: McpScrubber, now: Timestamp): string {
  const { entry, status, waitsFor, problem, agreement, restarts } = state;
  const lines = [
    `MCP server ${entry.name} (${state.id}), ${now}`,
    `Status: ${status}${waitsFor === undefined ? '' : `, waits for: ${waitsFor}`}`,
    ...(problem === undefined ? [] : [`Problem: ${problem}`]),
    `Restarts: ${restarts}`,
    `Configured in: ${entry.source.file}${entry.source.line === undefined ? '' : `:${entry.source.line}`} (${entry.source.format}, ${entry.source.scope})`,
    ...configLines(entry.config),
    ...(agreement === undefined ? ['No connection was made.'] : agreementLines(agreement)),
    `Lists: ${state.tools.length} tools, ${state.prompts.length} prompts, ${state.resources.length} resources, ${state.templates.length} templates`,
    ...state.warnings.map((warning) => `Warning: ${warning}`),
  ].map(scrub);
  // These are scrubbed already.
  const errorOutput = ['', `Error output (${state.stderr.length} lines):`, ...state.stderr];
  const messages = ['', `Messages (${traffic.length}):`, ...traffic.map(messageLine)];
  return [...lines, ...errorOutput, ...messages, ''].join('\n');
}

function configLines(config: McpConfig): readonly string[] {
  switch (config.type) {
    case 'stdio':
      return [`Command: ${[config.command, ...config.args].map(quoted).join(' ')}`, `Environment: ${names(config.env)}`];
    case 'http':
    case 'sse':
      return [
        `Address (${config.type}): ${bareAddress(config.url)}`,
        `Headers: ${names(config.headers)}`,
        ...(config.oauth === undefined ? [] : ['Client: registered beforehand']),
      ];
    case 'sdk':
      return [`Inside this program: ${config.name}`];
  }
}

/** Plain words stay as they are, so that `--token x` is seen to be what it is. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

function names(values: Readonly<Record<string, string>>): string {
  const keys = Object.keys(values);
  return keys.length === 0 ? 'none' : keys.join(', ');
}

/** Keys are written into queries and in front of hosts. */
function bareAddress(address: string): string {
  return address.replace(/[?#].*$/s, '?…').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1…@');
}

function agreementLines({ era, revision, transport, server, capabilities }: McpAgreement): readonly string[] {
  const offered = Object.entries(capabilities).filter(([, has]) => has === true);
  return [
    `Agreed on: ${revision} (${era}) over ${transport}`,
    `Server: ${server === undefined ? 'did not say' : `${server.name} ${server.version}`}`,
    `Capabilities: ${offered.map(([name]) => name).join(', ') || 'none'}`,
  ];
}

function messageLine({ at, direction, method, id, latencyMs, error, text }: McpTrafficLine): string {
  const what = [
    method ?? 'answer',
    ...(id === undefined ? [] : [`#${id}`]),
    ...(latencyMs === undefined ? [] : [`${latencyMs} ms`]),
    ...(error ? ['error'] : []),
  ].join(' ');
  const head = text.length > MESSAGE_CHARACTERS ? `${text.slice(0, MESSAGE_CHARACTERS)}…` : text;
  return `${at} ${direction === 'sent' ? '→' : '←'} ${what} ${head}`;
}
