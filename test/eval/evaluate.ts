import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Queue } from '../../src/concurrency/queue.js';
import { errorMessage } from '../../src/domain/errors.js';
import { systemPrompt } from '../../src/engine/system-prompt.js';
import { allTools } from '../support/all-tools.js';
import { type ChosenModel, chooseModel } from './choose-model.js';
import { type Comparison, compare, compareResults, comparisonLines, comparisonTable } from './compare.js';
import { type PlannedRun, measure, planRuns } from './measure.js';
import { HELP, type Options, readOptions } from './options.js';
import { type Reported, NOT_MEASURED, markdownReport, textReport } from './report.js';
import { type About, type RunRecord, fingerprint, readResults, versionOf, writeWhole } from './results.js';
import type { Agent } from './run-task.js';
import { startScriptedModel } from './scripted/scripted-model.js';
import { summariesOf, summaryOf } from './summary.js';
import { sandboxName } from './surroundings.js';
import { asText } from './table.js';
import { easyTasks, tasks } from './tasks/index.js';

/** What a command works with beside its arguments. */
export interface Surrounding {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes the report. */
  readonly print: (text: string) => void;
  /** Takes what happens on the way, line by line. */
  readonly progress: (line: string) => void;
  /** Ends the measurement; what was measured is reported. */
  readonly signal: AbortSignal;
}

/** The end of the report when nothing said which model to measure. */
const HOW_TO_MEASURE = `To measure Gnomon with a model, put a key into the environment, or name a server:
  ANTHROPIC_API_KEY=… npm run eval
  npm run eval -- --base-url http://127.0.0.1:11434/v1 --model qwen3
npm run eval -- --help lists all options.`;

/** Attempts after a failure that passes, so that a busy server costs no run. */
const MAX_RETRIES = 6;

/** What works on the tasks, and what it is called. */
interface Worker {
  readonly source: About['source'];
  readonly name: string;
  readonly agentOf: (planned: PlannedRun) => Agent;
  readonly close: () => Promise<void>;
}

/**
 * Does what the command line says.
 * @returns the exit code: 0 when all was done, 1 when something failed, 2 for arguments that cannot be used, 130 when interrupted.
 */
export async function evaluate(args: readonly string[], around: Surrounding): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    around.progress(`${errorMessage(error)}\nnpm run eval -- --help lists all options.`);
    return 2;
  }
  try {
    return await carryOut(options, around);
  } catch (error) {
    around.progress(errorMessage(error));
    return 1;
  }
}

async function carryOut(options: Options, around: Surrounding): Promise<number> {
  switch (options.mode) {
    case 'help':
      around.print(HELP);
      return 0;
    case 'list':
      around.print(tasks.map((task) => `${easyTasks.includes(task) ? 'easy' : 'hard'}  ${task.name}`).join('\n'));
      return 0;
    case 'print prompt':
      around.print(systemPrompt(''));
      return 0;
    case 'compare':
      around.print(await comparisonReport(options.compared));
      return 0;
    case 'measure':
      return measureAll(options, around);
  }
}

async function comparisonReport(paths: readonly string[]): Promise<string> {
  const files = await Promise.all(
    paths.map(async (path) => {
      const results = await readResults(path);
      if (results === undefined) throw new Error(`There is no file ${path}.`);
      return { name: basename(path), results };
    }),
  );
  const comparison = compareResults(files);
  const scripted = files.some(({ results }) => results.about.source === 'scripted') ? [NOT_MEASURED, ''] : [];
  return [...scripted, asText(comparisonTable(comparison)), '', ...comparisonLines(comparison)].join('\n');
}

async function measureAll(options: Options, around: Surrounding): Promise<number> {
  const prompts = await Promise.all(options.prompts.map((path) => readFile(path, 'utf8')));
  const worker = await workerOf(options, prompts, around);
  try {
    const sandbox = options.sandbox ? await sandboxName() : undefined;
    const about: About = {
      source: worker.source,
      model: worker.name,
      effort: worker.source === 'scripted' ? 'off' : options.effort,
      sandbox: sandbox ?? 'none',
      prompts: promptsOf(options, prompts),
    };
    if (options.sandbox && sandbox === undefined)
      around.progress('This machine has no sandbox, so commands of the model run as they are, in temporary folders.');
    const { runs, ended } = await makeRuns(options, { about, worker }, around);
    const reported: Reported = { about, runs, ended, comparison: about.prompts.length === 2 ? comparisonOf(about, runs) : undefined };
    await keep(options.out, reported);
    around.print(textReport(reported));
    if (about.source === 'scripted' && !options.scripted) around.print(`\n${HOW_TO_MEASURE}`);
    return around.signal.aborted ? 130 : ended === undefined ? 0 : 1;
  } finally {
    await worker.close();
  }
}

