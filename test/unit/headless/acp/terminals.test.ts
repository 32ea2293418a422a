import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { expect, it, vi } from 'vitest';
import type { UpdateOf } from '../../../support/acp-editor.js';
import { editorHere, type EditorHere } from '../../../support/acp-here.js';
import { lastToolResults, type ModelServer, reply, resultText } from '../../../support/model-server/index.js';
import { running } from '../../../support/running-processes.js';

/** What an editor says that has terminals of both kinds: those that run something, and those that show something. */
const TERMINALS = { terminal: true, _meta: { terminal_output: true } };

function runs(server: ModelServer, command: string, more: object = {}): void {
  server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall('bash', { command, ...more }) : reply().text('Done.')));
}
type OfCall = UpdateOf<'tool_call' | 'tool_call_update'>;
const ofCalls = ({ editor }: EditorHere): readonly OfCall[] =>
  editor.updates().filter((update): update is OfCall => update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update');
/** What was told to terminals, piece by piece. */
const meta = (here: EditorHere): readonly Readonly<Record<string, unknown>>[] => ofCalls(here).flatMap((update) => (update._meta ? [update._meta] : []));
const shown = (here: EditorHere): string =>
  meta(here)
    .map((each) => (each['terminal_output'] as { readonly data: string } | undefined)?.data ?? '')
    .join('');

it('A command runs in this program and in no terminal of the editor: without the keys of the environment, and within the caps on its output', async () => {
  const here = await editorHere({ terminal: true }, '--permission-mode', 'bypassPermissions');
  vi.stubEnv('SOME_API_KEY', 'CANARY-KEY');
  runs(here.server, 'env; seq 1 30000');
  expect(await here.editor.prompt(here.id, 'x')).toBe('end_turn');
  expect(here.editor.terminals).toEqual([]);
  const told = here.server.requests
    .slice(1)
    .flatMap(({ body }) => lastToolResults(body).map(resultText))
    .join('\n');
  expect(told).toContain('PATH=');
  expect(told.length).toBeLessThan(60_000);
  expect(`${told}${here.editor.received}`).not.toContain('CANARY-KEY');
  expect(`${told}${here.editor.received}`).not.toContain('sk-test-1234567890');
});

it('What it prints is shown in a terminal where the editor has such: as it comes, once, and with its exit code', async () => {
  const here = await editorHere(TERMINALS, '--permission-mode', 'bypassPermissions');
  // It ends when the first of it was shown.
  runs(here.server, 'echo one; until test -e go; do sleep 0.05; done; printf "two\\033[31m\\033]0;title\\007\\n"; exit 3');
  const prompt = here.editor.prompt(here.id, 'x');
  await expect.poll(() => shown(here)).toBe('one\n');
  const [begun] = ofCalls(here);
  const callId = begun?.toolCallId ?? '';
  expect(begun).toMatchObject({ sessionUpdate: 'tool_call', _meta: { terminal_info: { terminal_id: callId } } });
  expect(ofCalls(here).flatMap(({ content }) => content ?? [])).toContainEqual({ type: 'terminal', terminalId: callId });
  writeFileSync(join(here.folder, 'go'), '');
  await prompt;
  expect(shown(here)).toBe('one\ntwo\n');
  expect(meta(here).at(-1)).toEqual({ terminal_exit: { terminal_id: callId, exit_code: 3, signal: null } });
  expect(here.editor.terminals).toEqual([]);
});

it('A cancellation ends all that the command has started, and its terminal', async () => {
  const here = await editorHere(TERMINALS, '--permission-mode', 'bypassPermissions');
  runs(here.server, 'sleep 987 & echo $! >&2; wait');
  const prompt = here.editor.prompt(here.id, 'x');
  await expect.poll(() => shown(here)).toMatch(/^\d+\n$/);
  const child = Number(shown(here));
  await here.editor.agent.notify(methods.agent.session.cancel, { sessionId: here.id });
  expect(await prompt).toBe('cancelled');
  expect(running([child])).toEqual([]);
  expect(meta(here).at(-1)).toMatchObject({ terminal_exit: { exit_code: null } });
});

it('A command that was denied has no terminal that waits, and one in the background is told as any other result', async () => {
  const here = await editorHere(TERMINALS);
  here.editor.choose = () => ({ outcome: { outcome: 'selected', optionId: 'reject_once' } });
  runs(here.server, 'touch made.txt');
  await here.editor.prompt(here.id, 'x');
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(false);
  expect(JSON.stringify(ofCalls(here).map(({ content }) => content))).not.toContain('terminalId');
  here.editor.choose = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } });
  runs(here.server, 'sleep 986', { background: true });
  await here.editor.prompt(here.id, 'y');
  expect(JSON.stringify(ofCalls(here).map(({ content }) => content))).toMatch(/job/i);
});
