import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CommandOutcome } from '../../../../src/domain/workspace/processes.js';
import { createProcesses } from '../../../../src/node/process/processes.js';
import { type LocalSandbox, type SandboxOptions, createSandbox } from '../../../../src/node/sandbox/sandbox.js';
import { isSecret } from '../../../../src/permission/files/sensitive-paths.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Whether this machine has what makes a sandbox; the checks install it where they can install packages. */
export const HAS_BUBBLEWRAP = process.platform === 'linux' && existsSync('/usr/bin/bwrap');

/** A workspace with a home beside it, and a sandbox for its commands. */
export interface Rig {
  readonly sandbox: LocalSandbox;
  readonly base: string;
  readonly workspace: string;
  readonly home: string;
  /** With hosts it is a command that was allowed. */
  readonly run: (
    command: string,
    options?: { readonly cwd?: string; readonly timeoutMs?: number; readonly readable?: readonly string[]; readonly hosts?: readonly string[] },
  ) => Promise<CommandOutcome>;
  /** @param path from the base folder on. */
  readonly write: (path: string, text?: string) => string;
}

/** @param change replaces some of what the sandbox is made of. */
export function sandboxRig(change: Partial<SandboxOptions> = {}): Rig {
  const base = temporaryFolder();
  const [workspace, home, storage] = [join(base, 'work'), join(base, 'home'), join(base, 'storage')];
  for (const folder of [workspace, home]) mkdirSync(folder);
  const env = { ...process.env, ...change.env, HOME: home, SECRET_OF_THE_HOST: 'canary' };
  const rules = { key: '', mayRead: (path: string) => !isSecret(path.slice(base.length)) };
  const sandbox = createSandbox({ folders: () => [workspace], readable: [], rules: () => Promise.resolve(rules), storage, home, ...change, env });
  onTestFinished(() => sandbox.dispose());
  const processes = createProcesses({ logFolder: join(base, 'logs'), env, sandbox });
  return {
    sandbox,
    base,
    workspace,
    home,
    run: (command, { cwd = workspace, timeoutMs = 20_000, readable = [], hosts } = {}) =>
      processes.run(
        { command, cwd, timeoutMs, confined: { readable, ...(hosts === undefined ? {} : { work: { hosts } }) } },
        new AbortController().signal,
        () => undefined,
      ),
    write(path, text = 'canary\n') {
      const file = join(base, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}
