import type { Check, CheckOutcome, CheckProblem, CheckResult, FoundChecks } from '../domain/check.js';
import { t } from '../domain/l10n.js';
import { present } from '../domain/present.js';
import type { ApprovalStore } from '../domain/host/approvals.js';
import type { Binding, Bound } from '../domain/workspace/binding.js';
import type { SandboxState } from '../domain/workspace/sandbox.js';
import { notBoundSentences } from '../text/command-line/not-bound.js';
import { againstBase, baseProblem } from './against-base.js';
import { type CheckApproval, type CheckFacts, type CheckStanding, checkText, standingOf, steeringVariables, touchedText, withApproval } from './approval.js';
import { changedByRun } from './changed-by-run.js';
import { bindingOfCheck } from './check-binding.js';
import { checkOf } from './check-of.js';
import { findChecks } from './find-checks.js';
import type { ProjectFiles } from './project-files.js';
import { type EndedCommand, endedCheck, placeOf, type RunPorts, runCheck } from './run-check.js';

/** What checks are found, approved, and run with. */
export interface ChecksPorts extends RunPorts {
  /** The files of a project. @param folder its absolute path */
  readonly files: (folder: string) => ProjectFiles;
  /** What a binding leads to now. @param folder absolute path of the one that it is for */
  readonly bound: (binding: Binding, folder: string, signal: AbortSignal) => Promise<Bound>;
  readonly sandbox: () => Promise<SandboxState>;
  /** The environment that commands get. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly approvals: ApprovalStore<CheckApproval>;
  /** Whether the user trusts what is in the workspace. */
  readonly trusted: () => boolean;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly timeoutMs: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A question whether a check may run. The answer is for what the text says, and for nothing else. */
export interface CheckQuestion {
  readonly check: Check;
  /** Absolute path of the folder that was searched for checks. */
  readonly folder: string;
  /** `changed_by_run`: the changes that are checked have touched it. `every_run`: it is approved, and asks because there is no sandbox. */
  readonly why: 'new' | 'changed' | 'changed_by_run' | 'every_run';
  /** All that decides what it runs. */
  readonly text: string;
  /** The text that was approved before; absent where there is none. */
  readonly before?: string;
  /** What the answer does not cover, as sentences to read before. */
  readonly notBound: readonly string[];
  /** Where it runs: without a sandbox, with all rights of the user. */
  readonly sandbox: SandboxState;
}

/** Asks the user. @returns whether it may run */
export type AskAboutCheck = (question: CheckQuestion) => Promise<boolean>;

/** The untouched project, in which checks are run first. */
export interface CheckBase {
  /** Names the state of the project: results in it are remembered by this. */
  readonly id: string;
  /** Absolute path of a folder that has this state now; absent: only what is remembered counts. */
  readonly folder?: string;
  /** What runs checks in that folder; absent: what runs them otherwise. */
  readonly checks?: ProjectChecks;
}

/** What is to be run. */
export interface ChecksRequest {
  /** Absolute path of the folder that is searched for checks, without links. */
  readonly folder: string;
  /** Ids of checks; absent: all. */
  readonly ids?: readonly string[];
  readonly base?: CheckBase;
  /** Files that were changed since the base, relative to the folder or absolute: changed checks ask again. */
  readonly changedPaths?: readonly string[];
  /** The edit after which they run, for the results. */
  readonly afterEdit?: number;
  readonly ask: AskAboutCheck;
  /** Called with each check before it runs. @param base whether it runs in the untouched project */
  readonly begin?: (check: Check, base: boolean) => void;
  /** Gets the outputs while checks run. */
  readonly output?: (chunk: string) => void;
}

/** A command that somebody else has run in a project, such as an agent. */
export interface ObservedCommand extends EndedCommand {
  /** Absolute path of the folder that is searched for checks. */
  readonly folder: string;
  readonly line: string;
  /** In which it ran: relative to the folder, with slashes; absent: the folder itself. */
  readonly cwd?: string;
  /** As {@link ChecksRequest} has them. */
  readonly changedPaths: readonly string[];
  readonly afterEdit?: number;
}

/** A check as it is now. */
export interface ListedCheck {
  readonly check: Check;
  readonly standing: CheckStanding;
  /** What came of it last in this folder. */
  readonly last?: CheckResult;
}

/** The checks of a folder, with where they stand. */
export interface ListedChecks {
  readonly checks: readonly ListedCheck[];
  readonly problems: readonly CheckProblem[];
}

/** Results in untouched projects, and answers for changed checks, that are remembered. */
const MAX_REMEMBERED = 500;

/** A check with all that decides what it runs. */
interface Looked {
  readonly check: Check;
  readonly text: string;
  /** What of it was changed by the run, as text; empty for nothing. */
  readonly touched: string;
  readonly notBound: readonly string[];
}

/** What may be run and where, for the run of one check. */
interface Permit {
  readonly looked: Looked;
  readonly confined: boolean;
}

/** The checks of projects: finds them, has them approved, runs them in the sandbox without network, and compares outcomes with the untouched project. */
export class ProjectChecks {
  private readonly results = new Map<string, CheckResult>();
  private readonly baseOutcomes = new Map<string, { readonly text: string; readonly outcome: CheckOutcome }>();
  /** Texts of changed checks that the user let run. */
  private readonly accepted = new Map<string, true>();

