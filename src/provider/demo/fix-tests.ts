import type { Facts } from './facts.js';
import { investigate } from './investigation.js';
import type { LineEdit } from './line-edit.js';
import { editKey, lineEdit, reverseOf } from './line-edit.js';
import type { Candidate } from './ranking.js';
import type { Step, WantedCall } from './step.js';
import { testCommand } from './test-command.js';
import type { TestRun } from './test-run.js';
import * as words from './words.js';

/** Repairs that are tried before the script says that it cannot. */
const MOST_TRIES = 6;
/** Calls of one job, as a guard against going round in circles. */
const MOST_CALLS = 80;

/** The next step of the job "make the failing tests pass". */
export function nextFixStep(facts: Facts): Step {
  if (facts.last?.outcome === 'denied' && facts.last.current) return { text: words.denied(facts.last, facts.active) };
  if (facts.callCount >= MOST_CALLS) return { text: words.giveUp('I have tried for long enough and stop here.') };
  const command = testCommand(facts);
  if ('step' in command) return command.step;
  if (facts.baseline === undefined) return firstRun(command.command);
  if (facts.active !== undefined) return judgeEdit(facts, facts.active, command.command);
  if (facts.baseline.passed) return passing(facts, facts.baseline);
  return lookForCause(facts, facts.baseline);
}

function firstRun(command: string): Step {
  const text = `First I run the tests with ${words.code(command)} to see what fails.`;
  return { thinking: 'Scripted step: run the tests.', text, call: runTests(command) };
}

function passing(facts: Facts, run: TestRun): Step {
  return { text: facts.kept.length === 0 ? words.nothingToDo(run) : words.success(facts.kept, run) };
}

/** Runs the tests after an edit or, when that did not help, takes the edit back. */
function judgeEdit(facts: Facts, edit: LineEdit, command: string): Step {
  if (facts.verdict === undefined) return { text: `Now I run ${words.code(command)} again.`, call: runTests(command) };
  const reverse = reverseOf(edit);
  if (facts.tried.has(editKey(reverse))) {
    const why = `That did not help, and I could not take my edit of ${words.code(edit.path)} back. This is what I changed:\n\n${words.difference(edit)}`;
    return { text: words.giveUp(why) };
  }
  const text = facts.helped(edit)
    ? 'Fewer tests fail with this, but not none. I take it back for now and look for a repair that explains them all.'
    : 'That was not it: the tests still fail. I take this edit back and try the next idea.';
  return { thinking: 'Scripted step: the repair did not help, so the file goes back to what it was.', text, call: editCall(reverse) };
}

function lookForCause(facts: Facts, run: TestRun): Step {
  if (run.failures.length === 0) return { text: words.giveUp(`The tests do not pass, but I cannot make out which one fails:\n\n${words.quoted(run.output)}`) };
  const finding = investigate(run.failures, facts.files);
  if (finding.type === 'ranked') return tryBest(facts, run, finding.candidates);
  const { path, offset, why, failure } = finding;
  const text = why === 'test' ? `${words.describeFailure(failure)} I read the test.` : `The trail of imports leads to ${words.code(path)}.`;
  const thinking = why === 'test' ? `Scripted step: the stack of the failure points to ${path}.` : `Scripted step: follow the import to ${path}.`;
  return { thinking, text, call: { name: 'read', args: { file_path: path, ...(offset === undefined ? {} : { offset }) } } };
}

function tryBest(facts: Facts, run: TestRun, candidates: readonly Candidate[]): Step {
  const untried = candidates.filter((candidate) => !facts.tried.has(editKey(lineEdit(candidate))));
  const best = untried.find((candidate) => facts.helped(lineEdit(candidate))) ?? untried[0];
  if (best === undefined || facts.tried.size >= MOST_TRIES) return keepOrGiveUp(facts, run, candidates.length);
  const edit = lineEdit(best);
  const guess = facts.tried.size === 0 ? 'My best guess' : 'My next guess';
  const where = `${words.code(best.within)} in ${words.code(edit.path)}`;
  const text = `${guess} is in ${where}, because ${words.list(best.reasons)}:\n\n${words.difference(edit)}`;
  return { ...(facts.tried.size === 0 ? { thinking: words.describeRanking(candidates) } : {}), text, call: editCall(edit) };
}

/** Falls back to the repair that helped most tests; without one the script is at its end. */
function keepOrGiveUp(facts: Facts, run: TestRun, ideas: number): Step {
  const [most] = [...facts.partial].sort((a, b) => a.run.failing.size - b.run.failing.size);
  if (most === undefined) return { text: words.giveUp(words.failed(facts, run, ideas)) };
  const text = `Nothing I tried repairs everything. This made fewer tests fail, so I make it again and look for the rest:\n\n${words.difference(most.edit)}`;
  return { text, call: editCall(most.edit) };
}

function runTests(command: string): WantedCall {
  return { name: 'bash', args: { command, description: 'Run the tests' } };
}

function editCall({ path, before, after }: LineEdit): WantedCall {
  return { name: 'edit', args: { file_path: path, old_string: before, new_string: after } };
}
