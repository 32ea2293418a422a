import { JsonTextReader } from '../../src/inline-edit/json-text-reader.js';
import type { LineEdit } from '../../src/inline-edit/line-edit.js';
import { withEdit } from '../../src/inline-edit/line-edit.js';
import { LineStream } from '../../src/inline-edit/line-stream.js';
import { StreamedEdit } from '../../src/inline-edit/streamed-edit.js';
import { StreamingDiff } from '../../src/inline-edit/streaming-diff.js';
import type { Figure } from './figure.js';
import { medianFigure } from './figure.js';

const RUNS = 20;
/** Lines that are edited, of a file with as many above and below. */
const LINES = 500;
/** Characters of one piece of the stream. */
const PIECE = 24;

/** An edit in place of 500 lines, every fifth changed, from the raw pieces of the stream to the lines of the text: milliseconds for each hunk. */
export function measureInlineEdit(): Promise<readonly Figure[]> {
  const old = Array.from({ length: LINES }, (_, index) => `  const value${index} = compute(${index}, options);`);
  const fresh = old.flatMap((line, index) => (index % 5 === 2 ? [line.replace('compute', 'derive'), '  check();'] : [line]));
  const raw = JSON.stringify({ new_text: `${fresh.join('\n')}\n` });
  const around = Array.from({ length: LINES }, (_, index) => `// ${index}`);
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const begin = performance.now();
    const { text, hunks } = apply(raw, old, around);
    runs.push((performance.now() - begin) / hunks);
    if (text.slice(LINES, text.length - LINES).join('\n') !== fresh.join('\n')) throw new Error('The edit is not what was streamed.');
  }
  return Promise.resolve([medianFigure('inline_edit_hunk_ms', runs, { unit: 'ms', goal: 3 })]);
}

function apply(raw: string, old: readonly string[], around: readonly string[]): { readonly text: readonly string[]; readonly hunks: number } {
  const reader = new JsonTextReader('new_text');
  const stream = new LineStream();
  const diff = new StreamingDiff(old);
  const edit = new StreamedEdit(around.length, old, true);
  let text: readonly string[] = [...around, ...old, ...around];
  const make = (change: LineEdit | undefined): void => {
    const located = change === undefined ? undefined : edit.locate(change);
    if (change === undefined || located === undefined) return;
    text = withEdit(text, located);
    edit.made(change, located);
  };
  for (let at = 0; at < raw.length; at += PIECE) for (const line of stream.push(reader.push(raw.slice(at, at + PIECE)))) make(diff.push(line));
  make(diff.end());
  return { text, hunks: edit.hunks.all.length };
}
