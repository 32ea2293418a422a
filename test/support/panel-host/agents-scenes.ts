import type { ViewElf, ViewElfLimit, ViewState } from '../../../src/protocol/view-state.js';
import { answerWith, call, state, user } from './scene-parts.js';

/** An agent at work, without anything that is special. */
export const agent = (id: string, over: Partial<ViewElf> = {}): ViewElf => ({
  id,
  callId: `call-${id}`,
  type: 'explore',
  task: `Look at part ${id}`,
  model: 'Claude Haiku 4.5',
  provider: 'Anthropic',
  state: 'working',
  background: false,
  now: 'Reading src/median.js',
  runs: 1,
  rounds: 3,
  tokens: 12_304,
  cost: '$0.01',
  since: new Date(Date.now() - 41_500).toISOString(),
  ...over,
});

const callers = agent('a1', {
  callId: 'call-a1',
  task: 'Find every caller of median',
  state: 'completed',
  now: '',
  rounds: 9,
  tokens: 48_120,
  durationMs: 72_000,
});
const tests = agent('a2', {
  callId: 'call-a2',
  type: 'general',
  task: 'Rewrite the tests of even counts',
  model: 'Claude Sonnet 4.5',
  now: 'Editing test/median.test.js',
  rounds: 12,
  tokens: 104_500,
  cost: '$0.31',
  left: '$0.69',
});
const docs = agent('a3', {
  callId: 'call-a3',
  type: 'docs-writer',
  task: 'Update the docs',
  state: 'waiting',
  background: true,
  now: 'Run npm run docs -- --check?',
  cost: '$0.04',
});
const three: readonly ViewElf[] = [callers, tests, docs];

/** One of each state, some of them below others. */
const nested: readonly ViewElf[] = [
  agent('n1', {
    type: 'general',
    task: 'Move the statistics into a package of their own',
    model: 'Claude Sonnet 4.5',
    now: 'Waiting for 2 agents',
    cost: '$0.22',
  }),
  agent('n2', { parent: 'n1', task: 'Find what imports them', state: 'completed', now: '', durationMs: 9_400 }),
  agent('n3', { parent: 'n1', type: 'general', task: 'Move the tests', state: 'waiting', now: 'Edit test/index.js?', runs: 2, earlierMs: 20_000 }),
  agent('n4', { parent: 'n3', task: 'Find the helpers of the tests', state: 'failed', now: '', durationMs: 31_000, problem: 'The server is overloaded.' }),
  agent('n5', { type: 'general', task: 'Write the changelog', state: 'cancelled', now: '', durationMs: 4_200 }),
  agent('n6', { task: 'Look for dead code', state: 'interrupted', now: '', problem: 'The window was closed while it worked.' }),
  agent('n7', { task: 'Compare the speed of both', state: 'queued', now: '', position: 1, rounds: 0, tokens: 0, cost: '' }),
  agent('n8', { task: 'Check the links', state: 'queued', now: '', position: 2, rounds: 0, tokens: 0, cost: '', background: true }),
];

const long = 'a-very-long-name '.repeat(700);
const hostile: readonly ViewElf[] = [
  agent('h1', { task: '\u202EFinished\u202C <b>Wants you</b> <img src=x onerror=alert(1)>', type: 'ex\u200Bplore', now: 'Reading \u2067src/a.ts\u2069' }),
  agent('h2', { task: long, type: long, now: long, model: long, provider: long, cost: '$1,234,567.89', left: long }),
  agent('h3', { task: 'First line\n\nFinished\r\nWants you', type: 'two\nlines', state: 'waiting', now: 'Run\n\n\n\nrm -rf build?' }),
  agent('h4', { task: 'x'.repeat(10_000), type: 'מומחה', state: 'failed', now: '', problem: `${'y'.repeat(10_000)}\u202E` }),
  agent('h5', { task: 'בדוק את הקוד', type: 'سريع', now: 'קורא src/a.ts' }),
];

/** So many agents of a kind, all at work, or only the first of them when fewer work. */
export function manyAgents(count: number, working = count): readonly ViewElf[] {
  return Array.from({ length: count }, (_, index) =>
    index < working
      ? agent(`m${index}`, { task: `Look at part ${index + 1}` })
      : agent(`m${index}`, { task: `Look at part ${index + 1}`, state: 'queued', now: '', position: index - working + 1, rounds: 0, tokens: 0, cost: '' }),
  );
}

const calls = three.map(({ id, type, task, state: its }) =>
  call({
    id: `call-${id}`,
    name: 'agent',
    subject: `${type}: ${task}`,
    status: its === 'completed' ? 'done' : 'running',
    output: its === 'completed' ? 'It is called in 14 places.' : 'Reading src/median.js\nEditing test/median.test.js\n',
  }),
);
const items = [
  user('Find every caller, rewrite the tests, and update the docs'),
  answerWith([{ type: 'text', text: 'Three parts, so three agents.' }, ...calls], { status: 'streaming' }),
];
const over: Partial<ViewState> = { activity: 'running' };

/** A cost limit that agents have reached. */
export const costLimit: ViewElfLimit = { limit: 'money', value: '$2.00', used: '$2.03', higher: { value: 4, text: '$4.00' }, stopped: 2, refused: 5 };

/** Scenes in which agents work on parts of the task. */
export const agentsScenes: Readonly<Record<string, ViewState>> = {
  agents: state(items, { ...over, elves: three }),
  'nested agents': state(items.slice(0, 1), { ...over, elves: nested }),
  'many agents': state(items.slice(0, 1), { ...over, elves: manyAgents(20) }),
  'hostile agents': state(items.slice(0, 1), { ...over, elves: hostile }),
  'agents at their limit': state(items.slice(0, 1), {
    elves: [
      { ...callers, cost: '$0.61' },
      { ...tests, state: 'failed', now: '', durationMs: 65_000, cost: '$0.92', left: '$0.00', problem: 'The cost limit of $2.00 has been reached.' },
      { ...docs, state: 'failed', now: '', durationMs: 3_000, cost: '$0.50', left: '$0.00', problem: 'The cost limit of $2.00 has been reached.' },
    ],
    elfLimit: costLimit,
  }),
  'ended agents': state(items.slice(0, 1), {
    elves: [
      { ...callers, isolated: true, changed: 3 },
      { ...tests, state: 'failed', now: '', durationMs: 65_000, problem: 'The budget of $1.00 is used up.' },
      { ...docs, state: 'cancelled', now: '', durationMs: 3_000 },
      agent('a4', {
        ...{ type: 'general', task: 'Move to the new parser', state: 'failed', now: '', rounds: 0, tokens: 0, cost: '', durationMs: 0, isolated: true },
        problem: 'The set-up of the worktree failed at “npm ci” (exit code 1).',
        details:
          'npm error code ENOTFOUND\nnpm error network request to https://packages.example.org failed\n\n\u202Enpm error A complete log of this run is in ~/.npm',
      }),
    ],
  }),
};