  constructor(private readonly ports: ChecksPorts) {}

  /** The checks of a folder. Nothing is run. @param folder its absolute path */
  found(folder: string): Promise<FoundChecks> {
    return findChecks(this.ports.files(folder));
  }

  /** The checks of a folder, with where they stand. @param folder its absolute path */
  async list(folder: string, signal: AbortSignal): Promise<ListedChecks> {
    const { checks, problems } = await this.found(folder);
    const approvals = this.ports.approvals.list();
    const listed = await Promise.all(
      checks.map(async (check) => {
        const { text } = await this.look(check, { folder }, signal);
        return { check, standing: standingOf(check, text, approvals), ...present({ last: this.results.get(keyOf(folder, check)) }) };
      }),
    );
    return { checks: listed, problems };
  }

  /** Runs checks one after the other. Those that the user does not let run, and those that cannot run, have results as well. Does not reject for a stop. */
  async run(request: ChecksRequest, signal: AbortSignal): Promise<readonly CheckResult[]> {
    const { folder, ids, afterEdit } = request;
    const { checks } = await this.found(folder);
    const results: CheckResult[] = [];
    for (const check of checks.filter(({ id }) => ids === undefined || ids.includes(id))) {
      const outcome = await this.outcomeOf(check, request, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return CANCELLED;
      });
      const result: CheckResult = { check, outcome, at: this.ports.now(), ...present({ afterEdit }) };
      this.results.set(keyOf(folder, check), result);
      results.push(result);
    }
    return results;
  }

  /**
   * What the command of somebody else says of a check, if it was one as a whole. Where the changes have touched the check, it says nothing: that it
   * passes may be their doing. Nothing is run.
   */
  async observe(command: ObservedCommand): Promise<CheckResult | undefined> {
    const { folder, line, cwd, changedPaths, afterEdit } = command;
    const check = checkOf(line, (await this.found(folder)).checks, cwd);
    if (check === undefined) return undefined;
    const { home, platform, files, now } = this.ports;
    const { binding } = await bindingOfCheck(check, files(folder), { folder, home, platform });
    const isTouched = changedByRun(binding, changedPaths, folder).length > 0;
    const outcome = isTouched ? notApproved(t('Checks changed by this run.')) : againstBase(check, endedCheck(command, placeOf(check, folder)));
    return { check, outcome, at: now(), ...present({ afterEdit }) };
  }

  /**
   * Runs a check in the untouched project, unless it is remembered what came of it there.
   * @returns `undefined` where the project does not have it, or nothing is remembered and there is no folder
   */
  async inBase(
    check: Check,
    base: CheckBase,
    request: Pick<ChecksRequest, 'ask' | 'begin' | 'output'>,
    signal: AbortSignal,
  ): Promise<CheckOutcome | undefined> {
    const key = JSON.stringify([base.id, check.id]);
    const known = this.baseOutcomes.get(key);
    if (base.folder === undefined) return known?.outcome;
    const runner = base.checks ?? this;
    const there = (await runner.found(base.folder)).checks.find(({ id }) => id === check.id);
    if (there === undefined) return undefined;
    const looked = await runner.look(there, { folder: base.folder }, signal);
    if (known?.text === looked.text) return known.outcome;
    // The changes that are checked are not there.
    const permit = await runner.permitted(looked, { folder: base.folder, ask: request.ask }, signal);
    if ('state' in permit) return permit;
    request.begin?.(there, true);
    const outcome = await runner.runOnce(permit, { ...request, folder: base.folder }, signal);
    if (outcome.state !== 'not_checkable' || outcome.why !== 'cancelled') remember(this.baseOutcomes, key, { text: permit.looked.text, outcome });
    return outcome;
  }

