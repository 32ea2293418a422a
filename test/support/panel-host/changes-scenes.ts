import type { ViewChangedFile, ViewState } from '../../../src/protocol/view-state.js';
import { answerWith, call, state, user } from './scene-parts.js';

const ROOT = '/home/ada/statistics';
const file = (display: string, over: Partial<ViewChangedFile> = {}): ViewChangedFile => ({
  path: `${ROOT}/${display}`,
  display,
  status: 'changed',
  added: 3,
  removed: 2,
  ...over,
});
const AGENT = 'general: Have the median of even counts be the mean of the two numbers in the middle';
const changes: readonly ViewChangedFile[] = [
  file('src/median.js'),
  file('test/unit/statistics/descriptive/median-of-even-counts.test.js', { status: 'created', added: 1_204, removed: 0 }),
  file('old.js', { status: 'deleted', added: 0, removed: 12 }),
  { path: `${ROOT}/docs/curve.png`, display: 'docs/curve.png', status: 'created' },
];
const done = [user('Fix the failing test'), answerWith([{ type: 'text', text: 'Done.' }])];
const running = [user('Fix the failing test'), answerWith([call({ name: 'bash', subject: 'npm test', status: 'running' })], { status: 'streaming' })];

/** Scenes in which changes wait to be kept or undone. */
export const changesScenes: Readonly<Record<string, ViewState>> = {
  changes: state(done, { changes }),
  'many changes': state(done, {
    changes: Array.from({ length: 450 }, (_, index) => file(`src/generated/module-${index}/index.ts`)),
    todos: [{ text: 'Rename it everywhere', status: 'in_progress' }],
  }),
  'hidden changes': state(done, {
    changes: [
      file('src/\u202Egnp.exe'),
      file('src\u200B/a.ts', { status: 'created' }),
      file(`${'very-long-folder-name/'.repeat(30)}${'a-very-long-name'.repeat(20)}.ts`),
      file('C:\\work\\a.ts', { path: 'C:\\work\\a.ts' }),
    ],
  }),
  'changes of agents': state(done, {
    changes: [
      file('src/median.js', {
        added: 5,
        removed: 3,
        authors: [
          { id: 'session-a', name: AGENT, added: 3, removed: 2 },
          { id: '', name: '', added: 2, removed: 1 },
        ],
      }),
      file('test/median.test.js', { status: 'created', authors: [{ id: 'session-a', name: AGENT, added: 3, removed: 2 }] }),
      file('docs/usage.md', { authors: [{ id: 'session-b', name: 'docs\u202E: Describe it', added: 3, removed: 2 }] }),
      file('package.json'),
    ],
  }),
  'changes while running': state(running, { activity: 'running', changes: changes.slice(0, 1) }),
};
