import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeTool } from '../../../support/mcp/fake-connector.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ApprovalsRig, entryIn, program } from './rig.js';

describe('approvals of servers', () => {
  it('M-30: nothing starts before it was approved, or while the workspace is not trusted, and nothing is approved then', async () => {
    const folder = temporaryFolder();
    const rig = new ApprovalsRig(folder);
    const entry = entryIn(folder, program(['--port', '1']));
    expect(await rig.verdict(entry)).toBe('approval');
    rig.trusted = false;
    await expect(rig.approve(entry)).rejects.toThrow(/before the workspace is trusted/);
    expect([await rig.verdict(entry), rig.kept.content.entries.length]).toEqual(['trust', 0]);
    rig.trusted = true;
    await rig.approve(entry);
    expect(await rig.verdict(entry)).toBe('may');
    rig.trusted = false;
    expect(await rig.verdict(entry)).toBe('trust');
  });

  it('M-31: another argument, another script, or another value of a variable in an argument takes an approval away', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'server.js'), '1');
    const rig = new ApprovalsRig(folder);
    rig.environment['MODE'] = 'read';
    const entry = entryIn(folder, program(['./server.js', '${MODE}'], { TOKEN: '${TOKEN:-none}' }));
    await rig.approve(entry);
    expect(await rig.verdict(entry)).toBe('may');
    expect(await rig.verdict(entryIn(folder, program(['./server.js', '${MODE}', '--all'], { TOKEN: '${TOKEN:-none}' })))).toBe('changed');
    rig.environment['TOKEN'] = 'another one';
    expect(await rig.verdict(entry)).toBe('may');
    rig.environment['MODE'] = 'write';
    expect(await rig.verdict(entry)).toBe('changed');
    rig.environment['MODE'] = 'read';
    writeFileSync(join(folder, 'server.js'), '2');
    expect(await rig.verdict(entry)).toBe('changed');
  });

  it('M-31: what has changed since it was shown is not approved', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'server.js'), '1');
    const rig = new ApprovalsRig(folder);
    const entry = entryIn(folder, program(['server.js']));
    const { effective } = await rig.approvals.judge(entry);
    writeFileSync(join(folder, 'server.js'), '2');
    await expect(rig.approvals.approve(entry, effective.hash)).rejects.toThrow(/has just changed/);
    expect(await rig.verdict(entry)).toBe('approval');
  });

  it('replaces variables only when it may start, and says which one keeps it from that', async () => {
    const folder = temporaryFolder();
    const rig = new ApprovalsRig(folder);
    const entry = entryIn(folder, program([], { DB: '${DB_URL}' }));
    await rig.approve(entry);
    expect(await rig.verdict(entry)).toContain('DB_URL');
    rig.environment['DB_URL'] = 'postgres://me:canary@db';
    expect(await rig.approvals.verdict(entry)).toEqual({
      may: true,
      secrets: ['postgres://me:canary@db'],
      target: { name: 'db', cwd: folder, config: program([], { DB: 'postgres://me:canary@db' }) },
    });
    expect(JSON.stringify(rig.kept.content)).not.toContain('canary');
  });

  it('waits for what only the user knows, and starts with it', async () => {
    const folder = temporaryFolder();
    const rig = new ApprovalsRig(folder);
    rig.inputs = [{ id: 'key', description: 'The key', password: true }];
    const entry = {
      ...entryIn(folder, program(['--key', '${input:key}'])),
      source: { scope: 'workspace', format: 'vscode', file: `${folder}/.vscode/mcp.json`, folder },
    } as const;
    await rig.approve(entry);
    expect(await rig.verdict(entry)).toBe('input');
    rig.entered.set('key', 'canary');
    expect(await rig.approvals.verdict(entry)).toMatchObject({ may: true, secrets: ['canary'], target: { config: { args: ['--key', 'canary'] } } });
  });

  it('conf-24: an approval that was taken back is gone with all tools, also after the entry has changed', async () => {
    const folder = temporaryFolder();
    const rig = new ApprovalsRig(folder);
    const entry = entryIn(folder, program());
    await rig.approve(entry);
    await rig.approvals.accept(entry, [fakeTool('a')]);
    const changed = entryIn(folder, program(['--all']));
    await rig.approvals.revoke(changed);
    expect([await rig.verdict(entry), rig.approvals.acceptedTools(entry).size]).toEqual(['approval', 0]);
  });

  it('those of servers of the same name in other files and folders are others', async () => {
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    const rig = new ApprovalsRig(one);
    await rig.approve(entryIn(one, program()));
    expect(rig.approvals.ofEntry(entryIn(two, program()))).toBeUndefined();
    expect(rig.approvals.ofEntry(entryIn(one, program(), 'other'))).toBeUndefined();
    expect(await rig.verdict(entryIn(two, program()))).toBe('approval');
  });

  it('M-32: remembers tools as they were accepted, and nothing of a server without an approval', async () => {
    const folder = temporaryFolder();
    const rig = new ApprovalsRig(folder);
    const entry = entryIn(folder, program());
    await rig.approvals.accept(entry, [fakeTool('a')]);
    expect(rig.approvals.acceptedTools(entry).size).toBe(0);
    await rig.approve(entry);
    await rig.approvals.accept(entry, [fakeTool('a'), fakeTool('b')]);
    await rig.approvals.accept(entry, [fakeTool('a', { description: 'Does more.' })]);
    const accepted = rig.approvals.acceptedTools(entry);
    expect([...accepted.keys()].sort()).toEqual(['a', 'b']);
    expect(accepted.get('a')?.text).toContain('Does more.');
  });
});
