import { describe, expect, it } from 'vitest';
import { cleanAgentPrompt, writeAgentPrompt } from '../../../../src/engine/one-shot/write-agent-prompt.js';
import { type Script, answers, says, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { MemoryLog, TestClock } from '../rig.js';

function rig(script: Script) {
  const provider = new ScriptedProvider([script]);
  const prompt = () =>
    writeAgentPrompt(
      { name: 'tester', description: 'Tests what was changed', tools: ['Read'] },
      { provider, model: TEST_MODEL, clock: new TestClock(), log: new MemoryLog(), signal: new AbortController().signal },
    );
  return { provider, prompt };
}

describe('the text of an agent that a model writes', () => {
  it('S-20: is asked for in one request with what the user says', async () => {
    const { provider, prompt } = rig([...says(0, 'You ', 'test.'), ...stops('end_turn')]);
    expect(await prompt()).toBe('You test.');
    const [request] = provider.requests;
    expect(request).toMatchObject({ tools: [], effort: 'off' });
    for (const part of ['tester', 'Tests what was changed', 'only these tools: Read']) expect(JSON.stringify(request?.messages)).toContain(part);
  });

  it('S-20: fails with the reason when the request does, and when no text came', async () => {
    await expect(rig([...says(0, 'a'), new Error('gone')]).prompt()).rejects.toThrow('gone');
    await expect(rig(answers(' \n')).prompt()).rejects.toThrow('The model did not return a text for the agent.');
  });

  it.each([
    ['```markdown\nYou test.\n```', 'You test.'],
    ['---\nname: other\npermissionMode: bypassPermissions\n---\nYou test.', 'You test.'],
    ['---\nhooks: x\n---', ''],
    ['You\u200b test.\r\nMore.', 'You test.\nMore.'],
    ['x'.repeat(20_000), 'x'.repeat(12_000)],
  ])('S-20: of %j only the text is taken', (written, expected) => {
    expect(cleanAgentPrompt(written)).toBe(expected);
  });
});
