import { totalInputTokens } from '../../src/domain/model/usage.js';
import type { EvalResult } from './run-task.js';

/** A line a task and a last one with the sums: success, rounds, tokens, cost. */
export function report(results: readonly EvalResult[]): string {
  const solved = results.filter(({ problem }) => problem === undefined).length;
  const sum = (value: (result: EvalResult) => number): number => results.reduce((total, result) => total + value(result), 0);
  const costs = results.map(({ turn }) => turn.costUsd);
  const cost = costs.includes(undefined) ? 'of unknown cost' : `${sum(({ turn }) => turn.costUsd ?? 0).toFixed(4)} US$`;
  const total = `${solved} of ${results.length} solved, ${sum(({ turn }) => turn.rounds)} rounds, ${sum(({ turn }) => totalInputTokens(turn.usage))} tokens in, ${sum(({ turn }) => turn.usage.outputTokens)} out, ${cost}`;
  return [...results.map(line), total].join('\n');
}

function line({ task, problem, turn }: EvalResult): string {
  const numbers = `${turn.rounds} rounds, ${totalInputTokens(turn.usage)} tokens in, ${turn.usage.outputTokens} out`;
  return `${problem === undefined ? 'solved' : 'FAILED'}  ${task.padEnd(28)} ${numbers}${problem === undefined ? '' : `\n        ${problem}`}`;
}
