import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentHost, createAgentHost } from '../agent-host/agent-host.js';
import { createDiskFiles } from '../agent-host/changes/disk-files.js';
import { createGitWatcher } from '../agent-host/changes/git-watch.js';
import type { AgentHostPorts, ServerPorts } from '../agent-host/host-ports.js';
import { createWriteLock } from '../customization/write-lock.js';
import type { StartConfiguration } from '../domain/host/start-configuration.js';
import type { Log } from '../domain/log.js';
import { present } from '../domain/present.js';
import type { ChangedFiles, ChangeRecorder } from '../domain/workspace/changes.js';
import type { Documents } from '../domain/workspace/documents.js';
import type { SessionStore } from '../domain/session/session-store.js';
import type { SessionLibrary } from '../domain/session/session-library.js';
import type { Checkpoints } from '../edits/checkpoints.js';
import { LedgerStore } from '../edits/ledger-store.js';
import { Ledger } from '../edits/ledger.js';
import { createChangeRecorder } from '../edits/recorder.js';
import { textCodec } from '../edits/text-work.js';
import { createDiskDocuments } from '../node/files/disk-documents.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { withNotebooks } from '../node/files/notebook-documents.js';
import { createNodePorts } from '../node/host/node-ports.js';
import { createRipgrepSearch } from '../node/search/ripgrep.js';
import { systemClock } from '../node/system-clock.js';
import { ruleProblems } from '../permission/rules/rule-set.js';
import { redact, secretsOf } from '../text/redact.js';
import { atomicWrite } from '../session/atomic-write.js';
import type { DrivingProgram } from './ndjson/driving-program.js';
import type { Places } from './places.js';
import type { ChosenSession } from './storage/choose-session.js';
import { checkpointsIn, sessionsIn } from './storage/session-places.js';
import { unusedOf } from './untrusted.js';

/** What the program has with it. */
export interface ProgramParts {
  /** Absolute path of the folder with the grammars that commands are read with. */
  readonly grammars: string;
  /** Absolute path of ripgrep. @throws Error where there is none for this system */
  readonly ripgrep: () => Promise<string>;
  /** `package.json` of the extension: what settings are where nobody has set them. */
  readonly manifest: unknown;
}

/** What a host is opened for. */
export interface HostWish {
  /** Absolute paths of the folders to work in, the current one first. */
  readonly folders: readonly string[];
  readonly places: Places;
  /** The session that is worked in, where it is chosen already. */
  readonly session?: ChosenSession;
  /** Whether what is changed pends until a window shows it. Default: what is on the disk is kept. */
  readonly leavesPending?: boolean;
  /** Whether the user has said on the command line that what the folders bring is used, without another approval. */
  readonly trusted: boolean;
  /** Whether the user has said on the command line that nothing need be asked. */
  readonly bypassConfirmed: boolean;
  /** What the command line says about configuration. */
  readonly startedWith: StartConfiguration;
  /** Values of settings by their whole names. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Takes the keys that are used, so that what is written can be cleaned of them. */
  readonly keys: Set<string>;
  /** What the program that started this one brings. */
  readonly driven: Pick<DrivingProgram, 'callbacks' | 'servers'>;
  /** How files are read and changed. Default: on the disk, notebooks as the text of their cells. */
  readonly documents?: Documents;
}

/** An agent host in a process without a window, with its sessions on the disk. */
export interface HeadlessHost {
  readonly host: AgentHost;
  readonly store: SessionStore;
  readonly library: SessionLibrary;
  /** As it was wished. */
  readonly session?: ChosenSession;
  /** How files are read and changed. */
  readonly documents: Documents;
  /** The changes of this run. */
  readonly ledger: Ledger;
  /** What can be restored of the sessions, and the files that this is about. */
  readonly checkpoints: Checkpoints;
  readonly changedFiles: ChangedFiles;
  /** Takes keys out of a text that others get: those that are used, and what looks like one. */
  readonly clean: (text: string) => string;
  readonly log: Log;
  /**
   * Says what the folders bring along and is not used, once: beside the first request, as looking for it takes some file calls, and before the first result.
   * It is said at the latest when the host is closed. Does not reject.
   */
  tellUnused(): Promise<void>;
  close(): Promise<void>;
}

