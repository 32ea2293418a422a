import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { handlerLine, type HookDefinition } from '../../../../src/domain/hook/definition.js';
import type { McpEntry } from '../../../../src/domain/mcp/config.js';
import { MoreBound } from '../../../../src/consent/more-bound.js';
import { HookApprovals } from '../../../../src/customization/hooks/hook-approvals.js';
import { HOOK_APPROVALS } from '../../../../src/hook/approval.js';
import { MCP_CONSENTS } from '../../../../src/mcp/consent/consent-store.js';
import { MemoryApprovals } from '../../../support/memory-approvals.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ApprovalsRig } from '../../agent-host/servers/rig.js';
import { put } from './bound-rig.js';

/** What version 0.1.0 kept; the file says how it was made. */
interface Earlier {
  readonly files: Readonly<Record<string, string>>;
  readonly hooks: readonly HookDefinition[];
  readonly entries: readonly McpEntry[];
  readonly hookApprovals: readonly unknown[];
  readonly consents: readonly unknown[];
}

/** The workspace that these approvals were given in, on the day of the update. */
function dayOfUpdate() {
  const folder = temporaryFolder();
  const earlier = JSON.parse(readFileSync('test/fixtures/approvals/earlier.json', 'utf8').replaceAll('<folder>', folder)) as Earlier;
  put(folder, earlier.files);
  const kept = new Map<string, unknown>();
  const memory = { get: (key: string) => kept.get(key), update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)) };
  const approvals = new MemoryApprovals();
  approvals.put(HOOK_APPROVALS, ...earlier.hookApprovals);
  const hooks = new HookApprovals({ trusted: () => true, folders: () => [folder], home: '/home/me', store: approvals.of(HOOK_APPROVALS) });
  const told: string[] = [];
  const servers = new ApprovalsRig(folder, undefined, ({ name }) => told.push(name));
  servers.kept.put(MCP_CONSENTS, ...earlier.consents);
  const hookOf = (command: string): HookDefinition => found(earlier.hooks, ({ handler }) => handler.type === 'command' && handler.command === command);
  const entryOf = (name: string): McpEntry => found(earlier.entries, (entry) => entry.name === name);
  const standings = async (): Promise<Readonly<Record<string, string>>> => {
    const listed = await hooks.list(earlier.hooks, earlier.hooks);
    return Object.fromEntries(
      listed.map(({ hook: { handler }, standing }) => [
        handlerLine(handler),
        `${standing.state}${standing.state === 'approved' && standing.adds === true ? ', with more' : ''}`,
      ]),
    );
  };
  return { folder, earlier, memory, hooks, servers, told, hookOf, entryOf, standings };
}

