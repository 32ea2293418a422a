import { describe, expect, it } from 'vitest';
import type { HookContext, HookEvent } from '../../../src/domain/hook/event.js';
import { type HookTrial, trialText } from '../../../src/hook/hook-trial.js';
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
    const text = trial === undefined ? '' : trialText(trial);
    expect(ran).toBe(1);
    expect(trial?.matches).toBe(true);
    expect(JSON.parse(trial?.input ?? '')).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'npm test' } });
    for (const part of ['It matches.', 'it answered, exit code 2', 'It would block.', 'STANDARD ERROR\nnot here', 'STANDARD OUTPUT\n(nothing)', '"command": "npm test"']) expect(text).toContain(part);
  });

  it('runs also where it does not match, and says so', async () => {
    const { trial, ran } = await tried('', { matcher: 'Write' });
    expect([ran, trial?.matches]).toEqual([1, false]);
    expect(trial === undefined ? '' : trialText(trial)).toContain('It does not match');
  });

  it('shows what it would change, and what it would tell', async () => {
    const { trial } = await tried(decides('allow', { updatedInput: { command: 'npm run test' }, additionalContext: 'Be quick.' }));
    const text = trial === undefined ? '' : trialText(trial);
    expect(text).toContain('It would change the call to: {"command":"npm run test"}');
    expect(text).toContain('The model would be told: Be quick.');
  });

  it('shows a guard that does not answer as one that blocks, and nothing invisible', async () => {
    const { trial } = await tried(exits(0, 'a\u202Eb', '{"decision": '));
    const text = trial === undefined ? '' : trialText(trial);
    expect(text).toContain('It would block, because it was to decide and did not answer.');
    expect(text).not.toContain('\u202E');
  });

  it('is not run where nothing has happened yet', async () => {
    const hook: TestHook = { event: 'PreToolUse', name: 'guard', answer: () => '' };
    const { hooks, told } = hooksOf([hook]);
    expect(await hooks.tryOut(definitionOf(hook), SIGNAL)).toBeUndefined();
    expect(told).toEqual([]);
  });
});
