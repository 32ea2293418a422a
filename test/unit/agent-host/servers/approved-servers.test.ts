import { describe, expect, it } from 'vitest';
import { Signal } from '../../../../src/concurrency/signal.js';
import type { McpEntry } from '../../../../src/domain/mcp/config.js';
import type { McpServerState } from '../../../../src/domain/mcp/server.js';
import type { McpConsent } from '../../../../src/mcp/consent/consent.js';
import type { McpServersEvent, McpVerdict } from '../../../../src/mcp/servers/ports.js';
import { approvedServersOf } from '../../../../src/agent-host/servers/approved-servers.js';

function stateOf(name: string, more: Partial<McpServerState> = {}): McpServerState {
  const entry: McpEntry = {
    name,
    source: { scope: 'workspace', format: 'claude', file: '/w/.mcp.json', folder: '/w' },
    config: { type: 'stdio', command: 'node', args: [], env: {} },
  };
  return { id: name, entry, status: 'connected', tools: [], prompts: [], resources: [], templates: [], warnings: [], stderr: [], restarts: 0, ...more };
}

function rig(...first: readonly McpServerState[]) {
  const events = new Signal<McpServersEvent>();
  const hashes = new Map<string, string>([...first.map(({ id }): [string, string] => [id, 'v1'])]);
  const all = { states: first, verdict: { may: false, waitsFor: 'changed' } as McpVerdict };
  const approved = approvedServersOf(
    {
      get states() {
        return all.states;
      },
      subscribe: events.subscribe,
    },
    { ofEntry: ({ name }) => (hashes.has(name) ? ({ hash: hashes.get(name) } as McpConsent) : undefined), verdict: () => Promise.resolve(all.verdict) },
  );
  const change = (...states: readonly McpServerState[]): void => {
    all.states = states;
    for (const state of states) events.emit({ type: 'state', state });
  };
  return { approved, hashes, all, change };
}

describe('the servers that VS Code gets', () => {
  it('M-30: are those that the user approved and that nothing holds back', () => {
    const { approved, hashes } = rig(
      stateOf('on'),
      stateOf('idle', { status: 'pending', waitsFor: 'start' }),
      stateOf('off', { status: 'disabled' }),
      stateOf('changed', { status: 'pending', waitsFor: 'changed' }),
      stateOf('untrusted', { status: 'pending', waitsFor: 'trust' }),
      stateOf('never', { status: 'pending', waitsFor: 'approval' }),
      stateOf('revoked'),
    );
    hashes.delete('revoked');
    expect(approved.all().map(({ entry, version }) => [entry.name, version])).toEqual([
      ['on', 'v1'],
      ['idle', 'v1'],
    ]);
  });

  it('M-31: are judged anew when VS Code starts them', async () => {
    const { approved, all } = rig(stateOf('on'));
    const [server] = approved.all();
    await expect(server?.resolve()).resolves.toBeUndefined();
    const target = { name: 'on', config: stateOf('on').entry.config, cwd: '/w' };
    all.verdict = { may: true, target, secrets: [] };
    await expect(server?.resolve()).resolves.toBe(target);
  });

  it('are told of when another one may start, and not with everything that happens to one', () => {
    const { approved, hashes, change } = rig(stateOf('on'));
    let changes = 0;
    const stop = approved.onDidChange(() => (changes += 1));
    change(stateOf('on', { stderr: ['noise'] }));
    expect(changes).toBe(0);
    hashes.set('on', 'v2');
    change(stateOf('on'));
    change(stateOf('on', { status: 'disabled' }));
    expect(changes).toBe(2);
    stop();
    change(stateOf('on'));
    expect(changes).toBe(2);
  });
});
