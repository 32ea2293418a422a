import { ChangeStream } from '../../src/inline-edit/change-stream.js';
import { withEdit } from '../../src/inline-edit/line-edit.js';
import { located, newReplacement, withChange } from '../../src/inline-edit/replacement.js';
import { type Figure, medianFigure } from './figure.js';

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
  const stream = new ChangeStream(old);
  let edit = newReplacement(around.length, old, true);
  let text: readonly string[] = [...around, ...old, ...around];
  const make = (): void => {
    for (const change of stream.take()) {
      const lines = located(edit, change);
      if (lines === undefined) throw new Error('Nobody changed those lines.');
      text = withEdit(text, lines);
      edit = withChange(edit, change);
    }
  };
  for (let at = 0; at < raw.length; at += PIECE) {
    stream.push(raw.slice(at, at + PIECE));
    make();
  }
  stream.finish((JSON.parse(raw) as { readonly new_text: string }).new_text, true);
  make();
  return { text, hunks: edit.hunks.length };
}
