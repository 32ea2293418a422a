import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { part } from '../../support/gives-away.js';
import { gate } from '../../support/model-server/index.js';
import { startOpenAiServer } from '../../support/openai-server/index.js';
import { ask, drivenProgram, ended, type Message, results, user } from '../../support/protocol-rig.js';
import { processesWithHome } from '../../support/running-processes.js';
import { MODELS, type SaysOf, settingsOfTwoWires, sumOf, TwoWires } from '../../support/two-wires.js';
import { gitIn } from '../worktree/rig.js';

const driven = drivenProgram();

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const AFTER = BEFORE.replace('two', 'TWO').replace('seven', 'SEVEN');
const EDITS = ['two', 'seven'].map((word) => ({ old_string: word, new_string: word.toUpperCase() }));

interface Result extends Message {
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  readonly total_cost_usd: number;
  readonly permission_denials: readonly object[];
}

/** Two of the agents have the model of the other wire. */
const PARTS = [
  { ...part('asks'), background: true, model: MODELS.chat },
  { ...part('is held'), background: true },
  { ...part('edits'), background: true, model: MODELS.chat, isolation: 'worktree' },
];

/** What the models say: three agents and their chat wait for one another; at the end the chat takes over what one has changed. */
function job(): SaysOf {
  const [together, never] = [gate(), gate()];
  const atWork = new Set<string>();
  let editor = '';
  const ofChat: SaysOf = ({ results: said, has }) => {
    if (said.length === 0)
      return has('have ended') ? { calls: [['agents', { action: 'apply', id: editor }]] } : { calls: PARTS.map((args) => ['agent', args]) };
    if (said.length === 1) return { text: `At last: ${said.join(' ')}` };
    editor = said[2]?.split(' ')[0] ?? '';
    return { text: 'They are at work.' };
  };
  return async (asked) => {
    const { part: told, results: said } = asked;
    if (told === '' && said.length === 0) return ofChat(asked);
    if (atWork.add(told).size === PARTS.length + 1) together.open();
    await together.pass();
    if (told === '') return ofChat(asked);
    if (told === 'PART is held') await never.pass();
    if (said.length > 0) return { text: `It says: ${said.join(' ')}` };
    return { calls: [told === 'PART asks' ? ['write', { file_path: 'made.txt', content: 'x' }] : ['edit', { file_path: 'lines.txt', edits: EDITS }]] };
  };
}

it('E-07, E-21, E-31: of three agents on two wires, one is denied what it asks, one is stopped, and what one has edited is applied; all of it is counted', async () => {
  writeFileSync(driven.inFolder('lines.txt'), BEFORE);
  gitIn(driven.folder, 'init', '-q');
  gitIn(driven.folder, 'add', '.');
  gitIn(driven.folder, 'commit', '-qm', 'one');
  const chat = await startOpenAiServer();
  onTestFinished(() => chat.close());
  const wires = new TwoWires(driven.server, chat);
  wires.setScript(job());
  const program = driven.drive('--permission-prompt-tool=stdio', '--settings', JSON.stringify(settingsOfTwoWires(chat)));
  program.send(user('Go'));
  const start = await program.asked('can_use_tool');
  expect(start.body).toMatchObject({ tool_name: 'Agent', input: { model: MODELS.chat } });
  // For both that have this model.
  program.respond(start.id, { behavior: 'allow', updatedPermissions: start.body['permission_suggestions'] });
  const two = [await program.asked('can_use_tool', 1), await program.asked('can_use_tool', 2)];
  const askedBy = (title: string): string => two.find(({ body }) => body['title'] === title)?.id ?? '';
  program.respond(askedBy('general: Look at asks'), { behavior: 'deny', message: 'Not that one.' });
  const tasks = (): readonly Message[] => program.ofType('system').filter(({ subtype }) => String(subtype).startsWith('task_'));
  const held = tasks().find(({ description }) => description === 'Look at is held');
  expect(await ask(program, { subtype: 'stop_task', task_id: held?.['task_id'] })).toMatchObject({ subtype: 'success' });
  program.respond(askedBy('general: Look at edits'), { behavior: 'allow' });
  const apply = await program.asked('can_use_tool', 3);
  expect(readFileSync(driven.inFolder('lines.txt'), 'utf8')).toBe(BEFORE);
  expect(apply.body).toMatchObject({ tool_name: 'agents', description: expect.stringMatching(/lines\.txt[^]*-two\n[^]*\+SEVEN/) as string });
  program.respond(apply.id, { behavior: 'allow' });
  const [result] = await results(program);
  expect((await ended(program)).code).toBe(0);
  expect([readFileSync(driven.inFolder('lines.txt'), 'utf8'), existsSync(driven.inFolder('made.txt'))]).toEqual([AFTER, false]);
  const states = tasks().filter(({ subtype }) => subtype === 'task_notification');
  expect(states.map(({ status }) => status).toSorted()).toEqual(['completed', 'completed', 'stopped']);
  const { tokens, costUsd } = sumOf(wires.total);
  const { usage, total_cost_usd: cost, permission_denials: denials } = result as Result;
  expect([usage.input_tokens + usage.output_tokens, cost]).toEqual([tokens, expect.closeTo(costUsd, 10)]);
  expect(denials).toMatchObject([{ tool_name: 'Write', agent_type: 'general' }]);
  // The one that was stopped ended its request.
  expect([wires.problems, await wires.over(), processesWithHome(driven.home)]).toEqual([[], 1, []]);
});