async function workerOf(options: Options, prompts: readonly string[], around: Surrounding): Promise<Worker> {
  const chosen = options.scripted ? undefined : await chooseModel(options, around.env);
  if (chosen === undefined) {
    around.progress(NOT_MEASURED);
    return { source: 'scripted', ...(await startScriptedModel(prompts)) };
  }
  if (options.maxCostUsd !== undefined && chosen.model.pricing === undefined)
    throw new Error(`The price of ${chosen.model.label} is not known, so --max-cost needs --price.`);
  return {
    source: 'model',
    name: `${chosen.model.provider}/${chosen.model.id}`,
    agentOf: ({ prompt }) => agentOf(chosen, options, prompts[prompt]),
    close: () => Promise.resolve(),
  };
}

function agentOf(chosen: ChosenModel, { effort }: Options, prompt: string | undefined): Agent {
  return { ...chosen, effort, ...(prompt === undefined ? {} : { prompt }) };
}

function promptsOf({ prompts }: Options, texts: readonly string[]): About['prompts'] {
  const tools = allTools().map(({ spec }) => spec);
  if (texts.length === 0) return [{ name: 'Gnomon’s own', fingerprint: fingerprint([systemPrompt(''), tools]) }];
  return texts.map((text, at) => ({ name: basename(prompts[at] ?? ''), fingerprint: fingerprint([text, tools]) }));
}

/** Makes the runs that are missing, and keeps each as soon as it is over. */
async function makeRuns(
  options: Options,
  { about, worker }: { readonly about: About; readonly worker: Worker },
  { signal, progress }: Surrounding,
): Promise<{ readonly runs: readonly RunRecord[]; readonly ended: string | undefined }> {
  const planned = planRuns(options.tasks, options.runs ?? (about.source === 'scripted' ? 2 : 5), about.prompts.length);
  const runs = [...(await earlierRuns(options.out, about))];
  const missing = planned.filter(({ task, run, prompt }) => !runs.some((made) => made.task === task.name && made.run === run && made.prompt === prompt));
  if (missing.length < planned.length) progress(`${planned.length - missing.length} of ${planned.length} runs are in ${options.out ?? ''} already.`);
  // At once, so that a file that cannot be written costs nothing.
  await keep(options.out, { about, runs });
  let made = planned.length - missing.length;
  const writing = new Queue();
  const note = async (record: RunRecord): Promise<void> => {
    runs.push(record);
    made += 1;
    progress(progressLine(record, `${made}/${planned.length}`));
    await writing.run(() => keep(options.out, { about, runs }));
  };
  const spentUsd = runs.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
  const limits = { sandboxed: about.sandbox !== 'none', timeMs: options.timeMs, maxRetries: about.source === 'scripted' ? 0 : MAX_RETRIES, signal };
  const ended = await measure(missing, { agentOf: worker.agentOf, limits, jobs: options.jobs, maxCostUsd: options.maxCostUsd, spentUsd, note });
  return { runs, ended };
}

function progressLine({ task, run, prompt, outcome, rounds, seconds, costUsd, problem }: RunRecord, count: string): string {
  const cost = costUsd === undefined ? '' : `, ${costUsd.toFixed(4)} US$`;
  return `[${count}] ${outcome}: ${task}, run ${run}${prompt === 0 ? '' : ', second prompt'}, ${rounds} rounds, ${seconds.toFixed(1)} s${cost}${problem === undefined ? '' : `\n    ${problem.replaceAll('\n', ' ')}`}`;
}

/**
 * The runs of an earlier measurement that count: of tasks that are as they were.
 * @throws Error when the file is about another measurement.
 */
async function earlierRuns(path: string | undefined, about: About): Promise<readonly RunRecord[]> {
  const earlier = path === undefined ? undefined : await readResults(path);
  if (earlier === undefined) return [];
  const differing = (Object.keys(about) as (keyof About)[]).filter((key) => JSON.stringify(earlier.about[key]) !== JSON.stringify(about[key]));
  if (differing.length > 0)
    throw new Error(`${path ?? ''} has results of another measurement (${differing.join(', ')} differ). Choose another file for --out.`);
  const versions = new Map(tasks.map((task) => [task.name, versionOf(task)]));
  return earlier.runs.filter(({ task, version, outcome }) => outcome !== 'not measured' && versions.get(task) === version);
}

/** Writes the results, and at the end their report. */
async function keep(path: string | undefined, reported: Reported): Promise<void> {
  if (path === undefined) return;
  const { about, runs, ended, comparison } = reported;
  const summary = about.prompts.map(({ name }, at) => {
    const own = runs.filter(({ prompt }) => prompt === at);
    return { prompt: name, all: summaryOf('all', own), tasks: summariesOf(own) };
  });
  await writeWhole(path, `${JSON.stringify({ format: 1, about, ended, summary, comparison, runs }, undefined, 1)}\n`);
  await writeWhole(path.replace(/\.json$/, '.md'), markdownReport(reported));
}

function comparisonOf({ prompts }: About, runs: readonly RunRecord[]): Comparison {
  const [before, after] = [0, 1].map((at) => runs.filter(({ prompt }) => prompt === at));
  return compare(before ?? [], after ?? [], [prompts[0]?.name ?? '', prompts[1]?.name ?? '']);
}