/** Opens it. The folders for what is kept are made when something is written. */
export async function openHost(program: ProgramParts, wish: HostWish): Promise<HeadlessHost> {
  const { places, log, documents = withNotebooks(createDiskDocuments()) } = wish;
  const files = createNodeFileLayer();
  const blobs = { files, save: (path: string, bytes: Uint8Array) => atomicWrite({ files, log, pid: process.pid }, path, [bytes]) };
  const changed = createDiskFiles();
  const checkpoints = checkpointsIn(places.sessions, log);
  const leavesPending = wish.leavesPending === true;
  // Runs side by side would clear away what the others need.
  const review = leavesPending ? places.review : join(places.review, wish.session?.id ?? randomUUID());
  const ledger = new Ledger({ store: new LedgerStore(review, blobs, log), files: changed, codec: textCodec });
  const changes = createChangeRecorder({ checkpoints, ledger, files: changed, log, commands: createGitWatcher(changed, log) });
  const host = await createAgentHost(portsOf(program, { ...wish, documents }, changes));
  let told: Promise<void> | undefined;
  const tellUnused = (): Promise<void> => (told ??= wish.trusted ? Promise.resolve() : tellOfUnused(host, wish));
  tellOfServers(host, log);
  const { store, library } = sessionsIn(places, log);
  const clean = (text: string): string => redact(text, secretsOf(wish.keys));
  const close = async (): Promise<void> => {
    await tellUnused();
    // What is on the disk is what the user has, unless a window will show it to them to keep or undo it piece by piece.
    if (!leavesPending) await Promise.all(ledger.files().map(({ path }) => ledger.keep(path)));
    await host.close();
    if (!leavesPending) await rm(review, { recursive: true, force: true });
  };
  return { host, store, library, documents, ...present({ session: wish.session }), ledger, checkpoints, changedFiles: changed, clean, tellUnused, log, close };
}

async function tellOfUnused(host: AgentHost, { startedWith, log }: HostWish): Promise<void> {
  try {
    const unused = await unusedOf(host, startedWith.layers);
    if (unused !== undefined) log.warn(unused);
  } catch (error) {
    log.error('What this folder brings along could not be looked up. It is not trusted, and what it brings is not used', error);
  }
}

/** Says once of each server that it does not work. */
function tellOfServers({ servers }: AgentHost, log: Log): void {
  const told = new Set<string>();
  servers.all.subscribe((event) => {
    if (event.type !== 'state') return;
    const { id, entry, status, waitsFor, problem } = event.state;
    if (problem === undefined || told.has(id) || !(status === 'failed' || status === 'needs-auth' || waitsFor === 'restart')) return;
    told.add(id);
    log.warn(`The MCP server “${entry.name}” does not work: ${problem}`);
  });
}

/** Milliseconds for what Git says before a decision: where nobody can be asked, what could not be found out in time is denied. */
const DECISION_GIT_MS = 2_000;

/** What a process without a window gives to the agent host. */
function portsOf(
  { grammars, ripgrep, manifest }: ProgramParts,
  { folders, places, trusted, bypassConfirmed, startedWith, settings, log, keys, driven, documents }: HostWish & Pick<HeadlessHost, 'documents'>,
  changes: ChangeRecorder,
): AgentHostPorts {
  return {
    ...createNodePorts({
      folders,
      trusted,
      worksUntrusted: true,
      ...(trusted ? { needsNoApproval: true } : {}),
      storage: places.user,
      settings,
      defaults: defaultsOf(manifest),
      log,
      lock: createWriteLock(join(places.user, 'locks'), log),
    }),
    startedWith,
    log,
    clock: systemClock,
    keys,
    storage: { workspace: places.project, global: places.approvals, sessions: places.sessions },
    manifest: { packageJSON: manifest },
    grammars,
    decisionGitMs: DECISION_GIT_MS,
    ...(bypassConfirmed ? { bypassConfirmed: true } : {}),
    workspace: { documents, search: (guard) => createRipgrepSearch(ripgrep, guard), changes, open: () => [], onDidReturn: never },
    rules: NO_RULES_OF_THE_HOST,
    models: { warn: (problem) => log.warn(problem) },
    servers: { ...UNATTENDED_SERVERS, inProcess: driven.servers },
    callbackHooks: driven.callbacks,
    noEarlierApprovals: true,
    offered: { all: [] },
    review: () => Promise.resolve(),
  };
}

const never = (): (() => void) => () => undefined;

/** All rules are in files. */
export const NO_RULES_OF_THE_HOST: AgentHostPorts['rules'] = {
  settings: {
    sources: () => [],
    change: () => Promise.reject(new Error('A rule can be kept for this session only here. Write it into a settings file to keep it for longer.')),
  },
  files: () => [],
  onDidSave: never,
  open: () => Promise.resolve(),
  show: () => Promise.resolve(),
  isUnsaved: () => false,
  check: ruleProblems,
};

/** Servers that need a value of the user, or to be signed in to, are set up in a window. */
export const UNATTENDED_SERVERS: Omit<ServerPorts, 'inProcess'> = {
  askUser: () => Promise.resolve(undefined),
  openLog: () => ({ appendLine: () => undefined, show: () => undefined, dispose: () => undefined }),
  signIn: {
    confirm: () => Promise.resolve(false),
    openExternal: () => Promise.resolve(false),
    receive: () => Promise.reject(new Error('Sign in to this server in VS Code first.')),
  },
  openExternal: () => Promise.resolve(false),
};

/** What the manifest says that settings are where nobody has set them, by their whole names. */
export function defaultsOf(manifest: unknown): Readonly<Record<string, unknown>> {
  type Part = { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
  const { contributes } = manifest as { readonly contributes: { readonly configuration: Part | readonly Part[] } };
  const parts = [contributes.configuration].flat() as readonly Part[];
  return Object.fromEntries(parts.flatMap(({ properties }) => Object.entries(properties).map(([name, { default: value }]) => [name, value])));
}
