import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { PageRange, PdfPages } from '../../domain/workspace/pdf.js';

/** What the process is asked. */
export interface PdfRequest {
  readonly bytes: Uint8Array;
  readonly range: PageRange;
}

/** What the process answers: pages, or why there are none. */
export type PdfAnswer =
  | { readonly type: 'pages'; readonly pages: PdfPages }
  | { readonly type: 'failed'; readonly reason: 'password' | 'broken' | 'memory'; readonly message: string };

/** Memory that a document may take, in bytes: the whole process, and what JavaScript manages of it in megabytes. */
const MOST_MEMORY = 1_000_000_000;
const MOST_HEAP_MB = 600;
/** How often the memory is looked at, in milliseconds. */
const LOOK_MS = 50;

/** The program of a process that reads one document. The reading is done by a thread, while the first one watches the memory. */
function watch(request: PdfRequest): void {
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: request, resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB } });
  const answer = (result: PdfAnswer): void => {
    clearInterval(timer);
    process.send?.(result, () => process.exit(0));
  };
  const tooLarge: PdfAnswer = { type: 'failed', reason: 'memory', message: '' };
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > MOST_MEMORY) answer(tooLarge);
  }, LOOK_MS);
  thread.once('message', answer);
  thread.once('error', (error) => {
    const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    answer(isMemory ? tooLarge : { type: 'failed', reason: 'broken', message: error.message });
  });
}

async function read({ bytes, range }: PdfRequest): Promise<PdfAnswer> {
  try {
    const { pdfPages } = await import('./pdf-text.js');
    return { type: 'pages', pages: await pdfPages(bytes, range) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { type: 'failed', reason: error.name === 'PasswordException' ? 'password' : 'broken', message: error.message };
  }
}

if (isMainThread) process.once('message', (request) => watch(request as PdfRequest));
else parentPort?.postMessage(await read(workerData as PdfRequest));
