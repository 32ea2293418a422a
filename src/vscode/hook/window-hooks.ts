import { dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import { Signal } from '../../concurrency/signal.js';
import { readHookFile, type HookFileReading } from '../../config/hooks/read-hook-file.js';
import { isFromRepository } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { failsClosed, type HookDefinition } from '../../domain/hook/definition.js';
import type { HookEventName } from '../../domain/hook/event.js';
import { t } from '../../domain/l10n.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { type HookApproval, type HookStanding, parseApprovals, standingOf, withApproval, withoutApproval } from '../../hook/approval.js';
import { type UrlLimit, forbiddenUrl } from '../../hook/allowed-urls.js';
import { hookText, pathsOfHook } from '../../hook/identity.js';
import type { LayerFile } from '../../node/config/layer-files.js';
import { usedFiles } from '../../node/files/used-files.js';
import type { WindowLayers } from '../config/window-layers.js';
import { foldersOfWindow } from '../workspace/folders.js';

const KEY = 'gnomon.hookApprovals';

/** A hook as it is now, with its scripts, and whether it may run. */
export interface ListedHook {
  readonly hook: HookDefinition;
  /** All that decides what it does, for people to read before they approve it. */
  readonly text: string;
  readonly standing: HookStanding;
}

/** Dependencies of {@link WindowHooks}. */
export interface WindowHooksDeps {
  readonly layers: WindowLayers;
  readonly trusted: () => boolean;
  /** The hooks of the agents that can be chosen. */
  readonly ofAgents: { readonly hooks: readonly HookDefinition[]; readonly onDidChange: WindowLayers['onDidRead'] };
  /** Where approvals are kept: out of reach of every workspace. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
}

/**
 * The hooks of this window, and which of them may run. What a workspace brings along runs only where the workspace is trusted, and the
 * hook was approved exactly as it is: its scripts are looked at before each run.
 */
export class WindowHooks implements vscode.Disposable {
  private readonly deps: WindowHooksDeps;
  private readonly changed = new Signal();
  /** Fires when hooks, or what is said of them, may have changed. */
  readonly onDidChange = this.changed.subscribe;
  private readonly listening: vscode.Disposable;
  /** What each file said last when it could be read, so that a mistake in a file does not switch off what guards. */
  private readonly lastGood = new Map<string, HookFileReading>();
  private all: readonly HookDefinition[] = [];
  /** Whether a file switches off all hooks but the managed ones. */
  private isOff = false;
  private found: readonly ConfigProblem[] = [];
  /** The addresses that hooks may call, by each file that limits them. */
  private limits: readonly UrlLimit[] = [];

  constructor(deps: WindowHooksDeps) {
    this.deps = deps;
    const stops = [deps.layers.onDidRead(() => this.take(deps.layers.files)), deps.ofAgents.onDidChange(() => this.changed.emit())];
    this.listening = vscode.Disposable.from({ dispose: () => stops.forEach((stop) => stop()) }, vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.emit()));
    this.take(deps.layers.files);
  }

  /** What is wrong with the files. */
  get problems(): readonly ConfigProblem[] {
    return this.found;
  }

  /**
   * The hooks for an event that may run now. One that was changed after it was approved counts as a guard that does not answer, until
   * the user has looked at it: else whoever changes it could switch it off.
   * @param ofAgent the hooks of the agent that works, as they were when it was chosen
   */
  async definitionsFor(event: HookEventName, ofAgent: readonly HookDefinition[]): Promise<readonly HookDefinition[]> {
    await this.deps.layers.ready();
    const registered = this.deps.trusted() ? [...this.all, ...this.counting(ofAgent)].filter((hook) => hook.event === event) : [];
    if (registered.every(({ origin }) => !isFromRepository(origin))) return registered;
    const listed = await this.list(registered);
    return listed.flatMap(({ hook, standing }): readonly HookDefinition[] => {
      if (standing.state === 'approved') return [hook];
      if (standing.state === 'new' || !failsClosed(hook)) return [];
      return [{ ...hook, broken: t('It has changed since you approved it. Run “Gnomon: Manage Hooks” to review it.') }];
    });
  }

  /** Whether a hook of the list may run now. */
  async mayRun(hook: HookDefinition): Promise<boolean> {
    return (await this.definitionsFor(hook.event, this.deps.ofAgents.hooks)).includes(hook);
  }

  /** Hooks with where they stand; unless given, all of them, also those of agents. */
  async list(hooks: readonly HookDefinition[] = [...this.all, ...this.counting(this.deps.ofAgents.hooks)]): Promise<readonly ListedHook[]> {
    const { approvals } = this;
    const looked = await Promise.all(hooks.map(async (hook) => ({ hook, text: await textOf(hook) })));
    const known = new Set(approvals.map(({ text }) => text));
    const areApproved = looked.every(({ hook, text }) => !isFromRepository(hook.origin) || known.has(text));
    // What else there is only matters to find out in whose place a hook is that was not approved.
    const present = new Set(areApproved ? [] : await Promise.all([...this.all, ...this.deps.ofAgents.hooks].filter(({ origin }) => isFromRepository(origin)).map(textOf)));
    return looked.map(({ hook, text }) => ({ hook, text, standing: isFromRepository(hook.origin) ? standingOf(hook, text, { approvals, present }) : { state: 'approved' } }));
  }

  /** Absolute paths of the scripts of the workspace that a hook names. */
  async scriptsOf(hook: HookDefinition): Promise<readonly string[]> {
    return (await filesOf(hook)).map(({ path }) => resolve(folderOf(hook), path));
  }

  /** Approves a hook. @throws Error when it is not any more what the user has seen, or the workspace is not trusted */
  async approve({ hook, text, standing }: ListedHook): Promise<void> {
    if (!this.deps.trusted()) throw new Error(t('Hooks cannot be approved before the workspace is trusted.'));
    if ((await textOf(hook)) !== text) throw new Error(t('The hook has just changed. Look at it again before you approve it.'));
    await this.deps.memory.update(KEY, withApproval(this.approvals, hook, { text, standing, at: Date.now() }));
    this.changed.emit();
  }

  /** Takes an approval back. */
  async revoke({ text }: ListedHook): Promise<void> {
    await this.deps.memory.update(KEY, withoutApproval(this.approvals, text));
    this.changed.emit();
  }

  /** Why a hook may not call an address, as a sentence for users; `undefined`: it may. */
  forbids(url: string): string | undefined {
    return forbiddenUrl(url, this.limits);
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.clear();
  }

  /** Hooks of agents can be switched off like those of files. */
  private counting(hooks: readonly HookDefinition[]): readonly HookDefinition[] {
    return this.isOff ? [] : hooks;
  }

  private get approvals(): readonly HookApproval[] {
    return parseApprovals(this.deps.memory.get(KEY));
  }

  private take(files: readonly LayerFile[]): void {
    const readings = files.map((file) => this.readingOf(file));
    this.isOff = readings.some(({ disablesAll }) => disablesAll === true);
    this.all = readings.flatMap(({ definitions }) => definitions).filter(({ origin }) => !this.isOff || origin.layer === 'managed');
    this.limits = readings.flatMap(({ allowedUrls }, index) => (allowedUrls === undefined ? [] : [{ file: files[index]?.origin.display ?? '', allowed: allowedUrls }]));
    this.found = [...readings.flatMap(({ problems }) => problems), ...this.all.flatMap((hook) => this.notAllowed(hook))];
    this.changed.emit();
  }

  private notAllowed({ handler, origin: { file, line } }: HookDefinition): readonly ConfigProblem[] {
    const message = handler.type === 'http' ? this.forbids(handler.url) : undefined;
    return message === undefined ? [] : [{ file, key: '', ...(line === undefined ? {} : { line }), message, harmless: true }];
  }

  private readingOf(file: LayerFile): HookFileReading {
    const { notice } = file;
    const reading = this.withLastGood(file);
    return notice === undefined || reading.definitions.length === 0 ? reading : { ...reading, problems: [...reading.problems, { file: file.origin.file, key: '', message: notice, harmless: true }] };
  }

  private withLastGood(file: LayerFile): HookFileReading {
    const path = file.origin.file;
    const before = this.lastGood.get(path);
    const reading = 'problem' in file ? { ...NOTHING, problems: [{ file: path, key: '', message: file.problem }] } : readHookFile(file.text, file.form, { origin: file.origin, platform: process.platform });
    const isBroken = reading.definitions.length === 0 && reading.problems.some(({ key, harmless }) => key === '' && harmless !== true);
    if (!isBroken) this.lastGood.set(path, reading);
    // What a broken file would limit is not known: then nothing may be called.
    const isEmpty = 'text' in file && file.text.trim() === '';
    if (isBroken && !isEmpty && before === undefined && !isFromRepository(file.origin)) return { ...reading, allowedUrls: [] };
    if (!isBroken || before === undefined) return reading;
    return { ...before, problems: [...reading.problems, { file: path, key: '', message: t('Until the file is fixed, its hooks apply as they were before.'), harmless: true }] };
  }
}

const NOTHING: HookFileReading = { definitions: [], problems: [], fields: [] };

/** All that decides what a hook does, with what its scripts contain now. */
async function textOf(hook: HookDefinition): Promise<string> {
  return hookText(hook, await filesOf(hook));
}

async function filesOf(hook: HookDefinition): Promise<readonly UsedFile[]> {
  const paths = pathsOfHook(hook);
  const folder = folderOf(hook);
  return paths === undefined ? [] : usedFiles(paths.paths, paths.cwd ?? folder, { folders: foldersOfWindow(), folder }, new AbortController().signal);
}

function folderOf({ origin }: HookDefinition): string {
  return origin.folder ?? foldersOfWindow()[0] ?? dirname(origin.file);
}
