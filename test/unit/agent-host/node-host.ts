import { readFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type AgentHost, createAgentHost } from '../../../src/agent-host/agent-host.js';
import { createDiskFiles } from '../../../src/agent-host/changes/disk-files.js';
import { createGitWatcher } from '../../../src/agent-host/changes/git-watch.js';
import { createWriteLock } from '../../../src/customization/write-lock.js';
import type { Ground } from '../../../src/agent-host/ground.js';
import type { AgentHostPorts } from '../../../src/agent-host/host-ports.js';
import type { SessionStart } from '../../../src/agent-host/session-factory.js';
import type { Dialogs } from '../../../src/domain/host/dialogs.js';
import type { StartConfiguration } from '../../../src/domain/host/start-configuration.js';
import type { Log } from '../../../src/domain/log.js';
import { present } from '../../../src/domain/present.js';
import type { Questions } from '../../../src/domain/tool/interaction.js';
import { Checkpoints } from '../../../src/edits/checkpoints.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { Ledger } from '../../../src/edits/ledger.js';
import { createChangeRecorder } from '../../../src/edits/recorder.js';
import { textCodec } from '../../../src/edits/text-work.js';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import { defaultsOf, NO_RULES_OF_THE_HOST, UNATTENDED_SERVERS } from '../../../src/headless/open-host.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { createNodePorts } from '../../../src/node/host/node-ports.js';
import { createRipgrepSearch } from '../../../src/node/search/ripgrep.js';
import { systemClock } from '../../../src/node/system-clock.js';
import { atomicWrite } from '../../../src/session/atomic-write.js';
import { createSessions } from '../../../src/session/create-sessions.js';
import type { Symbols } from '../../../src/domain/workspace/code-intelligence.js';
import type { SessionStore } from '../../../src/domain/session/session-store.js';

const { rgPath } = createRequire(import.meta.url)('@vscode/ripgrep') as { readonly rgPath: string };
/** The grammars that commands are read with. */
const GRAMMARS = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));

/** Where a host works, and what the user has set. */
export interface NodeHostPlace {
  /** Absolute paths of the workspace folder, and of the folder for what is kept. */
  readonly folder: string;
  readonly storage: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Whether the folder is a repository in which it is found out what commands change. */
  readonly git?: true;
  readonly startedWith?: StartConfiguration;
  /** Whether the user trusts the folder; one that is not trusted is only read, as in Restricted Mode. Default: true. */
  readonly trusted?: boolean;
  /** What language servers know. Default: nothing. */
  readonly symbols?: Symbols;
  /** Milliseconds that decisions have for what Git lists. Default: as in a window. */
  readonly decisionGitMs?: number;
  /** Answers in the place of a user. Default: nobody does. */
  readonly dialogs?: Partial<Dialogs>;
}

/** A host in a process that has no window, with its sessions on the disk. */
export interface NodeHost {
  readonly host: AgentHost;
  /** Absolute path of the folder for what is kept. */
  readonly storage: string;
  readonly store: SessionStore;
  /** The changes that are neither kept nor undone. */
  readonly ledger: Ledger;
  /** The files as they were before what sessions changed. */
  readonly checkpoints: Checkpoints;
  /** Starts a session of the user's own, with the model of the settings. @param ground what it works on. Default: the folder of the host */
  start(wish?: Partial<SessionStart>, ground?: Ground): Promise<AgentSession>;
  /** What sessions work on that have a folder of their own; to be disposed when they are closed. @param path absolute */
  groundIn(path: string): Ground;
  /** Opens one that is stored. */
  reopen(id: string): Promise<AgentSession>;
  close(): Promise<void>;
}

/** A host from the ports of Node alone. */
export async function nodeHost({
  folder,
  storage,
  settings = {},
  log,
  git,
  startedWith,
  trusted = true,
  symbols = NO_SYMBOLS,
  decisionGitMs,
  dialogs,
}: NodeHostPlace): Promise<NodeHost> {
  const packageJSON: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  const files = createNodeFileLayer();
  const blobs = { files, save: (path: string, bytes: Uint8Array) => atomicWrite({ files, log, pid: process.pid }, path, [bytes]) };
  const changed = createDiskFiles();
  const checkpoints = new Checkpoints({ ...blobs, log, folder: join(storage, 'checkpoints'), removeFolder: (path) => rmdir(path) });
  const ledger = new Ledger({ store: new LedgerStore(join(storage, 'review'), blobs, log), files: changed, codec: textCodec });
  const never = (): (() => void) => () => undefined;
  const nodePorts = createNodePorts({
    folders: [folder],
    trusted,
    storage,
    settings,
    defaults: defaultsOf(packageJSON),
    log,
    lock: createWriteLock(join(storage, 'locks'), log),
  });
  const ports: AgentHostPorts = {
    ...nodePorts,
    ...present({ decisionGitMs }),
    dialogs: { ...nodePorts.dialogs, ...dialogs },
    ...(startedWith === undefined ? {} : { startedWith }),
    log,
    clock: systemClock,
    keys: new Set(),
    storage: { workspace: storage, global: storage },
    manifest: { packageJSON },
    grammars: GRAMMARS,
    workspace: {
      documents: createDiskDocuments(),
      search: (guard) => createRipgrepSearch(() => Promise.resolve(rgPath), guard),
      diagnostics: { current: () => [], settled: () => Promise.resolve() },
      symbols,
      changes: createChangeRecorder({ checkpoints, ledger, files: changed, log, ...(git === true ? { commands: createGitWatcher(changed, log) } : {}) }),
      reviewed: ledger,
      watchNewFiles: () => ({ dispose: () => undefined }),
      open: () => [],
      onDidReturn: never,
    },
    rules: NO_RULES_OF_THE_HOST,
    models: { warn: (problem) => log.warn(problem) },
    servers: { ...UNATTENDED_SERVERS, inProcess: { entries: [], connect: () => undefined, onDidChange: never } },
    offered: { all: [] },
    review: () => Promise.resolve(),
  };
  const host = await createAgentHost(ports);
  const { store } = createSessions({ folder: join(storage, 'sessions'), files, clock: systemClock, log });
  const { factory, fileSettings } = host;
  const begin = async (open: SessionStart['open'], wish: Partial<SessionStart> = {}, ground = host.ground): Promise<AgentSession> => {
    const [instructions, chosen] = await Promise.all([factory.instructions(ground), host.models.choose(open.meta.model)]);
    return factory.open({ ...chosen, open, instructions, mode: fileSettings.permissionMode(), questions: NOBODY, ...wish }, ground);
  };
  return {
    host,
    storage,
    store,
    ledger,
    checkpoints,
    start: async (wish, ground = host.ground) => begin(await store.create(factory.systemPrompt(await factory.instructions(ground), ground)), wish, ground),
    groundIn: (path) => host.groundIn(() => [{ name: basename(path), path }]),
    reopen: async (id) => begin(await store.open(id)),
    close: () => host.close(),
  };
}

const NO_SYMBOLS: Symbols = {
  definitions: () => Promise.resolve([]),
  references: () => Promise.resolve([]),
  search: () => Promise.resolve([]),
  outline: () => Promise.resolve([]),
};

/** Nobody answers questions. */
const NOBODY: Questions = { ask: () => Promise.resolve({ type: 'dismissed' }) };
