import type { CellOutput } from '../../domain/workspace/documents.js';
import type { Steps } from '../../concurrency/steps.js';
import { cutLine, showSize } from '../show.js';
import { type Notebook, fieldsOf, textAt, textOf } from './notebook.js';

/** Characters of one output. */
const OUTPUT_CHARACTERS = 1_000;
/** Outputs of one cell. */
const SHOWN_OUTPUTS = 5;

/** Outputs of a notebook, as they are shown: the beginnings of their texts, and others by kind and size. */
export function* cellOutputs({ bytes, cells }: Notebook, ends: readonly number[]): Steps<readonly CellOutput[]> {
  const found: CellOutput[] = [];
  for (const [index, { outputs: place }] of cells.entries()) {
    const outputs: unknown = place === undefined ? [] : JSON.parse(textAt(bytes, place));
    if (!Array.isArray(outputs) || outputs.length === 0) continue;
    const shown = outputs.slice(0, SHOWN_OUTPUTS).map((output: unknown) => outputText(output));
    const more = outputs.length > shown.length ? [`[${outputs.length - shown.length} more outputs]`] : [];
    found.push({ line: ends[index] ?? 0, text: [...shown, ...more].join('\n') });
    yield;
  }
  return found;
}

function outputText(value: unknown): string {
  const output = fieldsOf(value);
  const streamed = textOf(output['text']);
  if (streamed !== undefined) return cut(streamed);
  const name = output['ename'];
  if (typeof name === 'string') return cut(`${name}: ${textOf(output['evalue']) ?? ''}`);
  const data = Object.entries(fieldsOf(output['data']));
  const named = data.filter(([type]) => !type.startsWith('text/')).map(([type, content]) => `[${type}, ${showSize(JSON.stringify(content).length)}]`);
  const plain = textOf(data.find(([type]) => type === 'text/plain')?.[1]);
  return [...(plain === undefined ? [] : [cut(plain)]), ...named].join('\n');
}

function cut(text: string): string {
  return cutLine(text.replace(/\n$/, ''), OUTPUT_CHARACTERS).replace(/ more characters in this line\]$/, ' more characters]');
}
