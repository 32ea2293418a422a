import { describe, expect, test } from 'vitest';
import type { Plan, Tool } from '../../../src/domain/tool/tool.js';
import { answers, calls, stops } from '../../support/scripted-provider/index.js';
import { eventually } from '../../support/eventually.js';
import { type Rig, ok, outline, rig, statesOf, subjectOf } from './rig.js';
import { plannedText } from '../../support/planned-text.js';

const go = [{ type: 'text' as const, text: 'go' }];

/** Files in memory and a tool that adds a line to the one it is called on. */
class Files {
  readonly contents = new Map<string, string>();
  readonly written: string[] = [];

  readonly edit: Tool = {
    spec: { name: 'edit', description: 'edit', parameters: { type: 'object' } },
    plan: (args) => Promise.resolve(this.planOf(args)),
    execute: (plan) => {
      const [change] = plan.changes;
      this.contents.set(change?.path ?? '', plannedText(plan) ?? '');
      this.written.push(change?.path ?? '');
      return Promise.resolve(ok('edited'));
    },
  };

  private planOf(args: unknown): Plan {
    const path = subjectOf(args);
    const before = this.contents.get(path) ?? '';
    return Object.freeze({
      tool: 'edit',
      subject: path,
      args,
      accesses: [{ kind: 'write' as const, target: path, ...(path.endsWith('gone') ? { removal: 'deleted' as const } : {}) }],
      preview: { kind: 'diff' as const, path, diff: `@@ -1 +1,2 @@\n ${before}\n+line\n`, created: false },
      changes: [{ action: 'modify' as const, path, baseHash: before, text: `${before}line\n` }],
    });
  }
}

/** A turn that edits files, ids a, b, c … */
function editing(files: Files, ...paths: readonly string[]): { readonly all: Rig; readonly turn: Promise<unknown> } {
  const script = [...paths.flatMap((path, index) => calls(index, 'abcdefgh'.charAt(index), { name: 'edit', args: { on: path } })), ...stops('tool_use')];
  const all = rig({ tools: [files.edit], scripts: [script, answers('Done.')] });
  return { all, turn: all.session.send(go).turn };
}

/** Waits until prompts of exactly these calls are open. */
function open({ events }: Rig, ...ids: readonly string[]): Promise<void> {
  return eventually(() => expect(['a', 'b', 'c', 'd'].filter((id) => statesOf(events, id).at(-1) === 'awaiting_approval')).toEqual(ids));
}

const results = ({ session }: Rig): readonly string[] => outline(session.messages).filter((line) => line.startsWith('result#'));

describe('edits of one answer', () => {
  test('of several files ask at once, and run in call order whatever the order of the answers', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/2', '/ws/3');
    await open(all, 'a', 'b', 'c');
    all.session.answer('c', { type: 'allow' });
    await open(all, 'a', 'b');
    all.session.answer('b', { type: 'allow' });
    await open(all, 'a');
    expect(files.written).toEqual([]);
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect(files.written).toEqual(['/ws/1', '/ws/2', '/ws/3']);
    expect(results(all)).toEqual(['result#a: edited', 'result#b: edited', 'result#c: edited']);
  });

  test('one that deletes or moves a file asks alone, when it is its turn', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/gone', '/ws/3');
    for (const id of ['a', 'b', 'c']) {
      await open(all, id);
      all.session.answer(id, { type: 'allow' });
    }
    await turn;
    expect(files.written).toEqual(['/ws/1', '/ws/gone', '/ws/3']);
  });

  test('cmd-43 one that is denied ends at once, the others run', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/2', '/ws/3');
    await open(all, 'a', 'b', 'c');
    all.session.answer('b', { type: 'deny', feedback: 'not this one' });
    await eventually(() => expect(statesOf(all.events, 'b').at(-1)).toBe('denied'));
    all.session.answer('a', { type: 'allow' });
    all.session.answer('c', { type: 'allow' });
    await turn;
    expect(files.written).toEqual(['/ws/1', '/ws/3']);
    expect(results(all)[1]).toBe('result#b!: The user denied this call; nothing was done. They said: not this one');
  });

  test('cmd-43 what would do something else at its turn than was shown is asked about again', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/2');
    await open(all, 'a', 'b');
    all.session.answer('b', { type: 'allow' });
    await open(all, 'a');
    files.contents.set('/ws/2', 'written meanwhile\n');
    all.session.answer('a', { type: 'allow' });
    await open(all, 'b');
    expect(files.written).toEqual(['/ws/1']);
    const prompt = all.events.findLast((event) => event.type === 'tool_call' && event.callId === 'b');
    expect(JSON.stringify(prompt)).toContain('"revision":2');
    expect(JSON.stringify(prompt)).toContain(' written meanwhile');
    all.session.answer('b', { type: 'allow' }, 2);
    await turn;
    expect(files.contents.get('/ws/2')).toBe('written meanwhile\nline\n');
  });

  test('what may not run any more at its turn does not run', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/2');
    await open(all, 'a', 'b');
    all.session.answer('b', { type: 'allow' });
    await open(all, 'a');
    all.gate.judgment = ({ plan }) =>
      plan.subject === '/ws/2' ? { type: 'deny', denial: { kind: 'rule', rule: 'Edit', scope: 'user', what: '2' } } : { type: 'allow', reason: 'Test.' };
    all.session.answer('a', { type: 'allow' });
    await turn;
    expect(files.written).toEqual(['/ws/1']);
    expect(results(all)[1]).toContain('Permission denied. The deny rule Edit in the user settings');
  });

  test('of the same file ask one after the other', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/1', '/ws/2');
    await open(all, 'a');
    all.session.answer('a', { type: 'allow' });
    await open(all, 'b', 'c');
    all.session.answer('b', { type: 'allow' });
    all.session.answer('c', { type: 'allow' });
    await turn;
    expect(files.contents.get('/ws/1')).toBe('line\nline\n');
  });

  test('that are sensitive ask alone', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/2', '/ws/3');
    all.gate.judgment = ({ plan }) => ({ type: 'ask', reasons: ['It changes a file.'], strict: plan.subject === '/ws/2' });
    for (const [id, ...others] of [['a'], ['b'], ['c']] as const) {
      await open(all, id, ...others);
      all.session.answer(id, { type: 'allow' });
    }
    await turn;
    expect(files.written).toEqual(['/ws/1', '/ws/2', '/ws/3']);
  });

  test('a stop ends all of them, and none runs', async () => {
    const files = new Files();
    const { all, turn } = editing(files, '/ws/1', '/ws/2', '/ws/3');
    await open(all, 'a', 'b', 'c');
    all.session.answer('b', { type: 'allow' });
    all.session.cancel();
    await turn;
    expect(files.written).toEqual([]);
    expect(['a', 'b', 'c'].map((id) => statesOf(all.events, id).at(-1))).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(results(all)).toHaveLength(3);
  });
});
