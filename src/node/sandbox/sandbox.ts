import { present } from '../../domain/present.js';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../../domain/l10n.js';
import type { CommandRequest, TakenAway } from '../../domain/workspace/processes.js';
import type { SandboxPort, SandboxState } from '../../domain/workspace/sandbox.js';
import type { Shell } from '../process/shell.js';
import { type Holder, type HolderOptions, type Missing, canClose, findHolder, platformOf } from './find-holder.js';
import { type MayRead, HiddenPlaces } from './hidden-places.js';
import { type WorkPlaces, repositoryPlaces, NAME_SERVICE, settingsOfUser, workPlaces } from './work-places.js';
import { type ProxyOptions, HostProxy, proxyVariables, RELAY_FOLDER, relayed } from './host-proxy.js';
import { guardedPlaces } from './guarded-places.js';
import { IndexCopies } from './index-copies.js';
import { concealed } from './repositories.js';
import type { Network, SandboxView } from './sandbox-view.js';
import { SettingsCopies } from './settings-copies.js';
import { type SystemParts, SystemCopies } from './system-copies.js';
import { isWithin } from '../files/within.js';
import { type Work, WorkWatch } from './work-watch.js';
import { foldersWithSystem, programPlaces, systemPlaces } from './system-places.js';

/** Milliseconds before a machine without a sandbox is checked again: one may have been installed. */
const LOOK_AGAIN_MS = 15_000;
/** For how many rules it is known what they hide. Sessions that work side by side can have rules of their own. */
const MAX_RULES = 8;
const NO_WORK: WorkPlaces = { writable: [], readable: [] };
const NO_GUARD: Pick<SandboxView, 'guarded' | 'overlays'> = { guarded: { pinned: [], fixed: [], absent: [] }, overlays: [] };

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
  /** For the commands of a session, with those that are its own; without one, those of all. */
  readonly rules: (session: string | undefined) => Promise<ReadRules>;
  readonly home: string;
  /** Present where nobody says what comes into being in the folders: then they are searched before each command. */
  readonly unwatched?: true;
  /** How names of hosts are looked up and which addresses may be reached; all public ones unless given. */
  readonly lookup?: Pick<ProxyOptions, 'allow' | 'resolve'>;
}

/** The part of a command that a sandbox uses. Its text shows whether the repository around the workspace is needed. */
export type ConfinedRequest = Pick<CommandRequest, 'command' | 'cwd' | 'confined'>;

/** Confines commands: those that run without approval only read the workspace and the system, those that were allowed may change it. */
export interface Sandbox extends Pick<SandboxPort, 'state'> {
  /**
   * A shell that runs a command in the sandbox.
   * @param session id of the one whose command it is
   * @throws Error when there is no sandbox, or when what to hide cannot be determined.
   */
  around(shell: Shell, request: ConfinedRequest, session?: string): Promise<HeldShell>;
  /**
   * A shell for commands that are not confined: they can do all that they can without it, but change what is in some folders.
   * @param closed absolute paths of the folders
   * @returns `undefined` where there is no sandbox that can do so
   */
  closing(shell: Shell, cwd: string, closed: readonly string[]): Promise<Shell | undefined>;
  /** Takes away what a command made in the sandbox and may not make. Call it once the command has ended, or if it could not be started. */
  after(shell: HeldShell): Promise<readonly TakenAway[]>;
  /** Something is new at a path, or was renamed to it. */
  noteChange(path: string): void;
  /** A file was written by the user in an editor, or by a tool. */
  noteOwn(path: string): void;
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
  /** For a command that may change the workspace. */
  readonly work?: Work;
}

/** Makes the sandbox of this machine. Nothing is looked at before it is asked for. */
export function createSandbox(options: SandboxOptions): LocalSandbox {
  return new SystemSandbox(options);
}

/** Where it is looked what a command may not see. */
interface LookedAt {
  /** Whose rules say so. */
  readonly session: string | undefined;
  readonly folders: readonly string[];
  /** Files and folders beside these that it may read. */
  readonly outside: readonly string[];
  /** Places of the repositories around them, where it reads these. */
  readonly repositories: readonly string[];
  /** Whether it compares files with what Git has of them. */
  readonly compares: boolean;
  /** Whether it can change nothing. */
  readonly reads: boolean;
}

interface KeptBack extends Pick<SandboxView, 'hidden' | 'replaced'> {
  /** The folders of repositories that were found. */
  readonly found: readonly string[];
}

