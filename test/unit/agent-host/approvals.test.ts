import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHostApprovals } from '../../../src/agent-host/approvals.js';
import { Approvals } from '../../../src/agent-host/servers/approvals.js';
import { ACCEPTED_EDITS, AcceptedEdits } from '../../../src/consent/accepted-edits.js';
import { INCLUDE_DECISIONS, WindowIncludeConsent } from '../../../src/consent/include-consent.js';
import { Consents, RULE_CONSENTS } from '../../../src/consent/rules/consents.js';
import { TurnGrants } from '../../../src/consent/turn-grants.js';
import { HookApprovals } from '../../../src/customization/hooks/hook-approvals.js';
import type { HookDefinition } from '../../../src/domain/hook/definition.js';
import type { TurnGrant } from '../../../src/domain/tool/turn-grant.js';
import { HOOK_APPROVALS } from '../../../src/hook/approval.js';
import { MCP_CONSENTS } from '../../../src/mcp/consent/consent-store.js';
import { ApprovedScripts } from '../../../src/node/mcp/approved-scripts.js';
import { fakeTool } from '../../support/mcp/fake-connector.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { ScriptedDialogs } from '../consent/rig.js';
import { MemoryLog } from '../engine/rig.js';
import { entryIn, program } from './servers/rig.js';

/** What an earlier version kept, as VS Code keeps it. */
function memento(values: Readonly<Record<string, unknown>> = {}) {
  const kept = new Map(Object.entries(values));
  return {
    keys: () => [...kept.keys()],
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
}

/** A program that has opened folders; all programs of the test share a storage. */
async function open(storage: string, folders: readonly string[], { global = memento(), workspace = memento() } = {}) {
  const log = new MemoryLog();
  const watched: (() => void)[] = [];
  const approvals = await createHostApprovals({
    folders: {
      all: () => folders.map((path) => ({ name: path, path, uri: `file://${path}` })),
      paths: () => folders,
      local: () => [],
      onDidChange: () => () => undefined,
    },
    dialogs: new ScriptedDialogs(),
    memory: { global, workspace },
    keepWatching: (_, changed) => {
      watched.push(changed);
      return { dispose: () => undefined };
    },
    storage: { global: storage, workspace: join(storage, 'of the workspace') },
    log,
  });
  return { approvals, log, changed: () => watched.forEach((notice) => notice()) };
}

describe('the approvals of all programs of a user', () => {
  it('are shared, also those for a workspace, in whatever order it has its folders; another workspace has its own', async () => {
    const storage = temporaryFolder();
    const [window, headless, other] = [await open(storage, ['/b', '/a']), await open(storage, ['/a', '/b']), await open(storage, ['/a'])];
    await new WindowIncludeConsent(new ScriptedDialogs('Allow'), window.approvals.of(INCLUDE_DECISIONS), window.log).decide('AGENTS.md', '/x.md');
    const allows = ({ approvals, log }: typeof window): boolean | undefined =>
      new WindowIncludeConsent(new ScriptedDialogs(), approvals.of(INCLUDE_DECISIONS), log).allows('/x.md');
    expect([allows(window), allows(headless), allows(other)]).toEqual([true, true, undefined]);
  });

  it('follow the file where it is watched', async () => {
    const storage = temporaryFolder();
    const [one, other] = [await open(storage, ['/w']), await open(storage, ['/w'])];
    let told = 0;
    one.approvals.onDidChange(() => (told += 1));
    await new Consents(other.approvals.of(RULE_CONSENTS)).give({ id: 'x' }, ['Bash']);
    one.changed();
    await one.approvals.ready();
    expect([told, new Consents(one.approvals.of(RULE_CONSENTS)).covers({ id: 'x' }, ['Bash'])]).toEqual([1, true]);
  });

  it('of earlier versions are taken over; where that fails, the log says so and nothing is approved', async () => {
    const earlier = { global: memento(), workspace: memento({ 'gnomon.acceptedEdits': ['s'] }) };
    const [storage, broken] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(broken, 'gnomon-approvals.json'), '{"version":9}');
    const mode = ({ approvals, log }: Awaited<ReturnType<typeof open>>): string =>
      new AcceptedEdits(approvals.of(ACCEPTED_EDITS), () => 'default', log).resumedMode('s', 'acceptEdits');
    const failed = await open(broken, ['/w'], earlier);
    expect([mode(failed), failed.log.lines.join()]).toEqual(['default', expect.stringContaining('could not be taken over')]);
    expect(mode(await open(storage, ['/w'], earlier))).toBe('acceptEdits');
  });

  it('have no file before something is approved or taken over', async () => {
    const storage = temporaryFolder();
    const marked = memento({ 'gnomon.approvals.takenOver': ['rules', 'hook', 'server', 'editorTool'] });
    await open(storage, ['/w'], { global: marked });
    expect(existsSync(join(storage, 'gnomon-approvals.json'))).toBe(false);
  });
});

