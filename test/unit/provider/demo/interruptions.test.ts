import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type AssistantContent, type ToolCallBlock, text } from '../../../../src/domain/model/content.js';
import { textContent } from '../../../../src/domain/model/message.js';
import { CANCELLED } from '../../../../src/engine/tool-call/results.js';
import type { ToolResult } from '../../../../src/domain/tool/tool.js';
import { readArguments, writeArguments } from '../../../../src/session/codec/arguments.js';
import { type Decision, Conversation, changedLines, failure, removeFolders, replaceIn, sampleCopy, snapshot } from './rig.js';

const FIX = 'Fix the failing test';
const CONTINUE = 'Continue from where you were interrupted.';
const DENIED = 'The user denied this call; nothing was done.';

afterAll(removeFolders);

/** A conversation on a copy of the sample, whose tests do not really run. */
class QuickConversation extends Conversation {
  /** Begins with another text in place of the comparison that is wrong. */
  static async begin(comparison = 'a.start <= b.end'): Promise<QuickConversation> {
    return new QuickConversation(await sampleCopy((folder) => replaceIn(join(folder, 'src/slot.js'), 'a.start <= b.end', comparison)));
  }

  override send(message: string, decide: Decision = () => undefined): Promise<string> {
    return super.send(message, async (call) => (await decide(call)) ?? (call.name === 'bash' ? this.runTests() : undefined));
  }

  /** What the tests would say. */
  private async runTests(): Promise<ToolResult> {
    const source = await readFile(join(this.folder, 'src/slot.js'), 'utf8');
    if (source.includes('a.start < b.end')) return { content: [text('ℹ pass 16\nℹ fail 0')], isError: false };
    return failure('✖ can be booked back to back, since meetings that only touch do not overlap (1 ms)\nℹ pass 15\nℹ fail 1\n[exit code 1 after 0.5 s]');
  }
}

/** Answers the calls of one tool with an error, the first `times` of them. */
function refuse(name: string, answer: string, times = Infinity): Decision {
  let left = times;
  return (call: ToolCallBlock) => (call.name === name && left-- > 0 ? failure(answer) : undefined);
}

/** A block as it comes back from a session file. */
function stored(block: AssistantContent): AssistantContent {
  return block.type === 'tool_call' ? { ...block, arguments: readArguments(writeArguments(block.arguments, undefined)) } : block;
}

describe('a call that is denied', () => {
  it.each([
    ['by the user', DENIED, 'You denied that'],
    ['by the mode', 'Permission denied. Plan mode only reads. Nothing was done.', 'That was denied'],
  ])('%s: stops before the command and says what it was for', async (_, answer, words) => {
    const conversation = await QuickConversation.begin();
    const before = await snapshot(conversation.folder);
    const last = await conversation.send(FIX, refuse('bash', answer));
    expect(last).toContain(`${words}, so I’ll stop here. I would have run \`npm test\``);
    expect(changedLines(before, await snapshot(conversation.folder))).toEqual([]);
    expect(conversation.calls.at(-1)).toBe('bash npm test');
  });

  it('stops before the edit and shows what it would have changed', async () => {
    const conversation = await QuickConversation.begin();
    const before = await snapshot(conversation.folder);
    const last = await conversation.send(FIX, refuse('edit', `${DENIED} They said: not that file`));
    expect(last).toMatch(/I would have changed `src\/slot\.js`.*-.*a\.start <= b\.end.*\+.*a\.start < b\.end/s);
    expect(changedLines(before, await snapshot(conversation.folder))).toEqual([]);
  });

  it('names an edit that is not confirmed when the second run is denied', async () => {
    let runs = 0;
    const conversation = await QuickConversation.begin();
    const last = await conversation.send(FIX, (call) => (call.name === 'bash' && ++runs === 2 ? failure(DENIED) : undefined));
    expect(last).toMatch(/not confirmed by a test run.*a\.start < b\.end/s);
  });

  it('tries again when the user says so', async () => {
    const conversation = await QuickConversation.begin();
    await conversation.send(FIX, refuse('edit', DENIED));
    expect(await conversation.send('ok, go ahead')).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'bash npm test')).toHaveLength(2);
  });
});

