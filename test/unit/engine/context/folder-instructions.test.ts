import { describe, expect, test } from 'vitest';
import { type FoundInstructions, type InstructionFile, type Instructions, NO_INSTRUCTIONS } from '../../../../src/domain/session/context.js';
import { type Message, textContent } from '../../../../src/domain/model/message.js';
import { failure } from '../../../../src/engine/tool-call/results.js';
import { answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { ok, rig, testTool } from '../rig.js';
import { pastTalk } from './long-talk.js';

const go = [{ type: 'text' as const, text: 'go' }];

function file(display: string, text = `Rules of ${display}.`): InstructionFile {
  return { path: `/ws/${display}`, display, text, truncated: false };
}

function found(...files: readonly InstructionFile[]): FoundInstructions {
  return { files, leftOut: [] };
}

/** Instructions for every folder below `/ws`; `asked` are the paths that were looked up. */
function finder(overrides: Partial<Instructions> = {}): Instructions & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ofWorkspace: (_signal, given = []) => Promise.resolve(found(...given.map((name) => file(name)))),
    ofFile(path) {
      asked.push(path);
      const parts = path.split('/').slice(2, -1);
      return Promise.resolve(found(...parts.map((_, index) => file(`${parts.slice(0, index + 1).join('/')}/AGENTS.md`))));
    },
    ...overrides,
  };
}

const reading = (...paths: readonly string[]) => [
  ...paths.flatMap((on, index) => calls(index, on.replaceAll('/', '-'), { name: 'read', args: { on } })),
  ...stops('tool_use'),
];
const resultOf = (messages: readonly Message[], id: string): string =>
  textContent(messages.find((message) => message.role === 'tool_result' && message.toolCallId === id.replaceAll('/', '-')) as Message);

describe('instructions of folders', () => {
  test('come once, with the first result from below the folder, outermost first', async () => {
    const everywhere = finder({
      ofWorkspace: (_signal, given = []) =>
        Promise.resolve(found(file('AGENTS.md'), ...given.filter((name) => name !== 'AGENTS.md').map((name) => file(name)))),
    });
    const instructions = { workspace: found(file('AGENTS.md')), finder: everywhere };
    const { session, events } = rig({
      tools: [testTool('read')],
      instructions,
      scripts: [reading('a/b/x'), reading('a/b/y'), reading('a/z', 'c/d'), reading('top'), answers('Done.')],
    });
    expect(session.instructions.files.map(({ display }) => display)).toEqual(['AGENTS.md']);
    await session.send(go).turn;
    expect(resultOf(session.messages, 'a/b/x')).toBe(
      'read a/b/x[Instructions of a/AGENTS.md:\nRules of a/AGENTS.md.\n][Instructions of a/b/AGENTS.md:\nRules of a/b/AGENTS.md.\n]',
    );
    expect(resultOf(session.messages, 'a/b/y')).toBe('read a/b/y');
    expect(resultOf(session.messages, 'a/z')).toBe('read a/z');
    expect(resultOf(session.messages, 'c/d')).toContain('[Instructions of c/AGENTS.md:');
    expect(resultOf(session.messages, 'top')).toBe('read top');
    const told = events.flatMap((event) => (event.type === 'instructions_found' ? [event.found.files.map(({ display }) => display)] : []));
    expect(told.at(-1)).toEqual(['AGENTS.md', 'a/AGENTS.md', 'a/b/AGENTS.md', 'c/AGENTS.md']);
    expect(session.instructions.files.map(({ display }) => display)).toEqual(told.at(-1));
    // Instructions may be for single files, so each is looked at once.
    expect(instructions.finder.asked).toEqual(['/ws/a/b/x', '/ws/a/b/y', '/ws/a/z', '/ws/c/d', '/ws/top']);
  });

  test('not with a call that failed, nor for commands; the next that works brings them', async () => {
    let fails = true;
    const { session, gate } = rig({
      tools: [
        testTool('read', { execute: () => (fails ? failure({ kind: 'rejected', problem: 'No.' }) : ok('Yes.')) }),
        testTool('bash', { kind: 'interact' }),
      ],
      instructions: { workspace: NO_INSTRUCTIONS, finder: finder() },
      scripts: [
        reading('a/x'),
        () => {
          fails = false;
          return [
            ...calls(0, 'bash', { name: 'bash', args: { on: 'a/x' } }),
            ...calls(1, 'again', { name: 'read', args: { on: 'a/x' } }),
            ...stops('tool_use'),
          ];
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
    const { session, log } = rig({
      tools: [testTool('read')],
      instructions: { workspace: NO_INSTRUCTIONS, finder: broken },
      scripts: [reading('a/x'), answers('Done.')],
    });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(resultOf(session.messages, 'a/x')).toBe('read a/x');
    expect(log.lines.join('\n')).toContain('The disk is gone.');
  });

  test('after a summary took the place of the result they come again, and not while the result is there', async () => {
    const { session } = rig({
      messages: pastTalk(2),
      tools: [testTool('read')],
      instructions: { workspace: NO_INSTRUCTIONS, finder: finder() },
      scripts: [reading('a/x'), answers('Done.'), reading('a/y'), answers('Done.'), answers('Summary.'), reading('a/z'), answers('Done.')],
    });
    await session.send(go).turn;
    // So long that what was before it is not kept.
    await session.send([{ type: 'text', text: 'word '.repeat(40_000) }]).turn;
    await session.compact();
    await session.send(go).turn;
    expect(resultOf(session.messages, 'a/y')).toBe('read a/y');
    expect(resultOf(session.messages, 'a/z')).toContain('[Instructions of a/AGENTS.md:');
  });

  test('no more than 120,000 characters altogether', async () => {
    const large = finder({ ofFile: (path) => Promise.resolve(found(file(`${path}/AGENTS.md`, 'x'.repeat(39_000)))) });
    const { session } = rig({
      tools: [testTool('read')],
      instructions: { workspace: NO_INSTRUCTIONS, finder: large },
      scripts: [reading(...['a/x', 'b/x', 'c/x', 'd/x', 'e/x']), answers('Done.')],
    });
    await session.send(go).turn;
    expect(session.instructions.files).toHaveLength(3);
  });
});
