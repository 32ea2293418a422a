import type { MentionOffer, SlashOffer } from '../../../src/protocol/host/composer-messages.js';
import type { ViewState } from '../../../src/protocol/view-state.js';
import { answerWith, call, state, user } from './scene-parts.js';

/** The commands that the stand-in host offers. */
export const commands: readonly SlashOffer[] = [
  { name: '/compact', hint: '[what to keep]', description: 'Summarize the chat to free up the context window' },
  { name: '/clear', hint: '', description: 'Start a new chat' },
  { name: '/model', hint: '[name]', description: 'Switch to another model' },
  { name: '/mode', hint: '[name]', description: 'Change the permission mode' },
  { name: '/export', hint: '[markdown|json]', description: 'Export this chat to a file' },
  { name: '/help', hint: '', description: 'Show commands and keyboard shortcuts' },
];

/** What may stand behind an `@`. */
export const mentions: readonly MentionOffer[] = [
  { insert: '@src/median.js', kind: 'file', label: 'median.js', detail: 'src' },
  { insert: '@src/', kind: 'folder', label: 'src/', detail: '' },
  { insert: '@"docs/two words.md"', kind: 'file', label: 'two words.md', detail: 'docs' },
  { insert: '@#median', kind: 'symbol', label: 'median', detail: 'function · src/median.js:2' },
  {
    insert: '@test/unit/statistics/descriptive/median-of-even-counts.test.js',
    kind: 'file',
    label: 'median-of-even-counts.test.js',
    detail: 'test/unit/statistics/descriptive',
  },
  { insert: '@problems', kind: 'problems', label: 'Problems', detail: 'Errors and warnings' },
];

const running = [user('Run the tests'), answerWith([call({ name: 'bash', subject: 'npm test', status: 'running' })], { status: 'streaming' })];
const messages = [
  { id: 'q1', text: 'Then fix what fails.', attached: ['src/median.js:1-9', 'Image 1'], now: false },
  { id: 'q2', text: `And write a test for it.\nWith an even count, ${'and a long explanation of all that is wanted '.repeat(6)}`, attached: [], now: false },
  { id: 'q3', text: 'Last of all, tidy up.', attached: [], now: false },
];

const todos: ViewState['todos'] = [
  { text: 'Change the comparison', status: 'done' },
  { text: 'Drop the one-minute gap', status: 'done' },
  { text: 'Add tests for touching slots', status: 'in_progress' },
  { text: 'Run the tests and the report', status: 'pending' },
];
const changes: ViewState['changes'] = [
  { path: '/work/src/slot.js', display: 'src/slot.js', status: 'changed', added: 3, removed: 1 },
  { path: '/work/src/room.js', display: 'src/room.js', status: 'changed', added: 2, removed: 4 },
  { path: '/work/test/touching.test.js', display: 'test/touching.test.js', status: 'created', added: 18, removed: 0 },
];

/** Scenes of where the person writes. */
export const composerScenes: Readonly<Record<string, ViewState>> = {
  tray: state(running, {
    activity: 'running',
    todos,
    changes,
    queue: { messages: messages.slice(0, 2), held: '' },
    context: { used: 48_000, limit: 200_000 },
    model: 'anthropic/claude-sonnet-4-5',
  }),
  queue: state(running, { activity: 'running', queue: { messages, held: '' } }),
  'queue with the turn': state(running, {
    activity: 'running',
    queue: { messages: messages.map((message, index) => ({ ...message, now: index === 0 })), held: '' },
  }),
  'queue that waits': state([user('Run the tests'), answerWith([{ type: 'text', text: 'I will run' }], { status: 'interrupted' })], {
    queue: { messages, held: 'Paused because you stopped the turn.' },
  }),
};
