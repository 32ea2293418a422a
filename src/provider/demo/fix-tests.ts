import type { Facts } from './facts.js';
import type { LineEdit } from './line-edit.js';
import { editKey, lineEdit, reverseOf } from './line-edit.js';
import type { Candidate, Evidence } from './ranking.js';
import type { Step, WantedCall } from './step.js';
import type { TestRun, Failure } from './test-run.js';
import * as words from './words.js';
import type { KnownFile } from './numbered-lines.js';
import type { ParsedModule } from './parsed-module.js';
import { parseModule } from './parsed-module.js';
import { rankRepairs } from './ranking.js';
import type { Look } from './resolve-name.js';
import { followFailure } from './suspects.js';

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

const MANIFEST = 'package.json';
const TEST_FILES = '**/*{.,-,_}test.{js,mjs,cjs}';

/** The command that runs the tests, or the step that helps to find it. */
function testCommand(facts: Facts): { readonly command: string } | { readonly step: Step } {
  const manifest = facts.files.get(MANIFEST);
  if (manifest === undefined) return { step: readManifest() };
  const script = manifest === 'missing' ? undefined : testScript(manifest);
  const known = script === undefined ? [] : ['npm test', script].filter((command) => !facts.unknownCommands.has(command));
  const [first] = known;
  if (first !== undefined) return { command: first };
  if (facts.testFiles === undefined) return { step: searchTests() };
  if (facts.testFiles.length === 0) return { step: { text: words.giveUp('I found no tests in this workspace, so there is nothing I can fix.') } };
  if (facts.unknownCommands.has('node --test')) {
    return { step: { text: words.giveUp('Neither npm nor Node.js can be started from here, so I cannot run the tests.') } };
  }
  return { command: 'node --test' };
}

function readManifest(): Step {
  const text = `I look into ${words.code(MANIFEST)} for the command that runs the tests.`;
  return { thinking: 'Scripted step: find out how this project runs its tests.', text, call: { name: 'read', args: { file_path: MANIFEST } } };
}

function searchTests(): Step {
  return { text: 'There is no test script that I can run, so I look for test files.', call: { name: 'glob', args: { pattern: TEST_FILES } } };
}

/** The test script of a manifest; npm's placeholder for "none" counts as none. */
function testScript(manifest: KnownFile): string | undefined {
  try {
    const { scripts } = JSON.parse(manifest.lines.join('\n')) as { scripts?: { test?: unknown } };
    const script = scripts?.test;
    return typeof script === 'string' && script !== '' && !script.includes('no test specified') ? script : undefined;
  } catch {
    // A manifest that is not JSON names no script; test files may be there all the same.
    return undefined;
  }
}

/** Failing tests that are looked into; they mostly share one cause. */
const MOST_FAILURES = 8;
/** Failing tests that count: those that reach least code say most. */
const TELLING_FAILURES = 3;

/** What to read next, or what may be wrong, best guess first. */
type Finding =
  | {
      readonly type: 'wanted';
      readonly path: string;
      readonly offset: number | undefined;
      readonly why: 'test' | 'import';
      /** The failing test whose trail leads there. */
      readonly failure: Failure;
    }
  | { readonly type: 'ranked'; readonly candidates: readonly Candidate[] };

/** Follows the failing tests through the files read so far. */
function investigate(failures: readonly Failure[], files: Facts['files']): Finding {
  const look = lookup(files);
  const evidence: Evidence[] = [];
  for (const failure of failures.filter(({ wholeFile }) => !wholeFile).slice(0, MOST_FAILURES)) {
    const trail = followFailure(failure, look);
    if (trail.type === 'wanted') return { ...trail, failure, offset: nextLine(files, trail.path) };
    evidence.push({ failure, suspects: trail.suspects });
  }
  const telling = evidence.sort((a, b) => a.suspects.length - b.suspects.length).slice(0, TELLING_FAILURES);
  return { type: 'ranked', candidates: rankRepairs(telling) };
}

function lookup(files: Facts['files']): Look {
  const parsed = new Map<string, ParsedModule | 'unusable'>();
  return (path) => {
    const file = files.get(path);
    if (file === undefined || (file !== 'missing' && file.next !== undefined)) return 'unread';
    if (file === 'missing') return 'unusable';
    const module = parsed.get(path) ?? parseModule(path, file.lines.join('\n')) ?? 'unusable';
    parsed.set(path, module);
    return module;
  };
}

function nextLine(files: Facts['files'], path: string): number | undefined {
  const file = files.get(path);
  return file === undefined || file === 'missing' ? undefined : file.next;
}
