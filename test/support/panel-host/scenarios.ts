import type { Choice } from '../../../src/protocol/host/composer-messages.js';
import type { ViewState } from '../../../src/protocol/view-state.js';
import { agentsScenes } from './agents-scenes.js';
import { approvalScenes } from './approval-scenes.js';
import { changesScenes } from './changes-scenes.js';
import { commands, composerScenes, mentions } from './composer-scenes.js';
import { history, trash } from './history-scenes.js';
import { automatic, explanations, routingScenes } from './routing-scenes.js';
import { answerWith, call, state, user } from './scene-parts.js';
import { waitingScenes } from './waiting-scenes.js';

const models: readonly Choice[] = [
  { id: 'demo/scripted', label: 'Demo (scripted, offline)', facts: '200k · free' },
  { id: 'anthropic/claude-sonnet-4-5', label: 'Claude Sonnet 4.5', group: 'Anthropic', facts: '200k · 3 / 15', favorite: true },
  { id: 'anthropic/claude-opus-4-5', label: 'Claude Opus 4.5', group: 'Anthropic', description: '200,000 tokens', facts: '200k · 5 / 25' },
  { id: 'openai/gpt-5', label: 'GPT-5', group: 'OpenAI', description: '400,000 tokens', facts: '400k · 1.25 / 10' },
];
const modes: readonly Choice[] = [
  { id: 'default', label: 'Ask before changes', description: 'Asks before edits and commands' },
  { id: 'acceptEdits', label: 'Accept edits', description: 'Edits freely, asks before commands' },
  { id: 'plan', label: 'Plan', description: 'Read-only: explores and plans' },
  { id: 'ask', label: 'Always ask', description: 'Asks before everything, including reads' },
  { id: 'bypassPermissions', label: 'Bypass permissions', description: 'Asks only when a rule or safety check requires it' },
];
/** None: most people have none. */
const agents: readonly Choice[] = [];
const efforts: readonly Choice[] = [
  { id: 'off', label: 'Off', description: 'No thinking, if the model supports it.' },
  { id: 'low', label: 'Low', description: 'Faster and cheaper.' },
  { id: 'medium', label: 'Medium', description: 'Balanced.' },
  { id: 'high', label: 'High', description: 'Slower and more expensive, for difficult tasks.' },
  { id: 'xhigh', label: 'Extra High', description: 'Much slower and more expensive, for long and difficult tasks.' },
  { id: 'max', label: 'Max', description: 'As much as the model can think, at any price.' },
];
const diff = `--- a/src/median.js
+++ b/src/median.js
@@ -1,9 +1,9 @@
 /** The middle of a list of numbers. */
 export function median(numbers) {
-  const sorted = numbers.sort();
+  const sorted = [...numbers].sort((a, b) => a - b);
   const middle = Math.floor(sorted.length / 2);
-  return sorted[middle];
+  if (sorted.length % 2 === 1) return sorted[middle];
+  return (sorted[middle - 1] + sorted[middle]) / 2;
 }
 
 export const last = (list) => list.at(-1);
`;

const testOutput = `\u001b[31m✖ median of an even count\u001b[39m
  AssertionError: Expected values to be strictly equal:
  10 !== 6
      at test/median.test.js:12:10
ℹ tests 4
ℹ pass 3
ℹ fail 1`;

const prose = `The test fails because \`median\` sorts its numbers **as text**: \`[10, 2]\` stays as it is, since \`"10" < "2"\`.

There are two faults in \`src/median.js\`:

1. \`sort()\` without a comparison sorts text, and it changes the caller's list.
2. For an even count the median is the mean of the two middle values.

\`\`\`js
const sorted = [...numbers].sort((a, b) => a - b);
\`\`\`

| count | before | after |
| :-- | --: | --: |
| odd | 10 | 6 |
| even | 10 | 6.5 |

> A list that is passed in should not be changed.

See [the documentation of \`sort\`](https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/sort), or ![an image](https://example.com/x.png).`;

