import { readdir } from 'node:fs/promises';
import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import type { Environment, EnvironmentFact } from '../domain/session/environment.js';
import type { Workspace, WorkspaceFolder } from '../domain/workspace/workspace.js';
import type { AgentSession } from '../engine/agent-session.js';
import { git } from '../node/process/git-command.js';

/** Most names of a workspace folder that the model gets. */
const MAX_NAMES = 60;
/** Most lines of `git status` that the model gets. */
const MAX_STATUS_LINES = 20;
/** Number of recent commits that the model gets. */
const COMMITS = 5;
/** Workspace folders that are looked at. */
const MAX_FOLDERS = 4;
/** Length to which lines of git output are cut for the model, in characters. */
const MAX_LINE = 200;

/** Debounce of refreshes that can wait, in milliseconds. */
const QUIET_MS = 1_000;

/** The services that collect environment facts: git runs only in a trusted workspace, and open editors come from the window. */
export interface EnvironmentDeps {
  readonly workspace: Workspace;
  /** Whether the user trusts the workspace: git is not run otherwise. */
  readonly trusted: () => boolean;
  /** Environment facts about open editors. */
  readonly open: () => readonly EnvironmentFact[];
  readonly log: Log;
}

/**
 * Environment facts for the model: the workspace, its repositories, and open editors. What takes time is collected beforehand: when a chat begins, when a
 * turn has ended, when a file was saved, and when the user comes back. A look starts processes, which holds up everything else in this one, so those that
 * can wait do so until nothing happens: see {@link refreshSoon}.
 */
export class WorkspaceEnvironment implements Environment {
  private found: readonly EnvironmentFact[] = [];
  private looking = Promise.resolve();
  /** The look that has not begun yet. */
  private next: Promise<void> | undefined;
  private isKnown = false;
  private soon: NodeJS.Timeout | undefined;

  constructor(private readonly deps: EnvironmentDeps) {}

  facts(): readonly EnvironmentFact[] {
    return [...this.found, ...this.deps.open()];
  }

  /** Collects the facts again. Requests during a run are served by one more run. Never rejects. */
  refresh(): Promise<void> {
    this.forgetSoon();
    this.isKnown = true;
    this.next ??= this.looking.then(() => this.look());
    this.looking = this.next;
    return this.next;
  }

  /** Looks again when this was not called for a moment: at once where nothing has been looked up yet. */
  refreshSoon(): void {
    if (!this.isKnown) return void this.refresh();
    this.forgetSoon();
    this.soon = setTimeout(() => void this.refresh(), QUIET_MS).unref();
  }

  /** Puts off a look that waits: something else begins that should not be held up. */
  putOff(): void {
    if (this.soon !== undefined) this.refreshSoon();
  }

  /** Keeps the facts up to date for as long as a session is open. Returns what ends that. */
  follow(session: Pick<AgentSession, 'onEvent'>): () => void {
    this.refreshSoon();
    return session.onEvent((event) => {
      if (event.type === 'turn_started') this.putOff();
      if (event.type !== 'turn_ended') return;
      // The next message, which may come at once, notes the files that the calls have changed.
      if (event.turn.messages.some(({ role }) => role === 'tool_result')) void this.refresh();
      else this.refreshSoon();
    });
  }

  dispose(): void {
    this.forgetSoon();
  }

  private forgetSoon(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
  }

  private async look(): Promise<void> {
    this.next = undefined;
    const folders = this.deps.workspace.folders().slice(0, MAX_FOLDERS);
    const found = await Promise.all(folders.map((folder) => this.factsOf(folder, folders.length > 1)));
    this.found = found.flat();
  }

  private async factsOf({ name, path }: WorkspaceFolder, isOneOfSeveral: boolean): Promise<readonly EnvironmentFact[]> {
    const labelOf = (label: string): string => (isOneOfSeveral ? `${label} of ${name}` : label);
    const [names, status, commits] = await Promise.all([this.namesIn(path), this.gitIn(path, STATUS), this.gitIn(path, LAST_COMMITS)]);
    return [
      ...(names === undefined ? [] : [{ label: labelOf('Contents'), value: names }]),
      ...(status === undefined ? [] : statusFacts(status).map(({ label, value }) => ({ label: labelOf(label), value }))),
      ...(commits === undefined || commits === '' ? [] : [{ label: labelOf('Last commits'), value: short(commits.split('\n')) }]),
    ];
  }

  private async namesIn(folder: string): Promise<string | undefined> {
    try {
      const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name !== '.git');
      const names = entries.map((entry) => oneLine(entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      const more = names.length > MAX_NAMES ? [`and ${names.length - MAX_NAMES} more`] : [];
      return names.length === 0 ? 'empty' : [...names.slice(0, MAX_NAMES), ...more].join(', ');
    } catch (error) {
      this.deps.log.warn(`The contents of ${folder} are not told to the model: ${errorMessage(error)}`);
      return undefined;
    }
  }

  /** Output of a git command; `undefined` without a repository, without git, or without Workspace Trust. */
  private async gitIn(folder: string, args: readonly string[]): Promise<string | undefined> {
    if (!this.deps.trusted()) return undefined;
    return git(folder, args).then(
      (output) => output.toString('utf8').trimEnd(),
      () => undefined,
    );
  }
}

const STATUS = ['status', '--porcelain=v1', '--branch', '--', '.'];
const LAST_COMMITS = ['log', '-n', String(COMMITS), '--no-show-signature', '--format=%h %s'];

/** The branch, and what differs from the last commit. Format: git-scm.com, "git-status", "Short Format". */
function statusFacts(output: string): readonly EnvironmentFact[] {
  const [head = '', ...changes] = output.split('\n');
  const value = changes.length === 0 ? 'clean' : short(changes);
  return [
    { label: 'Git branch', value: oneLine(head.replace(/^## /, '')) },
    { label: 'Git status', value },
  ];
}

function short(lines: readonly string[]): string {
  const more = lines.length > MAX_STATUS_LINES ? [`and ${lines.length - MAX_STATUS_LINES} more`] : [];
  return [...lines.slice(0, MAX_STATUS_LINES).map((line) => oneLine(line)), ...more].join('\n');
}

/** A name that cannot pass for a line of its own. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ').slice(0, MAX_LINE);
}
