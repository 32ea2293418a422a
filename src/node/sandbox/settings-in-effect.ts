import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findProgram } from '../process/find-program.js';

/** How long git may take, in milliseconds, and the most that it may answer, in bytes. */
const TIMEOUT_MS = 5_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
/** What of a file with settings decides more than the file itself says. */
const LEADS_ON = /hookspath|\[\s*include/i;

type Env = Readonly<Record<string, string | undefined>>;

/** Where the settings in effect in a repository lead: absolute paths. */
export interface LedTo {
  /** Files with settings that others include. */
  readonly files: readonly string[];
  /** Folders in which hooks are looked for, or were by settings that others replace. */
  readonly hooks: readonly string[];
}

/** Finds out where settings of Git lead, for several repositories; those of the user are read once. */
export class SettingsInEffect {
  private ofUser: Promise<readonly Listed[]> | undefined;

  constructor(private readonly env: Env) {}

  /** @param repository absolute path of a folder of Git @throws Error where git does not answer */
  async in(repository: string): Promise<LedTo> {
    const listed = await (this.ofUser ??= this.list('/dev/null', '/'));
    const texts = await Promise.all(['config', 'config.worktree'].map((name) => readFile(join(repository, name), 'utf8').catch(() => '')));
    const place = dirname(repository);
    const isAsked = texts.some((text) => LEADS_ON.test(text)) || listed.some(({ key }) => key.startsWith('includeif.'));
    const all = isAsked ? await this.list(repository, place) : listed;
    const home = this.env['HOME'] ?? homedir();
    return {
      files: all.map(({ file }) => resolve(place, file)),
      hooks: all.flatMap(({ key, value }) => (key === 'core.hookspath' && value !== '' ? [resolve(place, value.replace(/^~(?=\/|$)/, home))] : [])),
    };
  }

  private async list(repository: string, folder: string): Promise<readonly Listed[]> {
    const program = await findProgram('git', this.env);
    if (program === undefined) return [];
    const env = {
      ...Object.fromEntries(Object.entries(this.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))),
      GIT_DIR: repository,
      LC_ALL: 'C',
    };
    const output = await new Promise<string>((done, failed) => {
      const options = { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, encoding: 'utf8' as const };
      execFile(program, ['config', '--list', '--includes', '--show-origin', '-z'], options, (error, stdout) => {
        if (error === null) done(stdout);
        // With settings that cannot be read, Git does nothing at all.
        else if (typeof error.code === 'number') done('');
        else failed(new Error(`git config failed: ${error.message}`));
      });
    });
    const parts = output.split('\0');
    return parts.flatMap((origin, index) => {
      if (index % 2 === 1 || !origin.startsWith('file:')) return [];
      const [key = '', ...value] = (parts[index + 1] ?? '').split('\n');
      return [{ file: origin.slice('file:'.length), key: key.toLowerCase(), value: value.join('\n') }];
    });
  }
}

/** One setting, with the file that has it, relative to the folder of the question. */
interface Listed {
  readonly file: string;
  readonly key: string;
  readonly value: string;
}
