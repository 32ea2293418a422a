import { EditHistory } from '../../src/completion/next-edit/edit-history.js';
import type { NextEditInput } from '../../src/completion/next-edit/next-edit-input.js';
import { nextEditRequest } from '../../src/completion/next-edit/next-edit-request.js';
import { previewOf } from '../../src/completion/next-edit/preview.js';
import { readAnswer } from '../../src/completion/next-edit/ask-next-edit.js';
import { TEST_MODEL } from '../support/scripted-provider/index.js';
import type { Figure } from './figure.js';

/** Lines of the document: the most that are followed. */
const LINES = 20_000;
/** How often times are measured. */
const RUNS = 5;
const FILE = 'file:///a.ts';

/** What the next edit costs the host in the largest file whose edits are followed, and how much goes to the model. */
export function measureNextEdits(): readonly Figure[] {
  const lines = Array.from({ length: LINES }, (_, n) => (n % 500 === 0 ? `print(oldName, ${n});` : `export const line${n} = compute(${n}, 'as files have');`));
  const runs = Array.from({ length: RUNS }, () => measure(lines));
  const least = (part: 'key' | 'request' | 'answer' | 'preview'): number => Math.min(...runs.map((run) => run[part]));
  const parts = { key: least('key'), request: least('request'), answer: least('answer'), preview: least('preview') };
  const note = `a key ${parts.key.toFixed(2)}, the question ${parts.request.toFixed(2)}, the answer ${parts.answer.toFixed(2)}, what is drawn ${parts.preview.toFixed(2)} ms; ${LINES.toLocaleString('en')} lines`;
  return [
    { name: 'next_edit_block_ms', value: Math.max(...Object.values(parts)), unit: 'ms', goal: 10, note },
    { name: 'next_edit_prompt_bytes', value: runs[0]?.bytes ?? 0, unit: 'B', goal: 20_000, note: 'with the instructions' },
  ];
}

function measure(lines: readonly string[]): {
  readonly key: number;
  readonly request: number;
  readonly answer: number;
  readonly preview: number;
  readonly bytes: number;
} {
  const history = new EditHistory();
  history.follow(FILE, lines);
  const spot = { line: 9_999, character: 0 };
  const [key] = timed(() => history.note(FILE, { start: spot, end: spot, text: 'oldName ' }, 0));
  const { latest } = history;
  if (latest === undefined) throw new Error('The edit was not noted.');
  const now = history.linesOf(FILE) ?? [];
  const input: NextEditInput = {
    path: 'a.ts',
    language: 'typescript',
    lines: now,
    cursor: spot.line,
    latest,
    edits: [{ path: 'a.ts', ...latest }],
    findings: [],
  };
  const [request, { systemPrompt, messages }] = timed(() => nextEditRequest(input, TEST_MODEL, '2026-01-02T03:04:05Z'));
  const body = Array.from({ length: 30 }, (_, n) => `export const line${n} = other(${n}, 'as files have');`);
  const [answer, change] = timed(() => readAnswer(`REPLACE 10001-10020\n${body.join('\n')}\n=== END ===`, input));
  if (change === undefined) throw new Error('The answer was not read.');
  const [preview] = timed(() => previewOf(change, now.length));
  return { key, request, answer, preview, bytes: Buffer.byteLength(systemPrompt + JSON.stringify(messages)) };
}

function timed<T>(work: () => T): readonly [ms: number, result: T] {
  const start = performance.now();
  const result = work();
  return [performance.now() - start, result];
}
