import { present } from '../../domain/present.js';
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AbortError, ToolInputError } from '../../domain/errors.js';
import type { PdfPages, PdfReader } from '../../domain/workspace/pdf.js';
import type { PdfAnswer, PdfRequest } from './pdf-process.js';

/** The time that one reading may take, in milliseconds. */
const TIME_LIMIT_MS = 30_000;
/** Readings at a time; each has a process of its own. */
const AT_ONCE = 2;

/** What can be replaced. */
export interface PdfReaderOptions {
  /** Absolute path of the program of `pdf-process.ts`; left out: where the build puts it, beside this module. */
  readonly program?: string;
  readonly timeLimitMs?: number;
}

/**
 * {@link PdfReader} with a process for each reading, which is killed when it takes too long: documents come from anywhere,
 * and one can be made to keep its reader busy forever.
 */
export function createPdfReader({
  program = fileURLToPath(new URL('pdf-process.js', import.meta.url)),
  timeLimitMs = TIME_LIMIT_MS,
}: PdfReaderOptions = {}): PdfReader {
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = async (): Promise<void> => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
  };
  return {
    async read(bytes, range, signal) {
      await turn();
      try {
        if (signal.aborted) throw new AbortError();
        return pagesOf(await answerTo({ bytes, range }, { program, timeLimitMs, signal }));
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
  };
}

interface Running extends Required<PdfReaderOptions> {
  readonly signal: AbortSignal;
}

async function answerTo(request: PdfRequest, { program, timeLimitMs, signal }: Running): Promise<PdfAnswer> {
  const child = startProcess(program);
  const limit = AbortSignal.timeout(timeLimitMs);
  const stop = (): void => void child.kill('SIGKILL');
  const either = AbortSignal.any([signal, limit]);
  either.addEventListener('abort', stop);
  try {
    return await new Promise<PdfAnswer>((resolve, reject) => {
      child.once('message', (answer) => resolve(answer as PdfAnswer));
      child.once('error', reject);
      child.once('exit', () => {
        if (signal.aborted) reject(new AbortError());
        else
          reject(
            new ToolInputError(
              limit.aborted ? { kind: 'unreadable_pdf', why: 'time', seconds: timeLimitMs / 1_000 } : { kind: 'unreadable_pdf', why: 'ended' },
            ),
          );
      });
      child.send(request, (error) => {
        // The exit of a process that is gone already is heard.
        if (error !== null && child.exitCode === null) reject(error);
      });
    });
  } finally {
    either.removeEventListener('abort', stop);
    stop();
  }
}

/** No code can be made from text in it, and of the environment it gets what Windows and Electron need. */
function startProcess(program: string): ChildProcess {
  const { SystemRoot } = process.env;
  return fork(program, [], {
    env: { ELECTRON_RUN_AS_NODE: '1', ...present({ SystemRoot }) },
    execArgv: ['--disallow-code-generation-from-strings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function pagesOf(answer: PdfAnswer): PdfPages {
  if (answer.type === 'pages') return answer.pages;
  switch (answer.reason) {
    case 'password':
      throw new ToolInputError({ kind: 'unreadable_pdf', why: 'password' });
    case 'memory':
      throw new ToolInputError({ kind: 'unreadable_pdf', why: 'memory' });
    default:
      throw new ToolInputError({ kind: 'unreadable_pdf', why: 'broken' }, { detail: answer.message });
  }
}
