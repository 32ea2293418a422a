import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AbortError } from '../../../../src/domain/errors.js';
import { type CommitFacts, cleanCommitMessage, writeCommitMessage } from '../../../../src/engine/one-shot/write-commit-message.js';
import { anyCharacter } from '../../../support/any-character.js';
import { type Script, answers, calls, Latch, says, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { MemoryLog, TestClock } from '../rig.js';

const FACTS: CommitFacts = { changes: '+const a = 1;', earlier: ['fix: the thing', 'feat: another'], branch: 'main', begun: '' };

function rig(script: Script) {
  const provider = new ScriptedProvider([script]);
  const written: string[] = [];
  const stop = new AbortController();
  const write = (facts: Partial<CommitFacts> = {}): Promise<string> =>
    writeCommitMessage(
      { ...FACTS, ...facts },
      { provider, model: TEST_MODEL, clock: new TestClock(), log: new MemoryLog(), signal: stop.signal, written: (message) => written.push(message) },
    );
  return { provider, written, stop, write };
}

describe('a commit message by the model', () => {
  it('is asked for in one request with the changes, the style of the repository and what was begun, and told as it comes', async () => {
    const { provider, written, write } = rig([...says(0, '```\nfix: set', ' a\n', '\nIt was not set.\n```'), ...stops('end_turn')]);
    expect(await write({ begun: 'fix' })).toBe('fix: set a\n\nIt was not set.');
    expect(written.at(0)).toBe('fix: set');
    expect(written.at(-1)).toBe('fix: set a\n\nIt was not set.');
    const [request] = provider.requests;
    expect(request).toMatchObject({ tools: [], effort: 'off' });
    const words = JSON.stringify(request?.messages);
    for (const part of ['+const a = 1;', 'fix: the thing', '<branch>main</branch>', '<begun>\\nfix\\n</begun>']) expect(words).toContain(part);
  });

  it('fails with the reason when the request does, when it is stopped, and when nothing but calls came', async () => {
    await expect(rig([...says(0, 'Half'), new Error('gone')]).write()).rejects.toThrow('gone');
    await expect(rig([...calls(0, 'x', { name: 'bash', args: {} }), ...stops('tool_use')]).write()).rejects.toThrow(
      'The model did not return a commit message.',
    );
    const latch = new Latch();
    const stopped = rig([...says(0, 'Half'), latch, ...stops('end_turn')]);
    const writing = stopped.write();
    await latch.reached;
    stopped.stop.abort();
    latch.open();
    await expect(writing).rejects.toThrow(AbortError);
    expect(stopped.written).toEqual(['Half']);
  });

  it('is whole where the answer is, whatever it holds', async () => {
    expect(await rig(answers('Say “hi”\r\n\r\n- one  \n- two')).write()).toBe('Say “hi”\n\n- one\n- two');
  });
});

describe('what a model wrote', () => {
  it.each([
    ['```text\nAdd a\n```', 'Add a'],
    ['```\nAdd', 'Add'],
    ['Use `x`\n\n```\ncode\n```', 'Use `x`\n\n```\ncode\n```'],
    ['safe\u202Etxt\u200b', 'safetxt'],
    ['\n\n Add a \n', 'Add a'],
  ])('%j becomes %j', (words, message) => {
    expect(cleanCommitMessage(words)).toBe(message);
  });

  it('is never longer than 5,000 characters, well-formed and without hidden characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 6_000 }), (words) => {
        const message = cleanCommitMessage(words);
        expect(message.length).toBeLessThanOrEqual(5_000);
        expect(message.isWellFormed()).toBe(true);
        expect(message).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
      }),
    );
  });
});
