import { describe, expect, test } from 'vitest';
import type { Gate, PermissionMode } from '../../../src/domain/tool/permission.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { toolContext } from '../../support/memory-workspace/index.js';
import { rig } from '../tool/rig.js';
import { gateOn, judge, short } from './rig.js';

const files = { '/ws/src/a.ts': 'one\ntwo\n', '/ws/.vscode/settings.json': 'one\ntwo\n', '/ws/out/a.ts': '', '/elsewhere/a.ts': 'one\ntwo\n' };
const links = { '/ws/src/link.ts': '/elsewhere/a.ts' };

/** A planned edit of a file, and what the person makes of it. */
async function changed(path: string): Promise<{ readonly asked: Plan; readonly plan: Plan }> {
  const { tool, call } = rig({ files, links });
  await call('read', { file_path: path });
  const asked = await tool('edit').plan({ file_path: path, edits: [{ old_string: 'two', new_string: '2' }] }, toolContext());
  const amendment = { type: 'content' as const, path: asked.changes[0]?.path ?? '', text: 'mine\n' };
  return { asked, plan: (await tool('edit').amend?.(asked, amendment, toolContext())) as Plan };
}

describe('C-3 a text that the person changed is judged as the one that was proposed', () => {
  test.each<[string, string, readonly string[], PermissionMode, string]>([
    ['an ordinary file', 'src/a.ts', [], 'default', 'ask+'],
    ['an ordinary file', 'src/a.ts', [], 'acceptEdits', 'allow'],
    ['a mode that only reads', 'src/a.ts', [], 'plan', 'deny'],
    ['a rule that denies', 'src/a.ts', ['deny Edit(src/**)'], 'bypassPermissions', 'deny'],
    ['a rule that asks', 'src/a.ts', ['ask Edit(src/**)'], 'acceptEdits', 'ask'],
    ['a protected file', '.vscode/settings.json', [], 'bypassPermissions', 'ask'],
    ['a protected file and a rule', '.vscode/settings.json', ['allow Edit'], 'acceptEdits', 'ask'],
    ['path-04 a link that leads out', 'src/link.ts', ['allow Edit'], 'bypassPermissions', 'ask'],
  ])('%s (%s, %j, %s): %s', async (_name, path, rules, mode, expected) => {
    const gate: Gate = gateOn({ files, links, rules });
    const { asked, plan } = await changed(path);
    expect(short(await judge(gate, mode, plan))).toBe(expected);
    expect(await judge(gate, mode, plan)).toEqual(await judge(gate, mode, asked));
  });
});
