import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Judgment, PermissionMode } from '../../../../src/domain/tool/permission.js';
import { PERMISSION_MODES } from '../../../../src/domain/tool/permission.js';
import type { Plan } from '../../../../src/domain/tool/tool.js';
import { toolContext } from '../../../support/memory-workspace/index.js';
import { runs } from '../../../support/runs.js';
import { rig } from '../../tool/rig.js';
import { type GateRigOptions, edits, gateOn, judge, reasonsOf, short } from '../rig.js';

const links = { '/ws/linked': '/elsewhere' };
/** Of every kind of place, one that is there. */
const THERE = ['src/a.ts', 'lib/a.ts', '.env', 'Makefile', '.vscode/settings.json', '.git/config', 'AGENTS.md', 'linked/a.ts', '/elsewhere/b.ts'];
/** Of every kind of place, one that is free. */
const FREE = ['src/b.ts', 'lib/b.ts', '.env.local', 'Justfile', '.GIT/hooks/post-commit', 'package.json', 'linked/new.ts', '/elsewhere/new.ts', 'SRC/a.ts'];
const files = Object.fromEntries(THERE.map((path) => [path.replace('linked', '/elsewhere').replace(/^(?!\/)/, '/ws/'), 'text\n']));

/** What a patch plans, its files opened: they were read before, as far as that takes no question. */
async function planned(...lines: readonly string[]): Promise<Plan> {
  const { tool, call } = rig({ files, links });
  for (const path of THERE) await call('read', { file_path: path });
  return tool('apply_patch').plan({ patch: lines.join('\n') }, toolContext());
}

const deletion = (path: string): Promise<Plan> => planned(`*** Delete File: ${path}`);
const move = (from: string, to: string): Promise<Plan> => planned(`*** Update File: ${from}`, `*** Move to: ${to}`);

function said(mode: PermissionMode, plan: Plan, options: GateRigOptions = {}): Promise<Judgment> {
  return judge(gateOn({ files, links, ...options }), mode, plan);
}

describe('a file that is deleted', () => {
  test.each<[PermissionMode, string, readonly string[], string]>([
    ['default', 'src/a.ts', [], 'ask+'],
    ['acceptEdits', 'src/a.ts', [], 'ask+'],
    ['bypassPermissions', 'src/a.ts', [], 'allow'],
    ['plan', 'src/a.ts', [], 'deny'],
    ['ask', 'src/a.ts', ['allow Edit'], 'ask'],
    ['default', 'src/a.ts', ['allow Edit(src/**)'], 'allow'],
    ['default', 'lib/a.ts', ['allow Edit(src/**)'], 'ask+'],
    ['bypassPermissions', 'src/a.ts', ['deny Edit(src/**)'], 'deny'],
    ['bypassPermissions', 'src/a.ts', ['ask Write(src/**)'], 'ask'],
    ['bypassPermissions', 'src/a.ts', ['deny Read(src/**)'], 'deny'],
    ['bypassPermissions', '.git/config', ['allow Edit'], 'ask'],
    ['bypassPermissions', 'AGENTS.md', ['allow Edit'], 'ask'],
    ['bypassPermissions', 'linked/a.ts', ['allow Edit'], 'ask'],
    ['bypassPermissions', '/elsewhere/b.ts', ['allow Edit'], 'ask+'],
    ['default', '/elsewhere/b.ts', ['allow Edit(//elsewhere/**)'], 'allow'],
  ])('conf-06: in %s mode, %s with %j: %s', async (mode, path, rules, expected) => {
    expect(short(await said(mode, await deletion(path), { rules }))).toBe(expected);
  });
});