class SystemSandbox implements LocalSandbox {
  private looked: { readonly at: number; readonly found: Promise<Holder | Missing> } | undefined;
  /** By the folders and rules, those that were used last at the end. */
  private readonly hidden = new Map<string, HiddenPlaces>();
  private canClose: Promise<boolean> | undefined;
  private proxy: { readonly key: string; readonly started: Promise<HostProxy> } | undefined;

  private watch: WorkWatch | undefined;
  private readonly copies: SettingsCopies;
  private readonly indexes: IndexCopies;
  private readonly parts: SystemCopies;

  constructor(private readonly options: SandboxOptions) {
    this.copies = new SettingsCopies(join(options.storage, 'settings'), options.env);
    this.indexes = new IndexCopies(join(options.storage, 'indexes'));
    this.parts = new SystemCopies(join(options.storage, 'system'));
  }

  async state(): Promise<SandboxState> {
    const found = await this.usableHolder();
    return 'commandFor' in found ? { available: true, by: found.by } : found;
  }

  noteChange(path: string): void {
    for (const places of this.hidden.values()) places.noteChange(path);
    this.watch?.noteChange(path);
  }

  noteOwn(path: string): void {
    this.watch?.noteOwn(path);
  }

  async after({ work }: HeldShell): Promise<readonly TakenAway[]> {
    return work === undefined || this.watch === undefined ? [] : this.watch.end(work);
  }

  async closing(shell: Shell, cwd: string, closed: readonly string[]): Promise<Shell | undefined> {
    const holder = await this.holder();
    if (!('commandFor' in holder) || !(await this.canCloseBy(holder))) return undefined;
    const [program, ...before] = holder.closing(await Promise.all(closed.map((folder) => realpath(folder))), cwd);
    return { kind: shell.kind, program, argumentsFor: (text) => [...before, shell.program, ...shell.argumentsFor(text)] };
  }

  dispose(): void {
    this.endProxy();
  }

  async around(shell: Shell, request: ConfinedRequest, session?: string): Promise<HeldShell> {
    const holder = await this.usableHolder();
    if (!('commandFor' in holder)) throw new Error(holder.reason);
    const { work, ...view } = await this.view(request, holder, session);
    const { network } = view;
    const commandOf = (text: string): readonly string[] => [shell.program, ...shell.argumentsFor(text)];
    const inside = (text: string): readonly string[] =>
      network.kind === 'proxy' && typeof network.at === 'string' ? relayed(network.at, commandOf(text)) : commandOf(text);
    const proxy = network.kind !== 'proxy' ? {} : proxyVariables(typeof network.at === 'number' ? network.at : undefined);
    const [program, ...before] = holder.commandFor(view);
    const argumentsFor = (text: string): readonly string[] => [...before, ...inside(text)];
    const variables = view.writable.length === 0 ? {} : { TMPDIR: '/tmp', ...proxy };
    return { kind: shell.kind, program, argumentsFor, variables, ...present({ work }) };
  }

  private async view({ command, cwd, confined }: ConfinedRequest, holder: Holder, session: string | undefined): Promise<SandboxView & Pick<HeldShell, 'work'>> {
    const { options } = this;
    const named = options.folders();
    const allowed = confined?.readable ?? [];
    const folders = await Promise.all(named.map((folder) => realpath(folder)));
    const outside = allowed.filter((path) => !folders.some((folder) => isWithin(folder, path)));
    const work = confined?.work;
    // Only for git: what else lies around the workspace is not the workspace.
    const isForGit = /\bgit\b/.test(command);
    const repositories = (isForGit ? await Promise.all(folders.map(repositoryPlaces)) : []).flat();
    const [{ hidden, replaced, found }, places, network, programs] = await Promise.all([
      this.keptBack({ session, folders, outside, repositories, compares: isForGit && work === undefined, reads: work === undefined }),
      work === undefined ? NO_WORK : workPlaces(folders, options.home),
      this.network(work?.hosts ?? []),
      programPlaces(options.env['PATH'], systemPlaces(platformOf(options)), options.home),
    ]);
    const readable = [...[...programs, ...options.readable, ...repositories], ...[...folders, ...outside, ...places.readable, ...extraFor(network)]];
    const system = await this.system([...readable, ...named, ...[...hidden, ...replaced].map(({ path }) => path)]);
    return {
      cwd,
      readable: [...system.mounted, ...readable],
      writable: places.writable,
      ...(work === undefined ? NO_GUARD : await this.guard(folders, found, holder)),
      network,
      hidden: hidden.filter(({ path }) => !allowed.includes(path)),
      replaced: replaced.filter(({ path }) => !allowed.includes(path)),
      names: [
        ...system.links,
        ...named.flatMap((path, index) => (folders[index] === undefined || folders[index] === path ? [] : [{ path, real: folders[index] }])),
      ],
    };
  }

