import type { LineEdit } from './line-edit.js';
import { editKey, editOfArgs, reverseOf } from './line-edit.js';
import type { KnownFile } from './numbered-lines.js';
import { withNumberedLines, withReplacement } from './numbered-lines.js';
import type { PastCall } from './past-calls.js';
import type { TestRun } from './test-run.js';
import { parseTestRun } from './test-run.js';

/** What the script knows of its job, computed from the calls it made and their answers. */
export class Facts {
  /** Files as they are now, by the path under which they were read; `missing` when reading failed. */
  readonly files = new Map<string, KnownFile | 'missing'>();
  /** Test files that a search by name found. */
  testFiles: readonly string[] | undefined;
  /** Commands that the shell does not know. */
  readonly unknownCommands = new Set<string>();
  /** The run that shows what is to be repaired: the first one, or the one with the edits that were kept. */
  baseline: TestRun | undefined;
  /** The edit that is in the file and not yet judged, or judged by `verdict`. */
  active: LineEdit | undefined;
  verdict: TestRun | undefined;
  /** Edits that stay: the one that brought all tests to pass, or some that nothing better was found for. */
  readonly kept: LineEdit[] = [];
  /** Edits that brought some of the failing tests to pass, with that run. They were taken back to look for better ones. */
  partial: { readonly edit: LineEdit; readonly run: TestRun }[] = [];
  /** Edits that need no further try with this baseline: made and taken back, or refused by the tool. */
  readonly tried = new Set<string>();
  callCount = 0;
  last: PastCall | undefined;
  private readonly failedEdits = new Set<string>();
  private unsure: LineEdit | undefined;
  private readonly helpful = new Set<string>();

  constructor(calls: readonly PastCall[]) {
    for (const call of calls) this.add(call);
  }

  /** Whether an edit once brought some of the failing tests to pass. */
  helped(edit: LineEdit): boolean {
    return this.helpful.has(editKey(edit));
  }

  private add(call: PastCall): void {
    this.callCount += 1;
    this.last = call;
    switch (call.name) {
      case 'read':
        this.addRead(call);
        return;
      case 'glob':
        if (call.outcome === 'ok') this.testFiles = call.text.split('\n').filter((line) => /\.[cm]?js$/.test(line));
        return;
      case 'bash':
        this.addCommand(call);
        return;
      case 'edit':
        this.addEdit(call);
        return;
      default:
        return;
    }
  }

  private addRead({ args, outcome, text }: PastCall): void {
    const path = String(args['file_path']);
    if (outcome === 'failed') this.files.set(path, 'missing');
    if (outcome !== 'ok') return;
    const known = this.files.get(path);
    const file = withNumberedLines(args['offset'] === undefined || known === 'missing' ? undefined : known, text);
    this.files.set(path, file);
    const content = file.lines.join('\n');
    // An edit that was interrupted may have happened: the file says.
    if (this.unsure?.path !== path) return;
    if (content.includes(this.unsure.after) && !content.includes(this.unsure.before)) this.made(this.unsure);
    this.unsure = undefined;
  }

  private addCommand({ args, outcome, text }: PastCall): void {
    if (outcome === 'denied' || outcome === 'cancelled') return;
    if (/command not found|not recognized as|ENOENT|\[exit code 127\b/.test(text) && outcome === 'failed') {
      this.unknownCommands.add(String(args['command']));
      return;
    }
    const run = parseTestRun(text, outcome === 'failed');
    if (this.active === undefined) {
      this.baseline = run;
      return;
    }
    this.verdict = run;
    if (run.passed) this.keep(this.active, run);
    else if (isProgress(this.baseline, run)) this.note(this.active, run);
  }

  private addEdit({ args, outcome }: PastCall): void {
    const edit = editOfArgs(args);
    if (edit === undefined || outcome === 'denied') return;
    const file = this.files.get(edit.path);
    if (outcome === 'ok' && file !== undefined && file !== 'missing') {
      this.files.set(edit.path, withReplacement(file, edit.before, edit.after));
      this.made(edit);
      return;
    }
    // What is in the file now is not known, so it is read again before anything else.
    this.files.delete(edit.path);
    if (outcome === 'cancelled') this.unsure = edit;
    if (outcome === 'failed' && this.failedEdits.has(editKey(edit))) this.tried.add(editKey(edit));
    this.failedEdits.add(editKey(edit));
  }

  private made(edit: LineEdit): void {
    this.verdict = undefined;
    const partial = this.partial.find((candidate) => editKey(candidate.edit) === editKey(edit));
    if (this.active !== undefined && editKey(reverseOf(this.active)) === editKey(edit)) {
      this.tried.add(editKey(this.active));
      this.active = undefined;
    } else if (partial === undefined) {
      this.active = edit;
    } else {
      this.keep(edit, partial.run);
    }
  }

  private keep(edit: LineEdit, run: TestRun): void {
    this.kept.push(edit);
    this.baseline = run;
    this.active = undefined;
    this.partial = [];
    // With this repair in place, one that did not help before may.
    this.tried.clear();
  }

  private note(edit: LineEdit, run: TestRun): void {
    this.partial.push({ edit, run });
    this.helpful.add(editKey(edit));
  }
}

/** Whether fewer tests fail than before, and none that passed before. */
function isProgress(before: TestRun | undefined, now: TestRun): boolean {
  if (before === undefined || now.failing.size === 0 || now.failing.size >= before.failing.size) return false;
  return [...now.failing].every((title) => before.failing.has(title));
}
