import { describe, expect, test } from 'vitest';
import type { InstructionFile, Instructions } from '../../../../src/domain/session/context.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { textContent } from '../../../../src/domain/model/message-helpers.js';
import { failure } from '../../../../src/engine/tool-call/results.js';
import { answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { ok, rig, testTool } from '../rig.js';
import { pastTalk } from './long-talk.js';

const go = [{ type: 'text' as const, text: 'go' }];

function file(display: string, text = `Rules of ${display}.`): InstructionFile {
  return { path: `/ws/${display}`, display, text, truncated: false };
}

/** Instructions for every folder below `/ws`; `asked` are the paths that were looked up. */
function finder(overrides: Partial<Instructions> = {}): Instructions & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ofWorkspace: () => Promise.resolve([]),
    ofFile(path) {
      asked.push(path);
      const parts = path.split('/').slice(2, -1);
      return Promise.resolve(parts.map((_, index) => file(`${parts.slice(0, index + 1).join('/')}/AGENTS.md`)));
    },
    ...overrides,
  };
}

const reading = (...paths: readonly string[]) => [...paths.flatMap((on, index) => calls(index, on.replaceAll('/', '-'), { name: 'read', args: { on } })), ...stops('tool_use')];
const resultOf = (messages: readonly Message[], id: string): string => textContent(messages.find((message) => message.role === 'tool_result' && message.toolCallId === id.replaceAll('/', '-')) as Message);

describe('instructions of folders', () => {
  test('come once, with the first result from below the folder, outermost first', async () => {
    const instructions = { workspace: [file('AGENTS.md')], finder: finder() };
    const { session, events } = rig({
      tools: [testTool('read')],
      instructions,
      scripts: [reading('a/b/x'), reading('a/b/y'), reading('a/z', 'c/d'), reading('top'), answers('Done.')],
    });
    expect(session.instructions.map(({ display }) => display)).toEqual(['AGENTS.md']);
    await session.send(go).turn;
    expect(resultOf(session.messages, 'a/b/x')).toBe('read a/b/x[Instructions of a/AGENTS.md:\nRules of a/AGENTS.md.\n][Instructions of a/b/AGENTS.md:\nRules of a/b/AGENTS.md.\n]');
    expect(resultOf(session.messages, 'a/b/y')).toBe('read a/b/y');
    expect(resultOf(session.messages, 'a/z')).toBe('read a/z');
    expect(resultOf(session.messages, 'c/d')).toContain('[Instructions of c/AGENTS.md:');
    expect(resultOf(session.messages, 'top')).toBe('read top');
    const told = events.flatMap((event) => (event.type === 'instructions_loaded' ? [event.files.map(({ display }) => display)] : []));
    expect(told).toEqual([['AGENTS.md'], ['a/AGENTS.md', 'a/b/AGENTS.md'], ['c/AGENTS.md']]);
    expect(session.instructions.map(({ display }) => display)).toEqual(told.flat());
    // Each folder was looked into once.
    expect(instructions.finder.asked).toEqual(['/ws/a/b/x', '/ws/a/z', '/ws/c/d', '/ws/top']);
  });

  test('not with a call that failed, nor for commands; the next that works brings them', async () => {
    let fails = true;
    const { session, gate } = rig({
      tools: [testTool('read', { execute: () => (fails ? failure('No.') : ok('Yes.')) }), testTool('bash', { kind: 'interact' })],
      instructions: { workspace: [], finder: finder() },
      scripts: [
        reading('a/x'),
        () => {
          fails = false;
          return [...calls(0, 'bash', { name: 'bash', args: { on: 'a/x' } }), ...calls(1, 'again', { name: 'read', args: { on: 'a/x' } }), ...stops('tool_use')];
        },
        answers('Done.'),
      ],
    });
    gate.judgment = () => ({ type: 'allow', reason: 'A test.' });
    await session.send(go).turn;
    expect(resultOf(session.messages, 'a/x')).toBe('No.');
    expect(resultOf(session.messages, 'bash')).toBe('bash a/x');
    expect(resultOf(session.messages, 'again')).toContain('[Instructions of a/AGENTS.md:');
  });

  test('what cannot be found out fails no call', async () => {
    const broken = finder({ ofFile: () => Promise.reject(new Error('The disk is gone.')) });
    const { session, log } = rig({ tools: [testTool('read')], instructions: { workspace: [], finder: broken }, scripts: [reading('a/x'), answers('Done.')] });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(resultOf(session.messages, 'a/x')).toBe('read a/x');
    expect(log.lines.join('\n')).toContain('The disk is gone.');
  });

  test('after a summary took the place of the result they come again, and are told only once', async () => {
    const { session, events } = rig({
      messages: pastTalk(2),
      tools: [testTool('read')],
      instructions: { workspace: [], finder: finder() },
      scripts: [reading('a/x'), answers('Done.'), answers('Summary.'), reading('a/y'), answers('Done.')],
    });
    await session.send(go).turn;
    await session.compact();
    await session.send(go).turn;
    expect(resultOf(session.messages, 'a/y')).toContain('[Instructions of a/AGENTS.md:');
    expect(events.filter(({ type }) => type === 'instructions_loaded')).toHaveLength(1);
  });

  test('no more than 120,000 characters altogether', async () => {
    const large = finder({ ofFile: (path) => Promise.resolve([file(`${path}/AGENTS.md`, 'x'.repeat(39_000))]) });
    const { session } = rig({
      tools: [testTool('read')],
      instructions: { workspace: [], finder: large },
      scripts: [reading(...['a/x', 'b/x', 'c/x', 'd/x', 'e/x']), answers('Done.')],
    });
    await session.send(go).turn;
    expect(session.instructions).toHaveLength(3);
  });
});
