import { join } from 'node:path';
import type { McpConfig, McpEntry, McpInput } from '../../../../src/domain/mcp/config.js';
import { ApprovedScripts } from '../../../../src/node/mcp/approved-scripts.js';
import { MCP_CONSENTS } from '../../../../src/mcp/consent/consent-store.js';
import { MemoryApprovals } from '../../../support/memory-approvals.js';
import { Approvals } from '../../../../src/agent-host/servers/approvals.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ServerChoices } from '../../../../src/agent-host/servers/server-choices.js';

/** What VS Code keeps beyond its windows: texts by their keys. */
export class Kept {
  readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    // What is kept is written as JSON.
    this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

/** An entry of the `.mcp.json` of a folder. */
export function entryIn(folder: string, config: McpConfig, name = 'db'): McpEntry {
  return { name, config, source: { scope: 'workspace', format: 'claude', file: `${folder}/.mcp.json`, folder } };
}

/** A program with arguments. */
export function program(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): McpConfig {
  return { type: 'stdio', command: 'node', args, env };
}

/** The approvals of a window whose user, trust, and environment a test decides. */
export class ApprovalsRig {
  readonly kept = new MemoryApprovals();
  readonly environment: Record<string, string> = {};
  /** By id, what the user has entered. */
  readonly entered = new Map<string, string>();
  inputs: readonly McpInput[] = [];
  trusted = true;
  /** Whether an agent works that an entry is for. */
  inUse: (entry: McpEntry) => boolean = () => true;
  readonly approvals: Approvals;
  readonly choices = new ServerChoices(new Kept());

  /** @param folder the workspace @param data where the extension keeps files @param tellMore is told of entries of which more is bound by now */
  constructor(folder: string, data = temporaryFolder(), tellMore: (entry: McpEntry) => void = () => undefined) {
    this.approvals = new Approvals({
      store: this.kept.of(MCP_CONSENTS),
      scripts: new ApprovedScripts(join(data, 'approved-scripts')),
      inputs: { values: () => Promise.resolve(this.entered) },
      inputsOf: () => this.inputs,
      trust: { trusted: () => this.trusted },
      inUse: (entry) => this.inUse(entry),
      tellMore,
      values: () => ({ environment: this.environment, platform: 'linux', folders: [{ path: folder, name: 'w' }], home: '/home/me' }),
    });
  }

  /** Approves an entry as it is now. */
  async approve(entry: McpEntry): Promise<void> {
    const { effective } = await this.approvals.judge(entry);
    await this.approvals.approve(entry, effective.hash);
  }

  /** What an entry waits for; `may` when it may start, the message when it cannot. */
  async verdict(entry: McpEntry): Promise<string> {
    try {
      const verdict = await this.approvals.verdict(entry);
      return verdict.may ? 'may' : verdict.waitsFor;
    } catch (error) {
      return error instanceof Error ? error.message : 'no error';
    }
  }
}