describe('what one window revokes is revoked in all others before their next decision', () => {
  it('H-41: of hooks', async () => {
    const [storage, folder] = [temporaryFolder(), temporaryFolder()];
    const [one, other] = await Promise.all(
      ['', ''].map(async () => {
        const { approvals } = await open(storage, [folder]);
        return new HookApprovals({ trusted: () => true, folders: () => [folder], home: '/home/me', store: approvals.of(HOOK_APPROVALS) });
      }),
    );
    const hook: HookDefinition = {
      event: 'PreToolUse',
      handler: { type: 'command', command: 'true' },
      timeoutMs: 1_000,
      dialect: 'claude',
      origin: { layer: 'project', file: join(folder, '.claude/settings.json'), display: '.claude/settings.json', folder },
    };
    const runs = async (hooks: typeof one): Promise<number | undefined> => (await hooks?.runnable([hook], [hook]))?.length;
    const [listed] = (await one?.list([hook], [hook])) ?? [];
    if (listed !== undefined) await one?.approve(listed);
    expect([await runs(one), await runs(other)]).toEqual([1, 1]);
    if (listed !== undefined) await other?.revoke(listed);
    expect([await runs(one), await runs(other)]).toEqual([0, 0]);
  });

  it('M-31: of servers; tools that are accepted meanwhile do not bring it back', async () => {
    const [storage, folder] = [temporaryFolder(), temporaryFolder()];
    const windowOf = async (): Promise<Approvals> =>
      new Approvals({
        store: (await open(storage, [folder])).approvals.of(MCP_CONSENTS),
        scripts: new ApprovedScripts(join(storage, 'scripts')),
        inputs: { values: () => Promise.resolve(new Map()) },
        inputsOf: () => [],
        trust: { trusted: () => true },
        inUse: () => true,
        values: () => ({ environment: {}, platform: 'linux', folders: [{ path: folder, name: 'w' }], home: '/home/me' }),
      });
    const [one, other] = [await windowOf(), await windowOf()];
    const entry = entryIn(folder, program());
    await one.approve(entry, (await one.judge(entry)).effective.hash);
    expect((await other.verdict(entry)).may).toBe(true);
    await Promise.all([other.revoke(entry), one.accept(entry, [fakeTool('a')])]);
    await one.accept(entry, [fakeTool('b')]);
    expect([(await one.verdict(entry)).may, (await other.verdict(entry)).may, one.ofEntry(entry)]).toEqual([false, false, undefined]);
  });

  it('S-34: of skills and commands', async () => {
    const [storage, folder] = [temporaryFolder(), temporaryFolder()];
    const windowOf = async (): Promise<TurnGrants> =>
      new TurnGrants({ approvals: (await open(storage, [folder])).approvals, trust: { trusted: () => true }, folders: () => [folder], home: '/home/me' });
    const [one, other] = [await windowOf(), await windowOf()];
    const origin = { layer: 'project', file: join(folder, 'SKILL.md'), display: 'SKILL.md', folder } as const;
    const grant: TurnGrant = { kind: 'skill', name: 's', origin, rules: ['Bash(npm test)'], digest: 'a' };
    let told = 0;
    other.onDidChange(() => (told += 1));
    await one.approve(grant);
    expect([await other.approved(grant), told]).toEqual([true, 1]);
    await one.revoke(grant);
    expect([await other.approved(grant), told]).toEqual([false, 2]);
  });

  it('conf-04: of rules; a change of the list here does not bring the consent back', async () => {
    const storage = temporaryFolder();
    const [one, other] = await Promise.all(['', ''].map(async () => new Consents((await open(storage, ['/w'])).approvals.of(RULE_CONSENTS))));
    const source = { id: 'file:///w' };
    await one?.give(source, ['Bash(a)']);
    await one?.follow(source, ['Bash(a)'], ['Bash(a)', 'Bash(b)']);
    expect([other?.covers(source, ['Bash(a)', 'Bash(b)']), other?.covers(source, ['Bash(a)'])]).toEqual([true, false]);
    await other?.withdraw(source);
    await one?.follow(source, ['Bash(a)', 'Bash(b)'], ['Bash(b)']);
    expect([one?.covers(source, ['Bash(b)']), one?.covers(source, ['Bash(a)', 'Bash(b)'])]).toEqual([false, false]);
  });
});
