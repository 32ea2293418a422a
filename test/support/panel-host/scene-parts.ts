import type { ViewItem, ViewState, ViewToolCall } from '../../../src/protocol/view-state.js';

const time = '2026-01-01T00:00:00Z';

/** What the person said. */
export const user = (text: string, id = 'u0', images: readonly string[] = []): ViewItem => ({ kind: 'user', id, text, images, time });
/** A call of a tool. */
export const call = (over: Partial<ViewToolCall>): { type: 'tool'; call: ViewToolCall } => ({
  type: 'tool',
  call: { id: `c-${over.name}-${over.subject}`, name: 'read', subject: '', status: 'done', output: '', ...over },
});
/** A conversation. */
export const state = (items: ViewItem[], over: Partial<ViewState> = {}): ViewState => ({
  title: 'Fix the failing test',
  activity: 'idle',
  agent: '',
  effort: 'medium',
  changes: [],
  todos: [],
  elves: [],
  instructions: { files: [], leftOut: [] },
  queue: { messages: [], held: '' },
  hookStatus: '',
  retry: null,
  model: 'demo/scripted',
  mode: 'default',
  usage: '12,304 tokens · $0.02',
  items,
  ...over,
});
/** What the model answered. */
export const answerWith = (blocks: readonly unknown[], over: Record<string, unknown> = {}): ViewItem =>
  ({ kind: 'answer', id: 'a1', blocks, status: 'complete', time, summary: '', ...over }) as ViewItem;
