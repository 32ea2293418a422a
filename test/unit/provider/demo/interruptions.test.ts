import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ToolCallBlock } from '../../../../src/domain/model/content.js';
import { textContent } from '../../../../src/domain/model/message-helpers.js';
import { CANCELLED } from '../../../../src/engine/tool-call/results.js';
import type { Decision } from './rig.js';
import { Conversation, changedLines, emptyFolder, removeFolders, sampleCopy, snapshot, testsPass } from './rig.js';

const FIX = 'Fix the failing test';
const CONTINUE = 'Continue from where you were interrupted.';
const DENIED = 'The user denied this call; nothing was done.';
const LONG = 60_000;

afterAll(removeFolders);

/** Answers the calls of one tool with a text, the first `times` of them. */
function refuse(name: string, answer: string, times = Infinity): Decision {
  let left = times;
  return (call: ToolCallBlock) => (call.name === name && left-- > 0 ? answer : 'allow');
}

describe('a call that is denied', () => {
  it('stops before the command and says what it was for', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const before = await snapshot(folder);
    const conversation = new Conversation(folder);
    const last = await conversation.send(FIX, refuse('bash', DENIED));
    expect(last).toMatch(/not allowed.*I would have run `npm test`/s);
    expect(changedLines(before, await snapshot(folder))).toEqual([]);
    expect(conversation.calls.at(-1)).toBe('bash npm test');
  });

  it('stops before the edit and shows what it would have changed', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const before = await snapshot(folder);
    const last = await new Conversation(folder).send(FIX, refuse('edit', `${DENIED} They said: not that file`));
    expect(last).toMatch(/I would have changed `src\/slot\.js`.*-.*a\.start <= b\.end.*\+.*a\.start < b\.end/s);
    expect(changedLines(before, await snapshot(folder))).toEqual([]);
  });

  it('stops when the mode refuses the command without asking', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const last = await new Conversation(folder).send(FIX, refuse('bash', 'Permission denied. Plan mode only reads. Nothing was done.'));
    expect(last).toMatch(/not allowed/);
  });

  it('names an edit that is not confirmed when the second run is denied', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    let runs = 0;
    const last = await new Conversation(folder).send(FIX, (call) => (call.name === 'bash' && ++runs === 2 ? DENIED : 'allow'));
    expect(last).toMatch(/not confirmed by a test run.*a\.start < b\.end/s);
  });

  it('tries again when the person says so', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const conversation = new Conversation(folder);
    const decide = refuse('edit', DENIED, 1);
    await conversation.send(FIX, decide);
    expect(await conversation.send('ok, go ahead', decide)).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'bash npm test')).toHaveLength(2);
  });
});

describe('carrying on after an interruption', () => {
  it.each([1, 30])('goes on from an answer that was cut off after %i events', { timeout: LONG }, async (events) => {
    const folder = await sampleCopy();
    const conversation = new Conversation(folder);
    conversation.say(FIX);
    const partial = await conversation.answer(events);
    expect(partial.stopReason).toBe('aborted');
    if (partial.content.length > 0) conversation.messages.push(partial);
    expect(await conversation.send(CONTINUE)).toMatch(/All 16 tests pass now/);
    expect(conversation.messages.filter((message) => message.role === 'user')).toHaveLength(2);
    expect(await testsPass(folder)).toBe(true);
  });

  it('does not repeat what is known already', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const conversation = new Conversation(folder);
    const stopAtEdit = conversation.send(FIX, (call) => {
      if (call.name === 'edit') throw new Error('stop here');
      return 'allow';
    });
    await expect(stopAtEdit).rejects.toThrow('stop here');
    const told = conversation.messages.length;
    expect(await conversation.send(CONTINUE)).toMatch(/All 16 tests pass now/);
    const resumed = conversation.messages.slice(told);
    expect(resumed.flatMap((message) => (message.role === 'assistant' ? [textContent(message)] : []))[0]).toMatch(/^I carry on/);
    expect(conversation.calls.filter((call) => call === 'read src/slot.js')).toHaveLength(1);
    expect(conversation.calls.filter((call) => call === 'bash npm test')).toHaveLength(2);
  });

  it('runs a command again that was stopped', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const conversation = new Conversation(folder);
    const stopped = textContent(CANCELLED);
    await conversation.send(FIX, refuse('bash', `${stopped}(no output)\n[stopped on request after 0.1 s]`, 1));
    expect(conversation.said).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'bash npm test')).toHaveLength(3);
  });

  it('finds out whether an interrupted edit happened', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const conversation = new Conversation(folder);
    // The edit is on disk, but its result was lost.
    let edited = '';
    await conversation.send(FIX, (call) => {
      if (call.name !== 'edit' || edited !== '') return 'allow';
      edited = call.arguments;
      return 'Interrupted before it finished; not run again.';
    });
    expect(edited).toContain('a.start < b.end');
    expect(conversation.said).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'read src/slot.js')).toHaveLength(2);
  });
});

describe('tools that fail', () => {
  it('uses the script itself when there is no npm', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const conversation = new Conversation(folder);
    const decide: Decision = (call) =>
      call.arguments.includes('npm test') ? 'bash: line 1: npm: command not found\n[exit code 127 after 0.0 s]' : 'allow';
    expect(await conversation.send(FIX, decide)).toMatch(/All 16 tests pass now/);
    expect(conversation.calls).toContain('bash node --test --test-reporter=spec');
  });

  it('says so when nothing can be started', { timeout: LONG }, async () => {
    const conversation = new Conversation(await sampleCopy());
    const last = await conversation.send(FIX, refuse('bash', 'sh: node: command not found\n[exit code 127 after 0.0 s]'));
    expect(last).toMatch(/cannot run the tests/);
  });

  it('quotes the output when it cannot tell which test fails', { timeout: LONG }, async () => {
    const conversation = new Conversation(await sampleCopy());
    const last = await conversation.send(FIX, refuse('bash', 'kaboom\n[exit code 3 after 0.0 s]'));
    expect(last).toMatch(/cannot make out which one fails.*kaboom/s);
  });

  it('reads again and goes on when an edit is refused because the file changed', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    const conversation = new Conversation(folder);
    const decide = refuse('edit', 'src/slot.js has changed since it was read. Read it again, then change it.', 1);
    expect(await conversation.send(FIX, decide)).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'read src/slot.js')).toHaveLength(2);
  });

  it('gives an edit up that is refused every time', { timeout: LONG }, async () => {
    const conversation = new Conversation(await sampleCopy());
    expect(await conversation.send(FIX, refuse('edit', 'old_string was not found in the file.'))).toMatch(/cannot fix it/);
  });
});

describe('an empty workspace', () => {
  it('says that there is nothing to fix', async () => {
    const conversation = new Conversation(await emptyFolder());
    expect(await conversation.send(FIX)).toMatch(/found no tests.*no model was contacted/s);
    expect(conversation.calls.some((call) => call.startsWith('bash'))).toBe(false);
  });

  it('does not run the placeholder that npm init writes', async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'package.json'), '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}');
    expect(await new Conversation(folder).send(FIX)).toMatch(/found no tests/);
  });
});
