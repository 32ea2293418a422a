import * as os from 'node:os';
import { Signal } from '../../concurrency/signal.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import type { HookEventName } from '../../domain/hook/event.js';
import type { CallbackHooks } from '../../domain/hook/runner.js';
import type { HookScope } from '../../domain/hook/hooks.js';
import type { Layers } from '../layers.js';
import { type BoundPlaces, joinedPlaces } from '../../domain/workspace/binding.js';
import { type Disposable, together } from '../../domain/host/disposable.js';
import { mayWork } from '../../domain/host/folders.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import type { Approvals } from '../../domain/host/approvals.js';
import { HOOK_APPROVALS } from '../../hook/approval.js';
import { FileHooks } from './file-hooks.js';
import { HookApprovals, type ListedHook } from './hook-approvals.js';

/** Files with hooks that run only where these are used. */
interface OwnerFiles {
  /** The hooks of all that can be used. */
  readonly hooks: readonly HookDefinition[];
  readonly onDidChange: Layers['onDidChange'];
}

/** Such files that chats use, and go on to. */
interface UsedOwnerFiles extends OwnerFiles {
  /** The hooks of those that were used, as they are now. Rejects when they cannot be found out. @param used as {@link HookScope} has them */
  hooksOf(used: readonly string[]): Promise<readonly HookDefinition[]>;
}

/** Sources of hooks: settings files by layer, and the agents, skills, and commands that bring their own. */
export interface RegisteredHooksDeps {
  readonly ports: Pick<HostPorts, 'folders' | 'trust'>;
  readonly layers: Layers;
  /** Owners of hooks, beside the files of the layers. */
  readonly owners: { readonly agents: OwnerFiles; readonly skills: UsedOwnerFiles; readonly commands: UsedOwnerFiles };
  readonly approvals: Pick<Approvals, 'of' | 'onDidChange'>;
  /** Hooks of the program that started this one. */
  readonly callbacks?: Pick<CallbackHooks, 'definitions'>;
}

/** The hooks of this window, and which of them may run: see {@link HookApprovals}. */
export class RegisteredHooks implements Disposable {
  private readonly changed = new Signal();
  /** Fires when hooks or their problems may have changed. */
  readonly onDidChange = this.changed.subscribe;
  private readonly listening: Disposable;
  private readonly approvals: HookApprovals;
  private readonly files = new FileHooks(process.platform);

  constructor(private readonly deps: RegisteredHooksDeps) {
    const { trust, folders } = deps.ports;
    const store = deps.approvals.of(HOOK_APPROVALS);
    this.approvals = new HookApprovals({
      trusted: () => mayWork(trust),
      needsNoApproval: trust.needsNoApproval,
      folders: folders.paths,
      home: os.homedir(),
      store,
    });
    const stops = [deps.layers.onDidChange(() => this.take()), ...Object.values(deps.owners).map(({ onDidChange }) => onDidChange(() => this.changed.emit()))];
    stops.push(
      trust.onDidGrant(() => this.changed.emit()),
      deps.approvals.onDidChange(() => this.changed.emit()),
    );
    this.listening = together(...stops.map((dispose) => ({ dispose })));
    this.take();
  }

  /** Problems of the files. */
  get problems(): readonly ConfigProblem[] {
    return this.files.problems;
  }

  /** States of the fields of a file that are about hooks. @param file absolute path */
  fieldsOf(file: string): readonly FieldReport[] {
    return this.files.fieldsOf(file);
  }

  /** The hooks for an event that may run now, in a session that uses what {@link HookScope} says. */
  async definitionsFor(event: HookEventName, scope: HookScope): Promise<readonly HookDefinition[]> {
    await this.deps.layers.ready();
    const { trust } = this.deps.ports;
    const called = this.deps.callbacks?.definitions().filter((hook) => hook.event === event) ?? [];
    if (!mayWork(trust)) return called;
    const { skills, commands } = this.deps.owners;
    const [ofSkills, ofCommands] = await Promise.all([skills.hooksOf(scope.skills), commands.hooksOf(scope.commands)]);
    const registered = [...this.files.all, ...this.files.counting([...scope.ofAgent, ...ofSkills, ...ofCommands])];
    const runnable = await this.approvals.runnable(
      registered.filter((hook) => hook.event === event),
      this.everything,
    );
    return [...runnable, ...called];
  }

  /** Whether a hook of the list may run now. */
  async mayRun(hook: HookDefinition): Promise<boolean> {
    await this.deps.layers.ready();
    const { everything } = this;
    return everything.includes(hook) && (await this.approvals.runnable([hook], everything)).includes(hook);
  }

  /** All hooks with where they stand. */
  list(): Promise<readonly ListedHook[]> {
    const { everything } = this;
    return this.approvals.list(everything, everything);
  }

  /**
   * Numbers of hooks of a file that run in the chats that use it, and that need approval; zero in an untrusted workspace.
   * @param file absolute path of a skill or a command
   */
  async countOf(file: string): Promise<{ readonly running: number; readonly waiting: number }> {
    const everything = this.deps.ports.trust.trusted() ? this.everything : [];
    const listed = await this.approvals.list(
      everything.filter(({ origin }) => origin.file === file),
      everything,
    );
    const running = listed.filter(({ standing }) => standing.state === 'approved').length;
    return { running, waiting: listed.length - running };
  }

  /** Absolute paths, without links, of what the approval of a hook is bound to. */
  placesOf(hook: HookDefinition): Promise<BoundPlaces> {
    return this.approvals.placesOf(hook);
  }

  /** The same of all hooks: what is written there may run with the next event. */
  async boundPlaces(): Promise<BoundPlaces> {
    await this.deps.layers.ready();
    return joinedPlaces(await Promise.all(this.everything.map((hook) => this.placesOf(hook))));
  }

  /** Approves a hook. @throws Error when it is not any more what the user has seen, or the workspace is not trusted */
  async approve(listed: ListedHook): Promise<void> {
    await this.approvals.approve(listed);
    this.changed.emit();
  }

  /** Takes an approval back. */
  async revoke(listed: ListedHook): Promise<void> {
    await this.approvals.revoke(listed);
    this.changed.emit();
  }

  /** Why a hook may not call an address, as a sentence for users; `undefined`: it may. */
  forbids(url: string): string | undefined {
    return this.files.forbids(url);
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.clear();
  }

  /** Those of all files, also of such as no session uses. */
  private get everything(): readonly HookDefinition[] {
    return [...this.files.all, ...this.files.counting(Object.values(this.deps.owners).flatMap(({ hooks }) => hooks))];
  }

  private take(): void {
    this.files.take(this.deps.layers.files);
    this.changed.emit();
  }
}
