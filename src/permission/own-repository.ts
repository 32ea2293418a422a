import { dirname, join } from 'node:path';
import type { CommandAnalysis, SimpleCommand } from '../domain/command-analysis.js';
import type { FileStat } from '../domain/documents.js';
import type { Workspace } from '../domain/workspace.js';
import type { Surroundings } from './call.js';
import { namesBelow } from './path-pattern.js';
import { DOUBT } from './shell/doubts.js';

/**
 * Lets git read unasked only where it would find the repository of the workspace, not one that the files of the
 * workspace make: neither the folder it runs in nor any between that and the workspace folder may look like one.
 * @param cwd absolute path of the folder in which the line starts; git in other folders has a doubt already.
 */
export async function doubtStrangeRepository(analysis: CommandAnalysis, cwd: string, surroundings: Surroundings, signal: AbortSignal): Promise<CommandAnalysis> {
  const { commands } = analysis;
  if (!commands.some(isGit) || !(await findsStrange(cwd, surroundings, signal))) return analysis;
  const doubt = DOUBT.gitElsewhere;
  return { ...analysis, commands: commands.map((command) => (isGit(command) ? { ...command, doubts: [...new Set([...command.doubts, doubt])] } : command)) };
}

function isGit({ words: [name] }: SimpleCommand): boolean {
  return name === 'git' || name?.endsWith('/git') === true;
}

async function findsStrange(cwd: string, { workspace, documents }: Surroundings, signal: AbortSignal): Promise<boolean> {
  if (documents === undefined) return false;
  const typeOf: TypeOf = async (path) => (await documents.stat(path, signal))?.type;
  try {
    const [real, roots] = await Promise.all([realPath(cwd, workspace), Promise.all(workspace.folders().map(({ path }) => realPath(path, workspace)))]);
    // Of nested workspace folders the outer one: Git goes on upwards in it.
    const [root] = roots.filter((each) => namesBelow(each, real) !== undefined).sort((one, other) => one.length - other.length);
    if (root === undefined) return true;
    for (let folder = real; ; folder = dirname(folder)) {
      if (!roots.includes(folder) && (await typeOf(join(folder, '.git'))) !== undefined) return true;
      if (await looksLikeRepository(folder, typeOf)) return true;
      if (folder === root) return false;
    }
  } catch {
    signal.throwIfAborted();
    // What cannot be looked at may be one.
    return true;
  }
}

/** The type of what is at a path, links followed; `undefined` when nothing is. */
type TypeOf = (path: string) => Promise<FileStat['type'] | undefined>;

/**
 * Git lets the settings of a repository run programs, and takes any folder for one that holds HEAD, objects and refs
 * (setup.c, `is_git_directory`): files that anybody can commit, or that an edit rule lets a model write. Fewer of them
 * count here: HEAD can be a link that leads nowhere, and `commondir` names another folder with the rest.
 */
async function looksLikeRepository(folder: string, typeOf: TypeOf): Promise<boolean> {
  const [head, common, objects, refs] = await Promise.all(['HEAD', 'commondir', 'objects', 'refs'].map((name) => typeOf(join(folder, name))));
  return head === 'file' || common !== undefined || (objects !== undefined && refs !== undefined);
}

async function realPath(path: string, workspace: Workspace): Promise<string> {
  return (await workspace.locate(path)).real;
}