  /** What commands have of the system. @param others what is mounted beside it */
  private async system(others: readonly string[]): Promise<SystemParts> {
    const platform = platformOf(this.options);
    return platform === 'linux' ? this.parts.of(systemPlaces(platform), others) : { mounted: systemPlaces(platform), links: [] };
  }

  /** What a command that may change the folders may not change of them. @param found folders of repositories */
  private async guard(
    folders: readonly string[],
    found: readonly string[],
    { overlays }: Holder,
  ): Promise<Pick<SandboxView, 'guarded' | 'overlays'> & { readonly work: Work }> {
    const repositories = [...new Set([...folders.map((folder) => join(folder, '.git')), ...found])];
    const watch = this.watchOver(folders);
    const work = await watch.begin(repositories);
    const guarded = await guardedPlaces(folders, repositories, { nested: watch.fixed(), env: this.options.env });
    return { guarded, overlays: (await overlays?.for(folders, guarded.absent)) ?? [], work };
  }

  private watchOver(folders: readonly string[]): WorkWatch {
    if (this.watch === undefined || JSON.stringify(this.watch.folders) !== JSON.stringify(folders)) {
      this.watch = new WorkWatch(folders, this.options.storage, this.options.env);
    }
    return this.watch;
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

  /** What a command does not see of the folders, or sees a copy of. */
  private async keptBack({ session, folders, outside, repositories, compares, reads }: LookedAt): Promise<KeptBack> {
    const { key: rules, mayRead } = await this.options.rules(session);
    // There are no notifications of changes outside of the workspace, so it is searched each time.
    const places = this.options.unwatched === true ? new HiddenPlaces(folders, mayRead) : this.hiddenIn(folders, JSON.stringify([rules, folders]), mayRead);
    const found = await Promise.all([places.list(), new HiddenPlaces(outside, mayRead).list()]);
    const hidden = found.flatMap((each) => each.hidden);
    const around = [...folders, ...repositories].flatMap((folder) => [folder, join(folder, '.git')]);
    const inFolders = found.flatMap((each) => each.repositories);
    const [inRepositories, indexes] = await Promise.all([
      concealed([...inFolders, ...around], settingsOfUser(this.options.home), { mayRead, copies: this.copies, reads }),
      compares
        ? this.indexes.for(
            [...inFolders, ...around].filter((path) => path.endsWith('/.git')),
            hidden,
          )
        : [],
    ]);
    const replaced = [...inRepositories.replaced, ...indexes].filter(({ path }) => !hidden.some((place) => place.folder && isWithin(place.path, path)));
    const seen = new Set(replaced.map(({ path }) => path));
    return { hidden: [...hidden, ...inRepositories.hidden].filter(({ path }) => !seen.has(path)), replaced, found: inFolders };
  }

  private hiddenIn(folders: readonly string[], key: string, mayRead: MayRead): HiddenPlaces {
    const places = this.hidden.get(key) ?? new HiddenPlaces(folders, mayRead);
    this.hidden.delete(key);
    this.hidden.set(key, places);
    const [oldest] = this.hidden.keys();
    if (this.hidden.size > MAX_RULES && oldest !== undefined) this.hidden.delete(oldest);
    return places;
  }

  /** What makes sandboxes for the folders that are open now. */
  private async usableHolder(): Promise<Holder | Missing> {
    const { folders, home } = this.options;
    const [wide] = await foldersWithSystem(folders(), home);
    if (wide === undefined) return this.holder();
    const reason = t('The command sandbox is not available while {0} is open, because it contains the system or your home folder.', wide);
    return { available: false, reason, advice: t('Open the folder of a project instead.') };
  }

  private async canCloseBy(holder: Holder): Promise<boolean> {
    this.canClose ??= canClose(holder, this.options);
    let can = false;
    try {
      can = await this.canClose;
    } finally {
      // What does not work now may work for the next command.
      if (!can) this.canClose = undefined;
    }
    return can;
  }

  private async holder(): Promise<Holder | Missing> {
    this.looked ??= { at: performance.now(), found: findHolder(this.options) };
    const { at, found } = this.looked;
    if ('commandFor' in (await found) || performance.now() - at < LOOK_AGAIN_MS) return found;
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
