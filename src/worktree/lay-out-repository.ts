import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { anyOf } from '../text/any-of.js';
import { errorCode } from '../node/files/file-errors.js';
import { partsOf } from '../node/process/git-command.js';
import { inMain, type MainRepository } from './repository.js';

/** Settings of a repository that say how files are stored and compared, and who the user is. None of them names a program. Names: git-config(1). */
const TAKEN_OVER = String.raw`^(core\.(${anyOf(
  'filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol',
  'longpaths|protecthfs|protectntfs|excludesfile',
)})|user\.(name|email))$`;
/** Files of a repository that say what is ignored, how files are converted, and where its history ends. */
const COPIED = ['info/exclude', 'info/attributes', 'shallow'];

/** A setting with its value. */
type Setting = readonly [name: string, value: string];

/** What a repository is laid out with. */
export interface RepositoryLayout {
  /** What its file `HEAD` says: a commit, or the name of a branch. */
  readonly head: string;
  /** References, as `refs/heads/main`, and their commits. */
  readonly refs?: ReadonlyMap<string, string>;
  /** Absolute paths of folders with objects that it can read beside its own. */
  readonly alternates?: readonly string[];
  /** Text of its file `config`: see {@link configOf}. */
  readonly config: string;
}

/**
 * Makes a repository in the format of gitrepository-layout(5), with those settings of another that run nothing: no hooks, filters, remotes, or includes.
 * `git init` and `git clone` would take what templates and settings say with them.
 */
export async function layOutRepository(folder: string, { head, refs, alternates = [], config }: RepositoryLayout, main: MainRepository): Promise<void> {
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'config'), config);
  if (alternates.length > 0)
    await writeFile(join(folder, 'objects/info/alternates'), `${alternates.map((path) => (/^["#]|\n/.test(path) ? quoted(path) : path)).join('\n')}\n`);
  for (const [name, commit] of refs ?? []) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), `${commit}\n`);
  }
  for (const name of COPIED) await copyIfThere(join(main.commonFolder, name), join(folder, name));
  // With this file it is a repository.
  await writeFile(join(folder, 'HEAD'), `${head}\n`);
}

/** The settings of a repository that run nothing, as the text of a file. */
export async function configOf(main: MainRepository, signal: AbortSignal): Promise<string> {
  const { output } = await inMain(main, ['config', '--local', '-z', '--get-regexp', TAKEN_OVER], signal, [1]);
  const settings = partsOf(output).map((part): Setting => {
    const end = part.indexOf('\n');
    return end === -1 ? [part, 'true'] : [part.slice(0, end), part.slice(end + 1)];
  });
  return configText(main, settings);
}

function configText({ objectFormat }: MainRepository, settings: readonly Setting[]): string {
  const format: readonly Setting[] =
    objectFormat === 'sha256'
      ? [
          ['core.repositoryformatversion', '1'],
          ['extensions.objectformat', 'sha256'],
        ]
      : [['core.repositoryformatversion', '0']];
  const lines = [...format, ['core.bare', 'false'] as const, ...settings].map(([name, value]) => {
    const [section = '', key = ''] = name.split('.');
    return `[${section}]\n\t${key} = ${quoted(value)}\n`;
  });
  return lines.join('');
}

/** A value in quotes, as Git reads it in settings and lists of folders. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