describe('carrying on after an interruption', () => {
  it.each([1, 30])('continues after an answer that was cut off after %i events', async (events) => {
    const conversation = await QuickConversation.begin();
    conversation.say(FIX);
    const partial = await conversation.answer(events);
    expect(partial.stopReason).toBe('aborted');
    if (partial.content.length > 0) conversation.messages.push(partial);
    expect(await conversation.send(CONTINUE)).toMatch(/All 16 tests pass now/);
    expect(conversation.messages.filter((message) => message.role === 'user')).toHaveLength(2);
  });

  it('does not repeat what is known already', async () => {
    const conversation = await QuickConversation.begin();
    const stopAtEdit = conversation.send(FIX, (call) => {
      if (call.name === 'edit') throw new Error('stop here');
      return undefined;
    });
    await expect(stopAtEdit).rejects.toThrow('stop here');
    const told = conversation.messages.length;
    expect(await conversation.send(CONTINUE)).toMatch(/All 16 tests pass now/);
    const resumed = conversation.messages.slice(told);
    expect(resumed.flatMap((message) => (message.role === 'assistant' ? [textContent(message)] : []))[0]).toMatch(/^I carry on/);
    expect(conversation.calls.filter((call) => call === 'read src/slot.js')).toHaveLength(1);
    expect(conversation.calls.filter((call) => call === 'bash npm test')).toHaveLength(2);
  });

  it('knows its calls after they were stored, with other escapes', async () => {
    const conversation = await QuickConversation.begin();
    const denyRunOfEdit: Decision = (call) => (call.name === 'bash' && conversation.calls.includes('edit src/slot.js') ? failure(DENIED) : undefined);
    expect(await conversation.send(FIX, denyRunOfEdit)).toMatch(/You denied that/);
    for (const [index, message] of conversation.messages.entries()) {
      if (message.role === 'assistant') conversation.messages[index] = { ...message, content: message.content.map(stored) };
    }
    expect(JSON.stringify(conversation.messages)).toContain('u003c=');
    expect(await conversation.send(CONTINUE)).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'edit src/slot.js')).toHaveLength(1);
  });

  it('runs a command again that was stopped', async () => {
    const conversation = await QuickConversation.begin();
    await conversation.send(FIX, refuse('bash', `${textContent(CANCELLED)}(no output)\n[stopped on request after 0.1 s]`, 1));
    expect(conversation.said).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'bash npm test')).toHaveLength(3);
  });

  it.each([true, false])('finds out whether an interrupted edit happened: %s', async (happened) => {
    const conversation = await QuickConversation.begin();
    let edits = 0;
    await conversation.send(FIX, async (call) => {
      if (call.name !== 'edit' || ++edits > 1) return undefined;
      if (happened) await conversation.run(call);
      return failure('Interrupted before it finished; not run again.');
    });
    expect(edits).toBe(happened ? 1 : 2);
    expect(conversation.said).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'read src/slot.js')).toHaveLength(2);
  });
});

describe('tools that fail', () => {
  it('quotes the output when the tests do not run', async () => {
    const conversation = await QuickConversation.begin();
    const last = await conversation.send(FIX, refuse('bash', 'bash: line 1: npm: command not found\n[exit code 127 after 0.0 s]'));
    expect(last).toMatch(/cannot fix it and changed nothing.*npm: command not found/s);
  });

  it('does not take an output for a success that names no passed tests', async () => {
    const conversation = await QuickConversation.begin();
    const last = await conversation.send(FIX, (call) => (call.name === 'bash' ? { content: [text('ok')], isError: false } : undefined));
    expect(last).toMatch(/cannot fix it and changed nothing/);
  });

  it('reads again and continues when an edit is refused because the file changed', async () => {
    const conversation = await QuickConversation.begin();
    const decide = refuse('edit', 'src/slot.js has changed since it was read. Read it again, then change it.', 1);
    expect(await conversation.send(FIX, decide)).toMatch(/All 16 tests pass now/);
    expect(conversation.calls.filter((call) => call === 'read src/slot.js')).toHaveLength(2);
  });

  it('gives an edit up that is refused every time', async () => {
    const conversation = await QuickConversation.begin();
    expect(await conversation.send(FIX, refuse('edit', 'old_string was not found in the file.'))).toMatch(/failed twice, so I cannot fix it/);
  });
});

describe('a sample in another state', () => {
  it('is left alone when the tests pass', async () => {
    const conversation = await QuickConversation.begin('a.start < b.end');
    expect(await conversation.send('please make the tests pass')).toMatch(/^All 16 tests pass already.*changed nothing/s);
    expect(conversation.calls).toEqual(['read package.json', 'bash npm test']);
  });

  it('is left alone when the failing test is not where it was', async () => {
    const conversation = await QuickConversation.begin();
    await rename(join(conversation.folder, 'test/room.test.js'), join(conversation.folder, 'test/booking.test.js'));
    expect(await conversation.send(FIX)).toMatch(/^I do not find that test.*changed nothing/s);
  });

  it('is left alone when the line is written differently', async () => {
    const conversation = await QuickConversation.begin('b.end >= a.start');
    expect(await conversation.send(FIX)).toMatch(/^`src\/slot\.js` does not hold the line that my script knows.*changed nothing/s);
    expect(conversation.calls.at(-1)).toBe('read src/slot.js');
  });
});
