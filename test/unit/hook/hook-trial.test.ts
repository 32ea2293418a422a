import { describe, expect, it } from 'vitest';
import type { HookContext, HookEvent } from '../../../src/domain/hook/event.js';
import { type HookTrial, trialFacts } from '../../../src/hook/hook-trial.js';
import { type Printed, type TestHook, decides, definitionOf, exits, hooksOf } from '../../support/hook-rig.js';

const CONTEXT: HookContext = { session_id: 's', transcript_path: '/s.json', cwd: '/ws', permission_mode: 'default' };
const CALL: HookEvent = { hook_event_name: 'PreToolUse', tool_name: 'bash', tool_input: { command: 'npm test' }, tool_use_id: 'c1' };
const SIGNAL = new AbortController().signal;

/** Tries a hook after a call. */
async function tried(printed: Printed, more: TestHook['more'] = {}): Promise<{ readonly trial: HookTrial | undefined; readonly ran: number }> {
  const hook: TestHook = { event: 'PreToolUse', name: 'guard', answer: () => printed, more };
  const { hooks, told } = hooksOf([hook]);
  await hooks.run(CALL, CONTEXT, SIGNAL);
  const before = told.length;
  return { trial: await hooks.tryOut(definitionOf(hook), SIGNAL), ran: told.length - before };
}

describe('a hook that is run against the last call', () => {
  it('gets what the call had in the words of its program, and shows its decision, outputs, and time', async () => {
    const { trial, ran } = await tried(exits(2, 'not here\n'), { matcher: 'Bash' });
    expect(ran).toBe(1);
    expect(trial?.matches).toBe(true);
    expect(JSON.parse(trial?.input ?? '')).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'npm test' } });
    expect(trial && trialFacts(trial)).toMatchObject({
      matches: true,
      ended: 'it answered',
      exitCode: '2',
      consequences: ['Decision: deny: not here', 'It would block.'],
      stdout: '',
      stderr: 'not here',
      input: expect.stringContaining('"command": "npm test"') as unknown,
    });
  });

  it('runs also where it does not match, and says so', async () => {
    const { trial, ran } = await tried('', { matcher: 'Write' });
    expect([ran, trial?.matches]).toEqual([1, false]);
    expect(trial && trialFacts(trial).matches).toBe(false);
  });

  it('shows what it would change, and what it would tell', async () => {
    const { trial } = await tried(decides('allow', { updatedInput: { command: 'npm run test' }, additionalContext: 'Be quick.' }));
    expect(trial && trialFacts(trial).consequences).toEqual(
      expect.arrayContaining(['It would change the call to: {"command":"npm run test"}', 'The model would be told: Be quick.']),
    );
  });

  it('shows a guard that does not answer as one that blocks', async () => {
    const { trial } = await tried(exits(0, '', '{"decision": '));
    expect(trial && trialFacts(trial)).toMatchObject({
      ended: 'what it printed is not an answer',
      consequences: expect.arrayContaining(['It would block, because it was to decide and did not answer.']) as unknown,
    });
  });

  it('cuts what is long, and says so', async () => {
    const { trial } = await tried('');
    const { stdout = '' } = trial === undefined ? {} : trialFacts({ ...trial, run: { ...trial.run, stdout: 'x'.repeat(30_000) } });
    expect([stdout.length < 20_100, stdout.endsWith('… (10,000 more characters)')]).toEqual([true, true]);
  });

  it('is not run where nothing has happened yet', async () => {
    const hook: TestHook = { event: 'PreToolUse', name: 'guard', answer: () => '' };
    const { hooks, told } = hooksOf([hook]);
    expect(await hooks.tryOut(definitionOf(hook), SIGNAL)).toBeUndefined();
    expect(told).toEqual([]);
  });
});
