import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { present } from '../../domain/present.js';
import { together } from '../../domain/host/disposable.js';
import type { Folders } from '../../domain/host/folders.js';
import type { HostPorts, KeepWatching, WatchedFiles } from '../../domain/host/host-ports.js';
import type { SecretStorage } from '../../domain/host/secret-storage.js';
import type { Settings } from '../../domain/host/settings.js';
import type { Log } from '../../domain/log.js';
import type { WriteLock } from '../config/rewrite-file.js';
import { FolderWatches, type WatchedPlace } from '../files/folder-watches.js';
import { sha256 } from '../files/sha256.js';
import { createJsonMemory } from './json-memory.js';

/** Folders below each other that patterns with `**` are about. */
const MAX_DEPTH = 4;
/** Folders above a watched one that are watched for it: configuration lies two folders deep in a project or a home folder. */
const MAX_ABOVE = 3;

/** What a process without a window is started with. */
export interface NodeHostOptions {
  /** Absolute paths of the folders to work in. */
  readonly folders: readonly string[];
  /** Whether the user trusts what is in them. */
  readonly trusted: boolean;
  /** As `WorkspaceTrust` has it. */
  readonly worksUntrusted?: true;
  /** As {@link WorkspaceTrust.needsNoApproval} says. */
  readonly needsNoApproval?: true;
  /** Absolute path of the folder for what is kept of the user. */
  readonly storage: string;
  /** Values of settings by their whole names, such as `gnomon.maxTurns`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Default values of settings, by their full names. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Keeps other processes of this user from writing the same file at the same time. */
  readonly lock: WriteLock;
}

/**
 * Ports of a process without a window. There is no user to ask: dialogs are answered with nothing, which allows nothing, and
 * stands in the log. Settings, folders, and trust are what they were at the start. API keys come from the environment; other secrets last
 * as long as the process.
 */
export function createNodePorts({ folders, trusted, worksUntrusted, needsNoApproval, storage, settings, defaults, log, lock }: NodeHostOptions): HostPorts {
  return {
    folders: fixedFolders(folders),
    trust: { trusted: () => trusted, ...present({ worksUntrusted, needsNoApproval }), onDidGrant: () => () => undefined },
    keepWatching,
    // What is made meanwhile below the folders is found by the next process: watching whole workspaces costs more than looking again.
    watchEverywhere: () => ({ dispose: () => undefined }),
    settings: fixedSettings(settings, defaults),
    dialogs: {
      notify: (level, text) => {
        log[level === 'info' ? 'info' : 'warn'](text);
        return Promise.resolve(undefined);
      },
      modal: (text) => unanswered(text, log),
      beside: (question) => unanswered(question, log),
    },
    secrets: createMemorySecrets(),
    memory: {
      global: createJsonMemory(join(storage, 'memory.json'), { lock, log }),
      workspace: createJsonMemory(join(storage, 'workspaces', nameOf(folders)), { lock, log }),
    },
  };
}

function unanswered(question: string, log: Log): Promise<undefined> {
  log.warn(`Nobody could be asked: ${question}`);
  return Promise.resolve(undefined);
}

function fixedFolders(paths: readonly string[]): Folders {
  const local = paths.map((path) => ({ name: basename(path), path }));
  return {
    all: () => local.map((folder) => ({ ...folder, uri: pathToFileURL(folder.path).href })),
    local: () => local,
    paths: () => paths,
    onDidChange: () => () => undefined,
  };
}

function fixedSettings(values: NodeHostOptions['settings'], defaults: NodeHostOptions['defaults']): Settings {
  return {
    get: (name) => values[name] ?? defaults[name],
    inspect: (name) => ({ defaultValue: defaults[name], globalValue: values[name] }),
    onDidChange: () => () => undefined,
  };
}

/**
 * Milliseconds until files are watched: a start has better to do than to look at all their folders once more, and what changes until then is told when
 * they are watched.
 */
const WATCH_AFTER_MS = 500;

/** Watches the folders that files are in, and those of patterns, by the means of the system. */
const keepWatching: KeepWatching = (watched, changed, others) => {
  let now = watched();
  let watches: FolderWatches | undefined;
  const watch = (): void => {
    watches?.dispose();
    watches = new FolderWatches(placesOf(now), changed);
  };
  const later = setTimeout(watch, WATCH_AFTER_MS).unref();
  const stop = others?.(() => {
    const next = watched();
    if (JSON.stringify(next) !== JSON.stringify(now)) {
      now = next;
      if (watches !== undefined) watch();
    }
    changed();
  });
  const end = (): void => {
    clearTimeout(later);
    watches?.dispose();
  };
  return together({ dispose: end }, { dispose: () => stop?.() });
};

/**
 * What has to be watched for files and patterns. The folders above are watched for those below them: one that is removed and made again, or made later, is
 * another one.
 */
function placesOf({ files, folders = [] }: WatchedFiles): readonly WatchedPlace[] {
  const places = new Map<string, WatchedPlace>();
  for (const path of files) add(places, { folder: dirname(path), depth: 0, names: new Set([basename(path)]) });
  for (const { folder, pattern } of folders) add(places, { folder, depth: pattern.startsWith('**') ? MAX_DEPTH : 0 });
  for (const start of [...places.keys()]) {
    let below = start;
    for (let level = 0; level < MAX_ABOVE && dirname(below) !== below; level += 1) {
      add(places, { folder: dirname(below), depth: 0, names: new Set([basename(below)]) });
      below = dirname(below);
    }
  }
  return [...places.values()];
}

/** Adds a place, or widens the one of the same folder. */
function add(places: Map<string, WatchedPlace>, place: WatchedPlace): void {
  const { folder, depth, names } = place;
  const known = places.get(folder);
  if (known === undefined) places.set(folder, place);
  else {
    const both = known.names === undefined || names === undefined ? undefined : new Set([...known.names, ...names]);
    places.set(folder, { folder, depth: Math.max(known.depth, depth), ...present({ names: both }) });
  }
}

function createMemorySecrets(): SecretStorage {
  const values = new Map<string, string>();
  const listeners = new Set<(event: { readonly key: string }) => void>();
  const tell = (key: string): Promise<void> => {
    for (const listener of listeners) listener({ key });
    return Promise.resolve();
  };
  return {
    get: (key) => Promise.resolve(values.get(key)),
    store: (key, value) => {
      values.set(key, value);
      return tell(key);
    },
    delete: (key) => {
      values.delete(key);
      return tell(key);
    },
    keys: () => Promise.resolve([...values.keys()]),
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

/** A file name for some folders. */
function nameOf(folders: readonly string[]): string {
  return `${sha256(folders.join('\n')).slice(0, 32)}.json`;
}
