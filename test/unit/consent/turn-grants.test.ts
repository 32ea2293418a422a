import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConfigLayer } from '../../../src/domain/config/origin.js';
import type { TurnGrant } from '../../../src/domain/tool/turn-grant.js';
import { reviewGrant } from '../../../src/consent/review-grant.js';
import { MemoryApprovals } from '../../support/memory-approvals.js';
import { TurnGrants } from '../../../src/consent/turn-grants.js';

function grantOf(file: string, more: Partial<TurnGrant> & { readonly layer?: ConfigLayer } = {}): TurnGrant {
  const { layer = 'project', ...rest } = more;
  return { kind: 'skill', name: 'notes', origin: { layer, file, display: 'notes' }, rules: ['Bash(git log:*)'], digest: 'a', ...rest };
}

const roots: string[] = [];
afterEach(() => Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true }))));

async function setUp() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'grants-')));
  roots.push(root);
  const [home, folder] = [join(root, 'home'), join(root, 'ws')];
  await Promise.all([
    mkdir(join(home, '.gnomon', 'skills', 'mine'), { recursive: true }),
    mkdir(join(home, '.claude'), { recursive: true }),
    mkdir(folder, { recursive: true }),
  ]);
  await Promise.all([
    writeFile(join(home, '.gnomon', 'skills', 'mine', 'SKILL.md'), 'x'),
    writeFile(join(home, '.claude', 'SKILL.md'), 'x'),
    writeFile(join(folder, 'SKILL.md'), 'x'),
  ]);
  await symlink(join(home, '.claude'), join(home, '.gnomon', 'skills', 'linked'));
  const state = { trusted: true, folders: [folder] };
  const grants = new TurnGrants({ approvals: new MemoryApprovals(), trust: { trusted: () => state.trusted }, folders: () => state.folders, home });
  return { home, folder, grants, state };
}

describe('approvals of what skills and commands name', () => {
  it('S-34: are for one list of one file with one content, and can be taken back', async () => {
    const { folder, grants } = await setUp();
    const grant = grantOf(join(folder, 'SKILL.md'));
    expect([await grants.stateOf(grant), await grants.approved(grant)]).toEqual(['waits', false]);
    await grants.approve(grant);
    expect([await grants.stateOf(grant), await grants.approved(grant)]).toEqual(['approved', true]);
    const others: readonly TurnGrant[] = [
      { ...grant, digest: 'b' },
      { ...grant, rules: [...grant.rules, 'Edit'] },
      { ...grant, name: 'other' },
      { ...grant, kind: 'command' },
      grantOf(join(folder, 'other', 'SKILL.md')),
    ];
    expect(await Promise.all(others.map((other) => grants.stateOf(other)))).toEqual(['changed', 'changed', 'waits', 'waits', 'waits']);
    expect(await Promise.all(others.map((other) => grants.approved(other)))).toEqual([false, false, false, false, false]);
    await grants.revoke(grant);
    expect(await grants.stateOf(grant)).toBe('waits');
  });

  it('S-34: nothing counts, and nothing can be approved, in a workspace that is not trusted', async () => {
    const { folder, home, grants, state } = await setUp();
    const grant = grantOf(join(folder, 'SKILL.md'));
    const own = grantOf(join(home, '.gnomon', 'skills', 'mine', 'SKILL.md'), { layer: 'user' });
    await grants.approve(grant);
    state.trusted = false;
    expect([await grants.approved(grant), await grants.approved(own)]).toEqual([false, false]);
    await expect(grants.approve(grant)).rejects.toThrow('before the workspace is trusted');
  });

  it('S-34: only files of the user in the folder for Gnomon need none, by where they really are', async () => {
    const { home, grants, state } = await setUp();
    const own = grantOf(join(home, '.gnomon', 'skills', 'mine', 'SKILL.md'), { layer: 'user' });
    expect(await grants.stateOf(own)).toBe('own');
    expect(await grants.stateOf({ ...own, rules: ['Bash', '*'] })).toBe('nothing');
    expect(await grants.stateOf({ ...own, origin: { ...own.origin, layer: 'project' } })).toBe('waits');
    expect(await grants.stateOf(grantOf(join(home, '.claude', 'SKILL.md'), { layer: 'user' }))).toBe('waits');
    expect(await grants.stateOf(grantOf(join(home, '.gnomon', 'skills', 'linked', 'SKILL.md'), { layer: 'user' }))).toBe('waits');
    // Whoever can write to the workspace could write to it.
    state.folders = [home];
    expect(await grants.stateOf(own)).toBe('waits');
  });

  it('S-34: are given after the whole list was shown, and not where it is too long to be read', async () => {
    const { folder, grants } = await setUp();
    const shown: string[] = [];
    const answer = { now: 'Approve' };
    const dialogs = {
      notify: () => Promise.resolve(undefined),
      modal: (text: string, detail: string, ...choices: readonly string[]) => (
        shown.push([text, detail, ...choices].join('\n')),
        Promise.resolve(choices.find((choice) => choice === answer.now))
      ),
      beside: () => Promise.resolve(undefined),
    };
    const grant = grantOf(join(folder, 'SKILL.md'), { rules: ['Bash(git log:*)', 'Edit(src/**)', 'Bash'] });
    await reviewGrant(grant, { grants, dialogs });
    for (const part of ['Bash(git log:*)', 'Edit(src/**)', 'Never allowed:', 'Bash would allow everything']) expect(shown[0]).toContain(part);
    expect(await grants.stateOf(grant)).toBe('approved');
    answer.now = 'Revoke Approval';
    await reviewGrant(grant, { grants, dialogs });
    expect(await grants.stateOf(grant)).toBe('waits');
    answer.now = 'Approve';
    const long = grantOf(join(folder, 'SKILL.md'), { rules: Array.from({ length: 60 }, (_, index) => `Bash(${'x'.repeat(1_000)} ${index})`) });
    await reviewGrant(long, { grants, dialogs });
    expect(await grants.stateOf(long)).not.toBe('approved');
  });
});
