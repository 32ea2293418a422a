import type { Page } from 'playwright-core';
import { type Giant, GIANTS } from '../support/panel-host/giant-items.js';
import { beginAnswer, comeUponGiant, openGiant, scrollAll, STREAMED_CALLS, streamCalls, whileTyping } from '../support/panel-host/giant-visit.js';
import { manySessions } from '../support/panel-host/history-scenes.js';
import { PanelRig, showHistory } from '../support/panel-host/rig.js';
import { longestTaskCpu, wholeCpu } from './cpu-trace.js';
import type { Figure } from './figure.js';

const RUNS = 3;
/** Milliseconds that a task may take: whoever types waits no longer than that for a letter. */
const MAX_TASK_MS = 100;
/** The same for what comes once, when a conversation is opened. */
const MAX_OPEN_TASK_MS = 200;
/** Steps of the view through a giant answer. */
const STEPS = 40;
const SESSIONS = 2_000;

/** What one visit of a giant answer cost: the longest task of each part of it, and the longest time from a key to its letter. */
interface Visit {
  readonly opened: number;
  readonly scrolled: number;
  readonly comeUpon: number;
  readonly longestKeyMs: number;
}

/**
 * What the panel's production bundle makes of what is hard to show, in processor time of the page, which is the same on a
 * machine that other programs keep busy. That it shows it right is for the tests of the panel.
 */
export async function measurePanelWorstCases(): Promise<readonly Figure[]> {
  const rig = await PanelRig.start({ isTimed: true });
  try {
    return [...(await giants(rig)), await streamedCalls(rig), await manyInHistory(rig)];
  } finally {
    await rig.stop();
  }
}

/** Giant answers that are opened, scrolled through and come upon while somebody types; of each the least of some visits. */
async function giants(rig: PanelRig): Promise<readonly Figure[]> {
  const visits = new Map<Giant, readonly Visit[]>();
  for (const name of Object.keys(GIANTS) as Giant[]) {
    const runs: Visit[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await visit(rig, name));
    visits.set(name, runs);
  }
  const worst = (name: string, goal: number, pick: (visit: Visit) => number): Figure => {
    const least = [...visits].map(([giant, runs]) => [giant, Math.min(...runs.map(pick))] as const);
    const note = `worst of ${least.length}: ${least.map(([giant, ms]) => `${giant} ${Math.round(ms)}`).join(', ')}`;
    return { name, value: Math.max(...least.map(([, ms]) => ms)), unit: 'ms', goal, note };
  };
  const keys = Math.round(Math.max(...[...visits.values()].flat().map(({ longestKeyMs }) => longestKeyMs)));
  const opened = worst('giant_opened_task_ms', MAX_OPEN_TASK_MS, (each) => each.opened);
  return [
    { ...opened, note: `${opened.note ?? ''}; a letter was to be seen after ${keys} ms by the clock at the latest` },
    worst('giant_scrolled_task_ms', MAX_TASK_MS, (each) => each.scrolled),
    worst('giant_come_upon_task_ms', MAX_OPEN_TASK_MS, (each) => each.comeUpon),
  ];
}

async function visit(rig: PanelRig, name: Giant): Promise<Visit> {
  const page = await rig.open({ own: true });
  const opened = await typing(page, () => openGiant(page, name));
  const scrolled = await typing(page, () => scrollAll(page, STEPS));
  await rig.closePages();
  const narrow = await rig.open({ width: 220, own: true });
  const comeUpon = await typing(narrow, () => comeUponGiant(narrow, name));
  await rig.closePages();
  const longestKeyMs = Math.max(...[opened, scrolled, comeUpon].map((each) => each.keyMs));
  return { opened: opened.taskMs, scrolled: scrolled.taskMs, comeUpon: comeUpon.taskMs, longestKeyMs };
}

/** The longest task while something is done and somebody types, and the longest time from a key to its letter by the clock. */
async function typing(page: Page, does: () => Promise<unknown>): Promise<{ readonly taskMs: number; readonly keyMs: number }> {
  let taskMs = 0;
  const { longestKeyMs } = await whileTyping(page, does, async (work) => {
    taskMs = await longestTaskCpu(page, work);
  });
  return { taskMs, keyMs: longestKeyMs };
}

async function streamedCalls(rig: PanelRig): Promise<Figure> {
  const tasks: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const page = await rig.open({ own: true });
    await beginAnswer(page);
    tasks.push((await typing(page, () => streamCalls(page))).taskMs);
    await rig.closePages();
  }
  return leastFigure(`stream_${STREAMED_CALLS}_calls_task_ms`, MAX_TASK_MS, tasks);
}

/** A long history, from its list to the frame that shows it. */
async function manyInHistory(rig: PanelRig): Promise<Figure> {
  const page = await rig.open({ scene: 'conversation', own: true });
  await showHistory(page);
  await page.evaluate((list) => Reflect.set(globalThis, 'many', list), manySessions(SESSIONS));
  const costs: number[] = [];
  // Once more than the others: the first is the one in which the page gets to know its own code.
  for (let run = 0; run <= RUNS; run += 1) {
    await page.evaluate(() => globalThis.panelHost.post({ type: 'history', sessions: [], trash: [] }));
    await page.getByText('No chats yet.').waitFor();
    costs.push(await wholeCpu(page, () => page.evaluate(showMany)));
  }
  await rig.closePages();
  return leastFigure(`history_${SESSIONS}_sessions_ms`, 200, costs);
}

/** Runs in the page: shows the sessions that were put there. */
async function showMany(): Promise<void> {
  globalThis.panelHost.post({ type: 'history', sessions: Reflect.get(globalThis, 'many') as unknown, trash: [] });
  while (!document.body.textContent.includes('Session number 0')) await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function leastFigure(name: string, goal: number, values: readonly number[]): Figure {
  return { name, value: Math.min(...values), unit: 'ms', goal, note: `processor time, least of ${values.map(Math.round).join(', ')}` };
}
