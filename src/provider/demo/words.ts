import type { LineEdit } from './line-edit.js';
import type { PastCall } from './past-calls.js';
import type { Candidate } from './ranking.js';
import type { Failure, TestRun } from './test-run.js';
import { tailOf } from './test-run.js';

/** How to connect a model; ends what the demo has to say. */
const HOW_TO_CONNECT = [
  'To work with a real model:',
  '',
  '1. Run **Gnomon: Set API Key** from the command palette, or set an environment variable such as `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` before you start VS Code. A running Ollama and the models of VS Code need no key.',
  '2. Choose the model with **Gnomon: Select Model** or in the chat.',
  '3. Endpoints of your own go into the settings `gnomon.providers` and `gnomon.anthropic.baseUrl`.',
].join('\n');

/** What the demo says first in every job. */
export const INTRODUCTION =
  'I am the offline demo: a script, not a language model. No model is contacted and nothing leaves this machine. ' +
  'The tools are the real ones, so what I do to your files is real too, and you are asked first.';

/** What the demo says after an interruption. */
export const RESUMED = 'I carry on with the job from before the interruption.';

/** The answer to everything that the script has no part for. */
export const EXPLANATION = [
  'I am the offline demo: a script, not a language model, so I cannot answer that. No model was contacted.',
  '',
  'What I can do is one real task with the real tools: say “Fix the failing test” in a small JavaScript project that has one, such as the sample workspace.',
  '',
  HOW_TO_CONNECT,
].join('\n');

/** Ends a job that came to nothing: why, then what would help. */
export function giveUp(why: string): string {
  return `${why}\n\nI am only a script with a handful of simple heuristics, and no model was contacted. ${HOW_TO_CONNECT}`;
}

/** What the person denied, and what would have come of it. */
export function denied(call: PastCall, pending: LineEdit | undefined): string {
  const left = pending === undefined ? '' : `\n\nOne edit of mine is in ${code(pending.path)} and not confirmed by a test run:\n\n${difference(pending)}`;
  return `That was not allowed, so I stop here. I would have ${intention(call)}.${left}\n\nSend the message again when you want me to try once more. No model was contacted.`;
}

function intention({ name, args }: PastCall): string {
  const path = typeof args['file_path'] === 'string' ? args['file_path'] : 'a file';
  switch (name) {
    case 'bash':
      return `run ${code(String(args['command']))} to see which tests fail`;
    case 'edit':
      return `changed ${code(path)} like this, and run the tests again:\n\n${difference({ path, before: String(args['old_string']), after: String(args['new_string']) })}\n`.trimEnd();
    case 'read':
      return `read ${code(path)}`;
    default:
      return 'looked for test files';
  }
}

/** A failing test in two sentences. */
export function describeFailure(failure: Failure): string {
  const { title, message, expected, actual, wholeFile } = failure;
  if (wholeFile) return `The file ${code(title)} fails as a whole: ${message}.`;
  const values = expected === undefined || actual === undefined ? message : `expected ${code(expected)}, got ${code(actual)}`;
  return `The test “${title}” fails: ${values}.`.replace(/[.:]+\.$/, '.');
}

/** The evidence as the script weighed it. */
export function describeRanking(candidates: readonly Candidate[]): string {
  const best = candidates.slice(0, 3).map((candidate, index) => {
    const { module, within, repair, reasons } = candidate;
    const token = module.text.slice(repair.start, repair.end).trim();
    const change = repair.replacement === '' ? `leave out ${code(token)}` : `${code(token)} → ${code(repair.replacement)}`;
    return `${index + 1}. ${change} in ${code(within)}: ${reasons.join('; ')}`;
  });
  return `Scripted ranking of ${candidates.length} one-token repairs, best first:\n${best.join('\n')}`;
}

/** A change of lines as a diff block. */
export function difference({ before, after }: LineEdit): string {
  const olds = before.split('\n');
  const news = after.split('\n');
  const changed = olds.flatMap((line, index) => (line === news[index] ? [` ${line}`] : [`-${line}`, ...(news[index] === undefined ? [] : [`+${news[index]}`])]));
  return ['```diff', ...changed, '```'].join('\n');
}

/** The end of a job that succeeded. */
export function success(kept: readonly LineEdit[], run: TestRun): string {
  const count = run.passCount === undefined ? 'All tests pass now' : `All ${run.passCount} tests pass now`;
  const changes = kept.map((edit) => `In ${code(edit.path)}:\n\n${difference(edit)}`);
  return [`${count}. What I changed:`, ...changes, 'This was the scripted demo at work: no model was contacted. ' + HOW_TO_CONNECT].join('\n\n');
}

/** Why a job came to nothing, and what is left of it. */
export function failed({ tried, kept }: { readonly tried: ReadonlySet<string>; readonly kept: readonly LineEdit[] }, run: TestRun, ideas: number): string {
  const more = run.failures.length > 1 ? ` (And ${run.failures.length - 1} more.)` : '';
  const failures = `${run.failures.slice(0, 1).map(describeFailure).join('')}${more}`;
  const repairs = tried.size === 1 ? 'one small repair' : `${tried.size} small repairs`;
  const result = ideas === 0 ? 'I cannot find code behind it that my heuristics could repair.' : `I tried ${repairs}, took back what did not help, and cannot fix it.`;
  const left = kept.map((edit) => `I kept this change in ${code(edit.path)}, since fewer tests fail with it. Look at it closely:\n\n${difference(edit)}`);
  return `${failures} ${result} ${left.length === 0 ? 'Your files are as they were.' : left.join('\n\n')}`;
}

/** The end of a job that has nothing to do. */
export function nothingToDo(run: TestRun): string {
  const count = run.passCount === undefined ? 'All tests pass' : `All ${run.passCount} tests pass`;
  return `${count} already, so there is nothing to fix and I changed nothing. No model was contacted.\n\n${HOW_TO_CONNECT}`;
}

/** The last lines of an output as a code block. */
export function quoted(output: string): string {
  return ['```', tailOf(output), '```'].join('\n');
}

/** Several things in one sentence. */
export function list(parts: readonly string[]): string {
  return new Intl.ListFormat('en').format(parts);
}

/** Text as inline code. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