  private async outcomeOf(check: Check, request: ChecksRequest, signal: AbortSignal): Promise<CheckOutcome> {
    if (signal.aborted) return CANCELLED;
    const { base } = request;
    const before = base === undefined ? undefined : await this.inBase(check, base, request, signal);
    const problem = before === undefined ? undefined : baseProblem(check, before);
    if (problem !== undefined) return problem;
    const looked = await this.look(check, request, signal);
    const permit = await this.permitted(looked, request, signal);
    if ('state' in permit) return permit;
    request.begin?.(check, false);
    return againstBase(check, await this.runOnce(permit, request, signal), before);
  }

  private runOnce({ looked, confined }: Permit, { folder, output }: Pick<ChecksRequest, 'folder' | 'output'>, signal: AbortSignal): Promise<CheckOutcome> {
    return runCheck(looked.check, { folder, confined, timeoutMs: this.ports.timeoutMs(), ...present({ output }) }, this.ports, signal);
  }

  /** Whether a check may run as it is: it is looked at before each run, and again after a question, which can take long. */
  private async permitted(
    looked: Looked,
    request: Pick<ChecksRequest, 'folder' | 'changedPaths' | 'ask'>,
    signal: AbortSignal,
  ): Promise<Permit | CheckOutcome> {
    const { ports } = this;
    if (!ports.trusted()) return notApproved(t('Checks do not run before the workspace is trusted.'));
    const sandbox = await ports.sandbox();
    const confined = sandbox.available;
    const { check, text, touched, notBound } = looked;
    const standing = standingOf(check, text, ports.approvals.list());
    const isKnown = touched === '' ? standing.state === 'approved' : this.accepted.has(wholeOf(looked));
    if (isKnown && confined) return { looked, confined };
    const why = touched !== '' ? 'changed_by_run' : standing.state === 'approved' ? 'every_run' : standing.state;
    const before = standing.state === 'changed' ? standing.before : undefined;
    const question = { check, folder: request.folder, why, text: wholeOf(looked), ...present({ before }), notBound, sandbox } as const;
    if (!(await request.ask(question))) return notApproved();
    signal.throwIfAborted();
    const again = await this.look(check, request, signal);
    if (wholeOf(again) !== wholeOf(looked)) return notApproved(t('It has changed while you were asked.'));
    if (touched !== '') remember(this.accepted, wholeOf(looked), true);
    else if (standing.state !== 'approved') await ports.approvals.change((all) => withApproval(all, check, text, ports.now()));
    return { looked, confined };
  }

  private async look(check: Check, { folder, changedPaths = [] }: Pick<ChecksRequest, 'folder' | 'changedPaths'>, signal: AbortSignal): Promise<Looked> {
    const { files, bound, home, platform, environment } = this.ports;
    const { scripts, binding } = await bindingOfCheck(check, files(folder), { folder, home, platform });
    const now = await bound(binding, folder, signal);
    const facts: CheckFacts = { scripts, bound: now, environment: steeringVariables(environment()) };
    const touched = changedByRun(binding, changedPaths, folder);
    const changed = touched.length === 0 ? undefined : await bound({ ...NOTHING, files: touched.map(({ path }) => path) }, folder, signal);
    return {
      check,
      text: checkText(check, facts),
      touched: changed === undefined ? '' : touchedText(touched, changed),
      notBound: notBoundSentences(now.notBound),
    };
  }
}

const CANCELLED: CheckOutcome = { state: 'not_checkable', why: 'cancelled' };
const NOTHING: Binding = { files: [], scripts: [], earlier: { cwd: '', paths: [] }, folders: [], notBound: [] };

function notApproved(detail?: string): CheckOutcome {
  return { state: 'not_checkable', why: 'not_approved', ...present({ detail }) };
}

function wholeOf({ text, touched }: Looked): string {
  return touched === '' ? text : `${text}\n${touched}`;
}

function keyOf(folder: string, { id }: Check): string {
  return JSON.stringify([folder, id]);
}

/** Adds an entry, in place of the oldest where there are too many. */
function remember<V>(to: Map<string, V>, key: string, value: V): void {
  const [oldest] = to.keys();
  if (to.size >= MAX_REMEMBERED && oldest !== undefined) to.delete(oldest);
  to.set(key, value);
}
