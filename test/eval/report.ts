import type { Results, RunRecord } from './results.js';
import { type Summary, counted, summariesOf, summaryOf } from './summary.js';
import { type Table, asMarkdown, asText } from './table.js';
import { type Comparison, comparisonLines, comparisonTable } from './compare.js';

/** Everything that a report is made of. */
export interface Reported extends Results {
  /** Why not all runs were made; `undefined` when none is missing. */
  readonly ended?: string | undefined;
  /** Present for two system prompts. */
  readonly comparison?: Comparison | undefined;
}

/** The words above figures that a script made. */
export const NOT_MEASURED = 'Not measured with a model: a script played the model. The figures prove the harness and say nothing about Gnomon.';
/** Problems of one prompt that are listed at most. */
const MAX_PROBLEMS = 60;

const HEAD = ['task', 'solved', '95 %', 'rounds', 'tokens in', 'cached', 'tokens out', 'US$', 'calls', 'errors', 'seconds'];

/** The report for a terminal. */
export function textReport(reported: Reported): string {
  return reportOf(reported, asText, (title) => `${title}\n`);
}

/** The report as a Markdown document. */
export function markdownReport(reported: Reported): string {
  return `${reportOf(reported, asMarkdown, (title) => `## ${title}\n`, '# Evaluation\n')}\n`;
}

function reportOf(reported: Reported, draw: (table: Table) => string, heading: (title: string) => string, ...above: readonly string[]): string {
  const { about, runs, ended, comparison } = reported;
  const lost = runs.length - counted(runs).length;
  const parts = about.prompts.flatMap(({ name }, prompt) => {
    const own = runs.filter((run) => run.prompt === prompt);
    return [heading(`System prompt: ${name}`), draw(tableOf(own)), ...problemsOf(own)];
  });
  return [
    ...above,
    ...(about.source === 'scripted' ? [`${NOT_MEASURED}\n`] : []),
    `Model ${about.model}, effort ${about.effort}, sandbox: ${about.sandbox}. Figures behind the intervals are means of a run.\n`,
    ...(ended === undefined ? [] : [`Not all runs were made: ${ended}\n`]),
    ...(lost === 0 ? [] : [`Not counted, as they say nothing about the agent: ${lost} of ${runs.length} runs.\n`]),
    ...parts,
    ...(comparison === undefined ? [] : [heading('Comparison'), draw(comparisonTable(comparison)), '', ...comparisonLines(comparison)]),
  ].join('\n');
}

function tableOf(runs: readonly RunRecord[]): Table {
  return { head: HEAD, rows: [...summariesOf(runs), summaryOf('all', runs)].map(rowOf) };
}

function rowOf(summary: Summary): readonly string[] {
  const { name, runs, solved, interval, rounds, inputTokens, cacheShare, outputTokens, costUsd, toolCalls, toolErrors, seconds } = summary;
  return [
    name,
    `${solved} of ${runs}`,
    `${percent(interval.low)}–${percent(interval.high)} %`,
    rounds.toFixed(1),
    inputTokens.toFixed(0),
    `${percent(cacheShare)} %`,
    outputTokens.toFixed(0),
    costUsd === null ? 'unknown' : costUsd.toFixed(4),
    toolCalls.toFixed(1),
    toolErrors.toFixed(1),
    seconds.toFixed(1),
  ];
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}

/** Why runs were not solved or not measured, each reason of a task once. */
function problemsOf(runs: readonly RunRecord[]): readonly string[] {
  const lines = new Set(runs.flatMap(({ task, problem }) => (problem === undefined ? [] : [`- ${task}: ${problem.replaceAll(/\s+/g, ' ')}`])));
  if (lines.size === 0) return [''];
  const left = lines.size - MAX_PROBLEMS;
  return ['', 'Why runs were not solved:', '', ...[...lines].slice(0, MAX_PROBLEMS), ...(left > 0 ? [`- and ${left} more`] : []), ''];
}
