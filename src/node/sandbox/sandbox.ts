import { realpath } from 'node:fs/promises';
import type { CommandRequest } from '../../domain/workspace/processes.js';
import type { SandboxPort, SandboxState } from '../../domain/workspace/sandbox.js';
import type { Shell } from '../process/shell.js';
import { type Holder, type HolderOptions, type Missing, findHolder, platformOf } from './find-holder.js';
import { type MayRead, HiddenPlaces } from './hidden-places.js';
import { type WorkPlaces, repositoryPlaces, NAME_SERVICE, workPlaces } from './work-places.js';
import { type ProxyOptions, HostProxy, proxyVariables, RELAY_FOLDER, relayed } from './host-proxy.js';
import type { HiddenPlace, Network, SandboxView } from './sandbox-view.js';
import { isWithin } from '../files/within.js';
import { programPlaces, systemPlaces } from './system-places.js';

/** Milliseconds before a machine without a sandbox is checked again: one may have been installed. */
const LOOK_AGAIN_MS = 15_000;
const NO_WORK: WorkPlaces = { writable: [], readable: [], fixed: [] };

/** Which files may be read, by the rules in effect. */
export interface ReadRules {
  /** Changes when the rules do. */
  readonly key: string;
  readonly mayRead: MayRead;
}

/** What a sandbox is made of. */
export interface SandboxOptions extends HolderOptions {
  /** The workspace folders, as they are named. */
  readonly folders: () => readonly string[];
  /** Other folders that commands may read. */
  readonly readable: readonly string[];
  readonly rules: () => Promise<ReadRules>;
  readonly home: string;
  /** How names of hosts are looked up and which addresses may be reached; all public ones unless given. */
  readonly lookup?: Pick<ProxyOptions, 'allow' | 'resolve'>;
}

/** What a sandbox has to know of a command. Its text tells whether the repository around the workspace is needed. */
export type ConfinedRequest = Pick<CommandRequest, 'command' | 'cwd' | 'confined'>;

/** Confines commands: those that run without approval only read the workspace and the system, those that were allowed may change it. */
export interface Sandbox extends Pick<SandboxPort, 'state'> {
  /**
   * A shell that runs a command in the sandbox.
   * @throws Error when there is no sandbox, or when what to hide cannot be determined.
   */
  around(shell: Shell, request: ConfinedRequest): Promise<HeldShell>;
  /** Something is new at a path, or was renamed to it. */
  noteChange(path: string): void;
}

/** The sandbox of this machine. */
export interface LocalSandbox extends Sandbox {
  /** Ends what it started and removes what that left. */
  dispose(): void;
}

/** A shell in a sandbox. */
export interface HeldShell extends Shell {
  /** Variables that its commands need there, beside those that they have otherwise. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Makes the sandbox of this machine. Nothing is looked at before it is asked for. */
export function createSandbox(options: SandboxOptions): LocalSandbox {
  return new SystemSandbox(options);
}

class SystemSandbox implements LocalSandbox {
  private looked: { readonly at: number; readonly found: Promise<Holder | Missing> } | undefined;
  private hidden: { readonly key: string; readonly places: HiddenPlaces } | undefined;
  private proxy: { readonly key: string; readonly started: Promise<HostProxy> } | undefined;

  constructor(private readonly options: SandboxOptions) {}

  async state(): Promise<SandboxState> {
    const found = await this.holder();
    return 'program' in found ? { available: true, by: found.by } : found;
  }

  noteChange(path: string): void {
    this.hidden?.places.noteChange(path);
  }

  dispose(): void {
    this.endProxy();
  }

  async around(shell: Shell, request: ConfinedRequest): Promise<HeldShell> {
    const holder = await this.holder();
    if (!('program' in holder)) throw new Error(holder.reason);
    const view = await this.view(request);
    const { network } = view;
    const commandOf = (text: string): readonly string[] => [shell.program, ...shell.argumentsFor(text)];
    const inside = (text: string): readonly string[] => (network.kind === 'proxy' && typeof network.at === 'string' ? relayed(network.at, commandOf(text)) : commandOf(text));
    const proxy = network.kind !== 'proxy' ? {} : proxyVariables(typeof network.at === 'number' ? network.at : undefined);
    return { kind: shell.kind, program: holder.program, argumentsFor: (text) => [...holder.argumentsFor(view), ...inside(text)], variables: view.writable.length === 0 ? {} : { TMPDIR: '/tmp', ...proxy } };
  }

  private async view({ command, cwd, confined }: ConfinedRequest): Promise<SandboxView> {
    const { options } = this;
    const named = options.folders();
    const allowed = confined?.readable ?? [];
    const folders = await Promise.all(named.map((folder) => realpath(folder)));
    const outside = allowed.filter((path) => !folders.some((folder) => isWithin(folder, path)));
    const work = confined?.work;
    const [hidden, places, network, repositories, programs] = await Promise.all([
      this.hiddenIn(folders, outside),
      work === undefined ? NO_WORK : workPlaces(folders, options.home),
      this.network(work?.hosts ?? []),
      // Only for git: what else lies around the workspace is not the workspace.
      /\bgit\b/.test(command) ? Promise.all(folders.map(repositoryPlaces)) : [],
      programPlaces(options.env['PATH'], systemPlaces(platformOf(options)), options.home),
    ]);
    return {
      cwd,
      readable: [...systemPlaces(platformOf(options)), ...programs, ...options.readable, ...repositories.flat(), ...folders, ...outside, ...places.readable, ...extraFor(network)],
      writable: places.writable,
      fixed: places.fixed,
      network,
      hidden: hidden.filter(({ path }) => !allowed.includes(path)),
      names: named.flatMap((path, index) => (folders[index] === undefined || folders[index] === path ? [] : [{ path, real: folders[index] }])),
    };
  }

  private async network(hosts: readonly string[]): Promise<Network> {
    if (hosts.length === 0) return { kind: 'none' };
    if (hosts.includes('*')) return { kind: 'all' };
    const key = JSON.stringify(hosts);
    if (this.proxy?.key !== key) {
      this.endProxy();
      this.proxy = { key, started: HostProxy.start({ hosts, ...this.options.lookup }, platformOf(this.options) === 'darwin' ? 'port' : 'socket') };
    }
    return { kind: 'proxy', at: (await this.proxy.started).at };
  }

  private endProxy(): void {
    // The command that needed it reported that it could not be started.
    this.proxy?.started.then((proxy) => proxy.close()).catch(() => undefined);
    this.proxy = undefined;
  }

  private async hiddenIn(folders: readonly string[], outside: readonly string[]): Promise<readonly HiddenPlace[]> {
    const { key: rules, mayRead } = await this.options.rules();
    const key = JSON.stringify([rules, folders]);
    if (this.hidden?.key !== key) this.hidden = { key, places: new HiddenPlaces(folders, mayRead) };
    // There are no notifications of changes outside of the workspace, so it is searched each time.
    const found = await Promise.all([this.hidden.places.list(), new HiddenPlaces(outside, mayRead).list()]);
    return found.flat();
  }

  private async holder(): Promise<Holder | Missing> {
    this.looked ??= { at: performance.now(), found: findHolder(this.options) };
    const { at, found } = this.looked;
    if ('program' in (await found) || performance.now() - at < LOOK_AGAIN_MS) return found;
    this.looked = undefined;
    return this.holder();
  }
}

/** What else is needed to reach a network. */
function extraFor({ kind }: Network): readonly string[] {
  switch (kind) {
    case 'none':
      return [];
    case 'all':
      return NAME_SERVICE;
    case 'proxy':
      return [RELAY_FOLDER];
  }
}