describe('approvals of earlier versions', () => {
  it('H-41: stay, in silence where nothing is added, and are told of where something is', async () => {
    expect(await dayOfUpdate().standings()).toEqual({
      './tools/check.sh': 'approved',
      'jq -r .tool_input.command | node tools/guard.js': 'approved',
      './tools/gone.sh': 'approved',
      'https://a.example/hook': 'approved',
      'cd tools && ./check.sh': 'approved, with more',
      'bash tools/x.log': 'approved, with more',
      '"$D/check.sh"': 'approved, with more',
      'npx prettier --write .': 'approved, with more',
    });
  });

  it('H-41: never count as changed by what is bound now, until the user answers; what was bound then does', async () => {
    const { folder, hooks, earlier, standings, hookOf } = dayOfUpdate();
    await standings();
    put(folder, { 'tools/x.log': 'echo new\n', 'tools/check.sh': 'echo new\n', 'tools/gone.sh': 'echo new\n', '.npmrc': 'x=y\n' });
    expect(await standings()).toMatchObject({
      'bash tools/x.log': 'approved, with more',
      'cd tools && ./check.sh': 'approved, with more',
      'npx prettier --write .': 'approved, with more',
      './tools/check.sh': 'changed',
      './tools/gone.sh': 'changed',
    });
    const [listed] = await hooks.list([hookOf('bash tools/x.log')], earlier.hooks);
    if (listed !== undefined) await hooks.approve(listed);
    expect(await standings()).toMatchObject({ 'bash tools/x.log': 'approved' });
    put(folder, { 'tools/x.log': 'echo newer\n' });
    expect(await standings()).toMatchObject({ 'bash tools/x.log': 'changed' });
  });

  it('H-41: that were kept in silence are bound to all from then on', async () => {
    const { folder, standings } = dayOfUpdate();
    await standings();
    put(folder, { 'tools/package.json': '{}', 'tools/guard.js': '// new\n' });
    expect(await standings()).toMatchObject({ 'jq -r .tool_input.command | node tools/guard.js': 'changed', './tools/check.sh': 'approved' });
  });

  it('H-41: can be taken back', async () => {
    const { hooks, earlier, standings, hookOf } = dayOfUpdate();
    const listed = await hooks.list([hookOf('bash tools/x.log'), hookOf('./tools/check.sh')], earlier.hooks);
    for (const each of listed) await hooks.revoke(each);
    expect(await standings()).toMatchObject({ 'bash tools/x.log': 'new', './tools/check.sh': 'new', 'cd tools && ./check.sh': 'approved, with more' });
  });

  it('M-31: of servers likewise, with the tools that were accepted', async () => {
    const { folder, servers, earlier, told, entryOf } = dayOfUpdate();
    for (const entry of earlier.entries)
      expect([entry.name, await servers.verdict(entry), servers.approvals.acceptedTools(entry).size]).toEqual([entry.name, 'may', 1]);
    expect([...new Set(told)].sort()).toEqual(['downloaded', 'moved', 'own', 'steered']);
    put(folder, { 'tools/hook.js': '// new\n', 'tools/s.js': '// new\n' });
    expect([
      await servers.verdict(entryOf('steered')),
      await servers.verdict(entryOf('moved')),
      await servers.verdict(entryOf('own')),
      await servers.verdict(entryOf('gone')),
    ]).toEqual(['may', 'may', 'may', 'changed']);
    for (const name of ['steered', 'own']) await servers.approve(entryOf(name));
    expect([
      servers.approvals.hasMore(entryOf('moved')),
      (await servers.approvals.judge(entryOf('own'))).hasMore,
      servers.approvals.acceptedTools(entryOf('own')).size,
    ]).toEqual([true, false, 1]);
    put(folder, { 'tools/hook.js': '// newer\n', 'tools/s.js': '// newer\n' });
    expect([await servers.verdict(entryOf('steered')), await servers.verdict(entryOf('own')), await servers.verdict(entryOf('moved'))]).toEqual([
      'changed',
      'changed',
      'may',
    ]);
  });

  it('are told of once, in one line for all of them', async () => {
    vi.useFakeTimers();
    const { memory } = dayOfUpdate();
    const said: string[] = [];
    const reviewed: string[] = [];
    const notify = (_level: string, text: string, ...choices: readonly string[]): Promise<string | undefined> =>
      Promise.resolve(void said.push(text)).then(() => choices[0]);
    const more = new MoreBound({
      dialogs: { notify },
      memory,
      review: (kind) => Promise.resolve(reviewed.push(kind)),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    const hooks = [
      { key: 'a', name: 'PreToolUse (a.json:1)' },
      { key: 'b', name: 'Stop (a.json:9)' },
    ];
    more.add('hooks', hooks);
    more.add('servers', [{ key: 'c', name: 'db' }]);
    more.add('hooks', hooks);
    await vi.runAllTimersAsync();
    more.add('hooks', hooks);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect(said).toEqual(['Gnomon now also binds more of what you approved: PreToolUse (a.json:1), Stop (a.json:9), db. It stays approved.']);
    expect(reviewed).toEqual(['hooks']);
  });
});

function found<Item>(items: readonly Item[], is: (item: Item) => boolean): Item {
  const item = items.find(is);
  if (item === undefined) throw new Error('It is not among those that were approved.');
  return item;
}