const command = { kind: 'command' as const, command: 'npm test -- --grep median', cwd: '/home/ada/statistics', timeoutMs: 120_000 };
const steps = [
  { type: 'thinking' as const, text: 'The person wants the failing test fixed. I should run the tests first.', done: true },
  { type: 'text' as const, text: 'I will run the tests first.' },
  call({
    name: 'bash',
    subject: 'npm test',
    status: 'failed',
    output: testOutput,
    preview: { ...command, command: 'npm test' },
    problem: 'The command ended with status 1.',
  }),
  call({ name: 'read', subject: 'src/median.js', output: 'export function median(numbers) {' }),
  call({ name: 'grep', subject: 'median\\( in src', output: 'src/index.js:4: median(values)' }),
];
const scenes: Readonly<Record<string, ViewState>> = {
  empty: state([], { title: 'New Chat', usage: '' }),
  demo: state(
    [
      {
        kind: 'notice',
        id: 'n0',
        level: 'info',
        text: 'The demo model is scripted and works offline. Set an API key to talk to a real one.',
        actions: ['set_api_key', 'select_model'],
      },
    ],
    { title: 'New Chat', usage: '' },
  ),
  conversation: state([
    user('Fix the failing test', 'u0', ['screenshot.png']),
    answerWith(
      [
        ...steps,
        call({ name: 'edit', subject: 'src/median.js', preview: { kind: 'diff', path: 'src/median.js', diff, created: false } }),
        call({ name: 'bash', subject: 'npm test', id: 'again', output: 'ℹ pass 4', preview: { ...command, command: 'npm test' } }),
        { type: 'text', text: prose },
      ],
      { summary: '4 rounds · 18.2 s · 12,304 tokens · $0.02' },
    ),
  ]),
  command: state(
    [
      user('Fix the failing test'),
      answerWith(
        [
          ...steps,
          call({
            name: 'bash',
            subject: command.command,
            status: 'awaiting_approval',
            preview: command,
            approval: { reasons: ['Commands ask in the mode “Ask before changes”.'], proposal: ['Bash(npm test:*)'], editable: 'command' },
          }),
        ],
        { status: 'streaming' },
      ),
    ],
    { activity: 'waiting' },
  ),
  hidden: state(
    [
      user('Clean up'),
      answerWith(
        [
          call({
            name: 'bash',
            subject: 'ls',
            status: 'awaiting_approval',
            preview: { ...command, command: 'ls \u202Etxt.exe\u202C && rm\u00A0-rf \u200B~/x\n# end' },
            approval: { reasons: ['Commands ask.', 'It writes outside of the workspace.'], editable: 'command' },
          }),
        ],
        { status: 'streaming' },
      ),
    ],
    { activity: 'waiting' },
  ),
  diff: state(
    [
      user('Fix the failing test'),
      answerWith(
        [
          ...steps,
          call({
            name: 'edit',
            subject: 'src/median.js',
            status: 'awaiting_approval',
            preview: { kind: 'diff', path: 'src/median.js', diff, created: false },
            approval: { reasons: ['Edits ask in the mode “Ask before changes”.'], proposal: ['Edit(src/**)'], editable: 'content' },
          }),
        ],
        { status: 'streaming' },
      ),
    ],
    { activity: 'waiting' },
  ),
  running: state(
    [
      user('Run the tests'),
      answerWith(
        [
          call({ name: 'bash', subject: 'npm test', status: 'running', output: testOutput, preview: { ...command, command: 'npm test' } }),
          call({ name: 'write', subject: '', status: 'streaming' }),
        ],
        { status: 'streaming' },
      ),
    ],
    { activity: 'running' },
  ),
  trouble: state([
    user('Fix the failing test'),
    answerWith(
      [
        { type: 'text', text: 'I will run the te' },
        call({ name: 'edit', subject: 'src/a.ts', status: 'denied', problem: 'You denied it.' }),
        call({ name: 'bash', subject: 'sleep 100', status: 'cancelled' }),
      ],
      { status: 'interrupted' },
    ),
    { kind: 'notice', id: 'n1', level: 'warning', text: 'The response reached the model’s length limit before it was complete.', actions: ['continue'] },
    {
      kind: 'notice',
      id: 'n2',
      level: 'error',
      text: 'The server refused the API key. Set another key, or choose another model.',
      actions: ['set_api_key', 'select_model', 'open_settings', 'show_log', 'retry'],
    },
  ]),
  ...agentsScenes,
  ...waitingScenes,
  ...approvalScenes,
  ...changesScenes,
  ...composerScenes,
  ...routingScenes,
};

/** What the stand-in host offers and shows. */
export const scenarios = { models, automatic, explanations, modes, agents, efforts, commands, mentions, history, trash, scenes };
