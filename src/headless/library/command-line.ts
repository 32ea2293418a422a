import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServerConfig, Options } from './options.js';

/** Files for one run that only this user can read: a command line can be read by every user of the machine. */
export class PrivateFiles {
  private folder: string | undefined;

  /** @returns the absolute path of a file with this content */
  json(name: string, content: object): string {
    this.folder ??= mkdtempSync(join(tmpdir(), 'gnomon-run-'));
    const path = join(this.folder, `${name}.json`);
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  }

  /** Removes them. */
  remove(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The command line for some options, without the names of Node and the program. Each value is in the word of its flag, as it may begin with a dash. */
export function commandLine(options: Options, files: PrivateFiles): readonly string[] {
  const { systemPrompt, settings, mcpServers } = options;
  return [
    '--output-format=stream-json',
    '--verbose',
    '--input-format=stream-json',
    ...value('model', options.model),
    ...value('effort', options.effort),
    ...value('agent', options.agent),
    ...value('max-turns', options.maxTurns),
    ...value('max-budget-usd', options.maxBudgetUsd),
    ...value('permission-mode', options.permissionMode),
    ...value('resume', options.resume),
    ...value('session-id', options.sessionId),
    ...value('session-storage', options.sessionStorage),
    ...value('tools', options.tools?.join(',')),
    ...value('setting-sources', options.settingSources?.join(',')),
    ...values('allowedTools', options.allowedTools),
    ...values('disallowedTools', options.disallowedTools),
    ...values('add-dir', options.addDirs),
    ...value('system-prompt', typeof systemPrompt === 'string' ? systemPrompt : undefined),
    ...value('append-system-prompt', typeof systemPrompt === 'object' ? systemPrompt.append : undefined),
    ...value('settings', typeof settings === 'object' ? files.json('settings', settings) : settings),
    ...value('mcp-config', typeof mcpServers === 'object' ? files.json('servers', { mcpServers: outside(mcpServers) }) : mcpServers),
    ...flag('strict-mcp-config', options.strictMcpConfig),
    ...flag('continue', options.continueConversation),
    ...flag('fork-session', options.forkSession),
    ...flag('include-partial-messages', options.includePartialMessages),
    ...flag('trust-project', options.trustProject),
    ...flag('allow-dangerously-skip-permissions', options.allowDangerouslySkipPermissions),
    ...value('permission-prompt-tool', options.canUseTool === undefined ? undefined : 'stdio'),
    ...Object.entries(options.extraArgs ?? {}).flatMap(([name, given]) => (given === null ? flag(name, true) : value(name, given))),
  ];
}

/** The servers that are not in this process: of those that are, the program learns by the protocol. */
function outside(servers: Readonly<Record<string, McpServerConfig>>): Readonly<Record<string, McpServerConfig>> {
  return Object.fromEntries(Object.entries(servers).filter(([, { type }]) => type !== 'sdk'));
}

function flag(name: string, isOn = false): readonly string[] {
  return isOn ? [`--${name}`] : [];
}

function value(name: string, given: string | number | undefined): readonly string[] {
  return given === undefined ? [] : [`--${name}=${given}`];
}

function values(name: string, given: readonly string[] = []): readonly string[] {
  return given.flatMap((each) => value(name, each));
}
