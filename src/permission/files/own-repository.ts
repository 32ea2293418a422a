import { dirname, join } from 'node:path';
import type { CommandAnalysis, SimpleCommand } from '../../domain/tool/command-analysis.js';
import type { FileStat } from '../../domain/workspace/documents.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { namesBelow } from '../rules/path-pattern.js';
import { DOUBT } from '../shell/doubts.js';
import type { Surroundings } from '../surroundings.js';

/**
 * Lets git read unasked only where it would find the repository of the workspace, not one that the files of the
 * workspace make: neither a folder it may run in nor any between that and the workspace folder may look like one.
 * @param cwd absolute path of the folder in which the line starts; git in folders that are not known has a doubt already.
 */
export async function doubtStrangeRepository(analysis: CommandAnalysis, cwd: string, surroundings: Surroundings, signal: AbortSignal): Promise<CommandAnalysis> {
  const folders = new Set(analysis.commands.filter(isGit).flatMap((command) => command.folders ?? [cwd]));
  const found = await Promise.all([...folders].map(async (folder) => ({ folder, strange: await findsStrange(folder, cwd, surroundings, signal) })));
  const strange = found.flatMap((one) => (one.strange ? [one.folder] : []));
  if (strange.length === 0) return analysis;
  const isStrange = (command: SimpleCommand): boolean => isGit(command) && (command.folders ?? [cwd]).some((folder) => strange.includes(folder));
  return { ...analysis, commands: analysis.commands.map((command) => (isStrange(command) ? { ...command, doubts: [...new Set([...command.doubts, DOUBT.gitElsewhere])] } : command)) };
}

function isGit({ words: [name] }: SimpleCommand): boolean {
  return name === 'git' || name?.endsWith('/git') === true;
}

async function findsStrange(folder: string, start: string, { workspace, documents }: Surroundings, signal: AbortSignal): Promise<boolean> {
  if (documents === undefined) return folder !== start;
  const typeOf: TypeOf = async (path) => (await documents.stat(path, signal))?.type;
  try {
    const [real, roots] = await Promise.all([realPath(folder, workspace), Promise.all(workspace.folders().map(({ path }) => realPath(path, workspace)))]);
    // Of nested workspace folders the outer one: Git continues upwards in it.
    const [root] = roots.filter((each) => namesBelow(each, real) !== undefined).sort((one, other) => one.length - other.length);
    if (root === undefined) return true;
    for (let place = real; ; place = dirname(place)) {
      if (!roots.includes(place) && (await typeOf(join(place, '.git'))) !== undefined) return true;
      if (await looksLikeRepository(place, typeOf)) return true;
      if (place === root) return false;
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
 * Git lets the settings of a repository run programs, and treats any folder with HEAD, objects and refs as a repository
 * (setup.c, `is_git_directory`): files that can be committed, or that an edit rule lets a model write. Fewer of them
 * count here: HEAD can be a link that leads nowhere, and `commondir` names another folder with the rest.
 */
async function looksLikeRepository(folder: string, typeOf: TypeOf): Promise<boolean> {
  const [head, common, objects, refs] = await Promise.all(['HEAD', 'commondir', 'objects', 'refs'].map((name) => typeOf(join(folder, name))));
  return head === 'file' || common !== undefined || (objects !== undefined && refs !== undefined);
}

async function realPath(path: string, workspace: Workspace): Promise<string> {
  return (await workspace.locate(path)).real;
}
