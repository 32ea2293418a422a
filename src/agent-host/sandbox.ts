import * as os from 'node:os';
import { join } from 'node:path';
import type { Disposable } from '../domain/host/disposable.js';
import type { SandboxChoices, SandboxPort } from '../domain/workspace/sandbox.js';
import type { Workspace } from '../domain/workspace/workspace.js';
import type { Sandbox, SandboxOptions as NodeSandboxOptions } from '../node/sandbox/sandbox.js';

/** Options of the sandbox for some folders. */
export interface SandboxOptions {
  readonly workspace: Workspace;
  /** Read rules of a session: the files that its commands may read without approval. */
  readonly rules: NodeSandboxOptions['rules'];
  /** Absolute path of the storage of this workspace. */
  readonly storage: string;
  /** The user's sandbox settings, read again at each call. */
  readonly choices: () => SandboxChoices;
  /** Tells the sandbox which files come into being, and which of them the user or the editor makes. Absent: it searches for them. */
  readonly watch?: (told: Pick<Sandbox, 'noteChange' | 'noteOwn'>) => Disposable;
  /** Absolute paths of other folders that commands may read, such as that with the outputs of commands. */
  readonly readable: readonly string[];
}

/** The sandbox for the commands in some folders, loaded when the first one is judged. @param disposables takes what ends it */
export function createHostSandbox(options: SandboxOptions, disposables: Disposable[]): Sandbox & SandboxPort {
  let loaded: Promise<Sandbox> | undefined;
  const sandbox = (): Promise<Sandbox> => (loaded ??= load(options, disposables));
  return {
    choices: options.choices,
    state: async () => (await sandbox()).state(),
    around: async (shell, request, session) => (await sandbox()).around(shell, request, session),
    closing: async (shell, cwd, closed) => (await sandbox()).closing(shell, cwd, closed),
    after: async (shell) => (await sandbox()).after(shell),
    noteChange: (path) => void loaded?.then((made) => made.noteChange(path)),
    noteOwn: (path) => void loaded?.then((made) => made.noteOwn(path)),
  };
}

async function load({ workspace, rules, storage, watch, readable }: SandboxOptions, disposables: Disposable[]): Promise<Sandbox> {
  const { createSandbox } = await import('../node/sandbox/sandbox.js');
  const made = createSandbox({
    folders: () => workspace.folders().map(({ path }) => path),
    readable,
    rules,
    storage: join(storage, 'sandbox'),
    home: os.homedir(),
    env: process.env,
    ...(watch === undefined ? { unwatched: true } : {}),
  });
  disposables.push(made, ...(watch === undefined ? [] : [watch(made)]));
  return made;
}
