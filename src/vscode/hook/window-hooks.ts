import { basename, dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import { Signal } from '../../concurrency/signal.js';
import { readHookFile, type HookFileReading } from '../../config/hooks/read-hook-file.js';
import { isFromRepository } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { failsClosed, type HookDefinition } from '../../domain/hook/definition.js';
import type { Hooks } from '../../domain/hook/hooks.js';
import { noHooks } from '../../domain/hook/outcome.js';
import type { HookRunner } from '../../domain/hook/runner.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { type HookApproval, type HookStanding, parseApprovals, standingOf, withApproval, withoutApproval } from '../../hook/approval.js';
import { hookText, pathsOfHook } from '../../hook/identity.js';
import { createHooks, type HooksDeps } from '../../hook/run-hooks.js';
import { type HookFile, type HookFilePlaces, hookPaths, readHookFiles } from '../../node/config/hook-files.js';
import { usedFiles } from '../../node/files/used-files.js';

/** Milliseconds without a change after which files are read: programs write them in several steps. */
const QUIET_MS = 100;
const KEY = 'gnomon.hookApprovals';

/** A hook as it is now, with its scripts, and whether it may run. */
export interface ListedHook {
  readonly hook: HookDefinition;
  /** All that decides what it does, for people to read before they approve it. */
  readonly text: string;
  /** Absolute paths of the scripts of the workspace that it names. */
  readonly scripts: readonly string[];
  readonly standing: HookStanding;
}

/** Dependencies of {@link WindowHooks}. */
export interface WindowHooksDeps {
  readonly runner: HookRunner;
  readonly places: () => HookFilePlaces;
  readonly trusted: () => boolean;
  /** Where approvals are kept: out of reach of every workspace. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  readonly matchesRule: HooksDeps['matchesRule'];
  readonly log: Log;
}

/**
 * The hooks of this window. Files are read again when they change, scripts are looked at before each run. What a workspace brings
 * along runs only where the workspace is trusted, and the hook was approved exactly as it is.
 */
export class WindowHooks implements Hooks, vscode.Disposable {
  private readonly deps: WindowHooksDeps;
  private readonly hooks: Hooks;
  private readonly changed = new Signal();
  /** Fires when hooks, or what is said of them, may have changed. */
  readonly onDidChange = this.changed.subscribe;
  private watchers: vscode.Disposable | undefined;
  private readonly general: vscode.Disposable;
  /** The last text of each file that could be read, so that a mistake in a file does not switch off what guards. */
  private readonly lastGood = new Map<string, HookFileReading>();
  private all: readonly HookDefinition[] = [];
  private found: readonly ConfigProblem[] = [];
  private mayRun: readonly HookDefinition[] = [];
  /** The first reading: no call passes before it. */
  private first: Promise<void> | undefined;
  private reading: Promise<void> | undefined;
  private quiet: NodeJS.Timeout | undefined;

  constructor(deps: WindowHooksDeps) {
    this.deps = deps;
    this.hooks = createHooks({ definitions: () => this.mayRun, runner: deps.runner, matchesRule: deps.matchesRule, log: deps.log });
    this.general = vscode.Disposable.from(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.watch();
        this.readSoon();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.readSoon()),
    );
    this.watch();
  }

  /** What is wrong with the files. */
  get problems(): readonly ConfigProblem[] {
    return this.found;
  }

  async run(...[event, context, signal]: Parameters<Hooks['run']>): Promise<Awaited<ReturnType<Hooks['run']>>> {
    this.first ??= this.read();
    await (this.reading ?? this.first);
    if (!this.deps.trusted() || this.all.every((hook) => hook.event !== event.hook_event_name)) return noHooks(event.hook_event_name);
    await this.examine();
    return this.hooks.run(event, context, signal);
  }

  /** Every hook with where it stands. */
  async list(): Promise<readonly ListedHook[]> {
    const approvals = this.approvals;
    return Promise.all(
      this.all.map(async (hook): Promise<ListedHook> => {
        const { text, scripts } = await this.lookAt(hook);
        return { hook, text, scripts, standing: isFromRepository(hook.origin) ? standingOf(hook, text, approvals) : { state: 'approved' } };
      }),
    );
  }

  /** Approves a hook. @param text that the user has seen @throws Error when it is something else by now, or the workspace is not trusted */
  async approve(hook: HookDefinition, text: string): Promise<void> {
    if (!this.deps.trusted()) throw new Error(t('Hooks cannot be approved before the workspace is trusted.'));
    if ((await this.lookAt(hook)).text !== text) throw new Error(t('The hook has just changed. Look at it again before you approve it.'));
    await this.deps.memory.update(KEY, withApproval(this.approvals, hook, text, Date.now()));
    await this.changedNow();
  }

  /** Takes an approval back. */
  async revoke({ hook, text }: ListedHook): Promise<void> {
    await this.deps.memory.update(KEY, withoutApproval(this.approvals, hook, text));
    await this.changedNow();
  }

  /** Reads the files again. Does not reject. */
  read(): Promise<void> {
    this.reading ??= this.readAll()
      .catch((error: unknown) => this.deps.log.error('The files with hooks could not be read', error))
      .finally(() => (this.reading = undefined));
    return this.reading;
  }

  dispose(): void {
    clearTimeout(this.quiet);
    this.general.dispose();
    this.watchers?.dispose();
    this.changed.clear();
    this.deps.runner.dispose();
  }

  private get approvals(): readonly HookApproval[] {
    return parseApprovals(this.deps.memory.get(KEY));
  }

  private async readAll(): Promise<void> {
    const places = this.deps.places();
    const files = await readHookFiles(places, new AbortController().signal);
    const readings = files.map((file) => this.readingOf(file, places.platform));
    const isOff = readings.some(({ disablesAll }) => disablesAll === true);
    this.all = readings.flatMap(({ definitions }) => definitions).filter(({ origin }) => !isOff || origin.layer === 'managed');
    this.found = readings.flatMap(({ problems }) => problems);
    await this.changedNow();
  }

  private readingOf(file: HookFile, platform: NodeJS.Platform): HookFileReading {
    const path = file.origin.file;
    if ('problem' in file) return { ...(this.lastGood.get(path) ?? EMPTY), problems: [{ file: path, key: '', message: file.problem }] };
    const reading = readHookFile(file.text, file.form, { origin: file.origin, platform });
    const isBroken = reading.definitions.length === 0 && reading.problems.some(({ key, harmless }) => key === '' && harmless !== true);
    const before = this.lastGood.get(path);
    if (isBroken && before !== undefined) return { ...before, problems: [...reading.problems, { file: path, key: '', message: t('Until the file is fixed, its hooks apply as they were before.'), harmless: true }] };
    this.lastGood.set(path, reading);
    return reading;
  }

  private async changedNow(): Promise<void> {
    await this.examine();
    this.changed.emit();
  }

  /**
   * Finds out which hooks may run. One that was changed after it was approved counts as a guard that does not answer, until the user
   * has looked at it: else whoever changes it could switch it off.
   */
  private async examine(): Promise<void> {
    const listed = await this.list();
    const now = listed.flatMap(({ hook, standing }): readonly HookDefinition[] => {
      if (standing.state === 'approved') return [hook];
      if (standing.state === 'new' || !failsClosed(hook)) return [];
      return [{ ...hook, broken: t('It has changed since you approved it. Run “Gnomon: Manage Hooks” to review it.') }];
    });
    // The list stays the same as long as nothing changes.
    if (JSON.stringify(now) !== JSON.stringify(this.mayRun)) this.mayRun = now;
  }

  private async lookAt(hook: HookDefinition): Promise<Pick<ListedHook, 'text' | 'scripts'>> {
    const paths = pathsOfHook(hook);
    const { folders } = this.deps.places();
    const folder = hook.origin.folder ?? folders[0] ?? dirname(hook.origin.file);
    const files = paths === undefined ? [] : await usedFiles(paths.paths, paths.cwd ?? folder, { folders, folder }, new AbortController().signal);
    return { text: hookText(hook, files), scripts: files.map(({ path }) => resolve(folder, path)) };
  }

  private watch(): void {
    this.watchers?.dispose();
    const { files, folders } = hookPaths(this.deps.places());
    const patterns = [...files.map((path) => new vscode.RelativePattern(vscode.Uri.file(dirname(path)), basename(path))), ...folders.map((path) => new vscode.RelativePattern(vscode.Uri.file(path), '*.json'))];
    const readSoon = (): void => this.readSoon();
    this.watchers = vscode.Disposable.from(
      ...patterns.flatMap((pattern) => {
        const watcher = vscode.workspace.createFileSystemWatcher(pattern);
        return [watcher, watcher.onDidChange(readSoon), watcher.onDidCreate(readSoon), watcher.onDidDelete(readSoon)];
      }),
    );
  }

  private readSoon(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => void this.read(), QUIET_MS);
  }
}

const EMPTY: HookFileReading = { definitions: [], problems: [], fields: [] };
