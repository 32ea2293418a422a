import type { CDPSession, Locator, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time that the thread took, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The name that the browser gives to the thread that runs scripts, lays out and takes keys. */
const MAIN_THREAD = 'CrRendererMain';
/** Marks the thread of a document. */
const MARK = 'gnomon-traced';

/**
 * The longest task of a page while something is done, in milliseconds of processor time: unlike times of the clock it is
 * the same on a machine that other programs keep busy.
 * @param within an element of a document in a frame: only tasks of the thread of that count
 */
export async function longestTaskCpu(page: Page, does: () => Promise<void>, within?: Locator): Promise<number> {
  return Math.max(...(await tasksCpu(page, does, within)));
}

/** What all tasks of a page took together while something was done, in milliseconds of processor time. */
export async function wholeCpu(page: Page, does: () => Promise<void>): Promise<number> {
  return (await tasksCpu(page, does)).reduce((sum, task) => sum + task, 0);
}

async function tasksCpu(page: Page, does: () => Promise<void>, within?: Locator): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'] } });
  try {
    await within?.evaluate((_, mark) => void performance.mark(mark), MARK);
    await does();
  } finally {
    await end(session);
  }
  const isOfThread = ({ ph, name, args }: TraceEvent): boolean => (within === undefined ? ph === 'M' && args?.name === MAIN_THREAD : name === MARK);
  const threads = new Set(events.filter(isOfThread).map(threadOf));
  const tasks = events.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && threads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('No tasks were traced.');
  return tasks.map(({ tdur = 0 }) => tdur / 1_000);
}

async function end(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid}:${tid}`;
}
