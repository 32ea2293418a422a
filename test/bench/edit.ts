import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskDocuments } from '../../src/node/files/disk-documents.js';
import { createWorkspace } from '../../src/node/files/workspace.js';
import { createEditTool } from '../../src/tool/edit.js';
import { Sealed } from '../../src/tool/calls/sealed.js';
import { createFileVersions } from '../../src/tool/calls/file-versions.js';
import { type Figure, medianFigure } from './figure.js';
import { settledPlan } from '../support/settled-plan.js';

const WARM_UP = 2;
const RUNS = 10;
/** Lines of the file, 5.6 MB. */
const LINES = 100_000;

/** Kinds of edits of a 5 MB file, of which the slowest counts. */
const EDITS: Readonly<Record<string, readonly object[]>> = {
  'one exact line': [{ old_string: 'line 50000 ', new_string: 'changed ' }],
  'first and last line': [
    { old_string: 'line 0 ', new_string: 'changed 0 ' },
    { old_string: 'line 99999 ', new_string: 'changed 1 ' },
  ],
  'other indentation': [{ old_string: 'line 50000 of a source file, as programs write\nline 50001 ', new_string: 'x' }],
  'not there at all': [{ old_string: 'line 50000\nnothing like “it”', new_string: 'x' }],
  'every second line': [{ old_string: 'lines of even', new_string: 'lines of odd', replace_all: true }],
};

interface Timing {
  readonly total: number;
  /** The longest time in which the host did nothing else. */
  readonly block: number;
}

/** An edit of a 5 MB file from plan to written bytes: how long it takes, and how long it keeps the host to itself. */
export async function measureEdit(): Promise<readonly Figure[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-bench-')));
  try {
    const all: Timing[][] = [];
    for (const edits of Object.values(EDITS)) {
      const runs: Timing[] = [];
      for (let run = 0; run < WARM_UP + RUNS; run++) runs.push(await timeEdit(folder, edits));
      all.push(runs.slice(WARM_UP));
    }
    return [slowest('edit_5mb_ms', all, ({ total }) => total, 1_000), slowest('edit_5mb_block_ms', all, ({ block }) => block, 50)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function slowest(name: string, all: readonly Timing[][], pick: (timing: Timing) => number, goal: number): Figure {
  const figures = all.map((runs) => medianFigure(name, runs.map(pick), { unit: 'ms', goal }));
  const worst = figures.reduce((a, b) => (b.value > a.value ? b : a));
  return { ...worst, note: `${Object.keys(EDITS)[figures.indexOf(worst)] ?? ''}, ${worst.note ?? ''}` };
}

async function timeEdit(folder: string, edits: readonly object[]): Promise<Timing> {
  const path = join(folder, 'large.ts');
  await writeFile(path, sourceText());
  const documents = createDiskDocuments();
  const workspace = createWorkspace(() => [{ name: 'bench', path: folder }], folder);
  const versions = createFileVersions();
  const context = { signal: new AbortController().signal, sessionId: 's', callId: 'c', output: () => undefined };
  const file = await documents.read(path, context.signal);
  if (file.kind !== 'text') throw new Error('The file of the bench is not text.');
  versions.saw(path, file.hash);
  const tool = createEditTool({ documents: new Sealed(documents), workspace, versions, readGuard: () => Promise.resolve(() => true) });
  const block = watchBlocks();
  const start = performance.now();
  // A text that is not found is refused after the whole ladder, which is the longest way.
  await settledPlan(tool, { file_path: path, edits }, context).then((plan) => tool.execute(plan, context), ignoreRefusal);
  const total = performance.now() - start;
  return { total, block: block() };
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'ToolInputError') throw error;
}

/** Notes the longest time between two turns of the event loop until the function it returns is called. */
function watchBlocks(): () => number {
  let longest = 0;
  let last = performance.now();
  let running = true;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    running = false;
    return Math.max(longest, performance.now() - last);
  };
}

function sourceText(): string {
  const line = (index: number): string => `  line ${index} of a source file, as programs write${index % 2 === 0 ? ' lines of even' : ''}\n`;
  // A letter that is not in Latin-1 makes the text twice as large in memory, as comments in most languages do.
  return `${Array.from({ length: LINES }, (_, index) => line(index)).join('')}// →\n`;
}
