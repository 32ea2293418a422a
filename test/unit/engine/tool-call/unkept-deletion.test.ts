import { describe, expect, test } from 'vitest';
import type { FileChange } from '../../../../src/domain/workspace/documents.js';
import type { Tool } from '../../../../src/domain/tool/tool.js';
import { answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { eventually } from '../../../support/eventually.js';
import { ok, outline, rig } from '../rig.js';

/** A tool that makes one change, and takes note of that. */
function changing(change: FileChange, made: string[]): Tool {
  const plan = Object.freeze({
    tool: 'apply_patch',
    subject: 'a.ts',
    args: {},
    accesses: [{ kind: 'write' as const, target: change.path }],
    preview: { kind: 'none' as const },
    changes: [change],
  });
  return {
    spec: { name: 'apply_patch', description: '', parameters: { type: 'object' } },
    plan: () => Promise.resolve(plan),
    execute: () => Promise.resolve((made.push(change.action), ok('done'))),
  };
}

describe('a call whose file could not be kept', () => {
  test.each<[FileChange, readonly string[], string]>([
    [
      { action: 'delete', path: '/ws/a.ts', baseHash: 'x' },
      [],
      'result#a!: a.ts could not be kept for undo, as on a full disk; nothing was deleted. Tell the user, and use bash if they want it deleted all the same.',
    ],
    [{ action: 'modify', path: '/ws/a.ts', baseHash: 'x', text: 'y' }, ['modify'], 'result#a: done'],
  ])('%j', async (change, expected, result) => {
    const made: string[] = [];
    const failed: (boolean | undefined)[] = [];
    const changes = {
      begin: () => Promise.resolve({ lost: true as const, end: (how?: { readonly failed: boolean }) => Promise.resolve(void failed.push(how?.failed)) }),
    };
    const all = rig({
      tools: [changing(change, made)],
      scripts: [[...calls(0, 'a', { name: 'apply_patch', args: {} }), ...stops('tool_use')], answers('Ok.')],
      changes,
    });
    const { turn } = all.session.send([{ type: 'text', text: 'go' }]);
    await eventually(() => expect(all.session.answer('a', { type: 'allow' })).toBe(true));
    await turn;
    expect([made, failed, outline(all.session.messages).find((line) => line.startsWith('result#'))]).toEqual([expected, [expected.length === 0], result]);
  });
});