describe('a file that is moved', () => {
  test.each<[PermissionMode, string, string, readonly string[], string]>([
    ['default', 'src/a.ts', 'src/b.ts', [], 'ask+'],
    ['acceptEdits', 'src/a.ts', 'lib/b.ts', [], 'allow'],
    ['plan', 'src/a.ts', 'lib/b.ts', [], 'deny'],
    ['default', 'src/a.ts', 'src/b.ts', ['allow Edit(src/**)'], 'allow'],
    ['default', 'src/a.ts', 'lib/b.ts', ['allow Edit(src/**)'], 'ask+'],
    ['default', 'lib/a.ts', 'src/b.ts', ['allow Edit(src/**)'], 'ask+'],
    ['bypassPermissions', 'src/a.ts', 'lib/b.ts', ['deny Edit(src/**)'], 'deny'],
    ['bypassPermissions', 'lib/a.ts', 'src/b.ts', ['deny Edit(src/**)'], 'deny'],
    ['bypassPermissions', 'lib/a.ts', 'src/b.ts', ['deny Read(src/**)'], 'deny'],
    ['bypassPermissions', 'lib/a.ts', 'SRC/a.ts', ['deny Edit(src/**)'], 'deny'],
    ['bypassPermissions', 'src/a.ts', 'AGENTS.MD', ['allow Edit'], 'ask'],
    ['acceptEdits', 'Makefile', 'src/b.ts', [], 'ask+'],
    ['acceptEdits', 'src/a.ts', 'Justfile', [], 'ask+'],
    ['acceptEdits', 'src/a.ts', '.env.local', [], 'ask+'],
    ['bypassPermissions', '.env', 'src/b.ts', ['allow Edit'], 'ask+'],
    ['bypassPermissions', '.env', 'src/b.ts', ['allow Read(.env)'], 'allow'],
    ['bypassPermissions', 'src/a.ts', '.GIT/hooks/post-commit', ['allow Edit'], 'ask'],
    ['bypassPermissions', 'src/a.ts', 'linked/new.ts', ['allow Edit'], 'ask'],
    ['bypassPermissions', 'linked/a.ts', 'src/b.ts', ['allow Edit'], 'ask'],
    ['bypassPermissions', 'src/a.ts', '/elsewhere/new.ts', [], 'ask+'],
    ['bypassPermissions', '/elsewhere/b.ts', 'src/b.ts', [], 'ask+'],
  ])('conf-06: in %s mode, %s to %s with %j: %s', async (mode, from, to, rules, expected) => {
    expect(short(await said(mode, await move(from, to), { rules }))).toBe(expected);
  });

  test('is offered to be always allowed at both ends, and the reasons say what happens', async () => {
    const judgment = await said('default', await move('src/a.ts', 'lib/b.ts'));
    expect(judgment).toMatchObject({ type: 'ask', plain: true, proposal: ['Edit(src/a.ts)', 'Edit(lib/b.ts)'] });
    expect(reasonsOf(judgment)).toBe('It moves a file. It changes a file.');
    expect(reasonsOf(await said('ask', await deletion('src/a.ts')))).toBe('This mode always asks. It deletes a file.');
  });
});

const STRICTNESS = ['allow', 'ask', 'deny'] as const;
const strictness = ({ type }: Judgment): number => STRICTNESS.indexOf(type);
const anyMode = fc.constantFrom(...PERMISSION_MODES);
const anyRules = fc.subarray([
  'allow Edit',
  'allow Edit(src/**)',
  'allow Read(.env)',
  'deny Edit(lib/**)',
  'ask Edit(src/**)',
  'deny Read(.env)',
  'allow Edit(//elsewhere/**)',
]);

describe('path-04, path-09, conf-06: property', () => {
  test('deleting a file is never judged more leniently than writing it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...THERE), anyMode, anyRules, async (path, mode, rules) => {
        const plan = await deletion(path);
        const written = await said(mode, { ...edits(plan.changes[0]?.path ?? ''), accesses: withoutRemoval(plan) }, { rules });
        expect(strictness(await said(mode, plan, { rules }))).toBeGreaterThanOrEqual(strictness(written));
      }),
      { numRuns: runs(300) },
    );
  });

  test('moving a file is never judged more leniently than writing either of its ends, and reading the first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...THERE), fc.constantFrom(...FREE), anyMode, anyRules, async (from, to, mode, rules) => {
        const plan = await move(from, to);
        const moved = strictness(await said(mode, plan, { rules }));
        for (const access of withoutRemoval(plan)) {
          const alone = access.kind === 'read' ? { ...edits(), tool: 'read', accesses: [access] } : { ...edits(access.target), changes: [] };
          if (access.only === undefined) expect(moved).toBeGreaterThanOrEqual(strictness(await said(mode, alone, { rules })));
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

/** The accesses of a plan as if its files were only written. */
function withoutRemoval({ accesses }: Plan): Plan['accesses'] {
  return accesses.map(({ kind, target, only }) => ({ kind, target, ...(only === undefined ? {} : { only }) }));
}
