import { dirname, join } from 'node:path';
import type { CommandAnalysis, SimpleCommand } from '../domain/command-analysis.js';
import type { Workspace } from '../domain/workspace.js';
import type { Surroundings } from './call.js';
import { namesBelow } from './path-pattern.js';
import { DOUBT } from './shell/doubts.js';

/**
 * Git lets the settings of a repository run programs, and takes any folder with these three for one (setup.c,
 * `is_git_directory`): files that anybody can commit, or that an edit rule lets a model write.
 */
const MARKS = ['HEAD', 'objects', 'refs'];

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
  const exists = async (path: string): Promise<boolean> => (await documents.stat(path, signal)) !== undefined;
  try {
    const [real, roots] = await Promise.all([realPath(cwd, workspace), Promise.all(workspace.folders().map(({ path }) => realPath(path, workspace)))]);
    const root = roots.find((each) => namesBelow(each, real) !== undefined);
    if (root === undefined) return true;
    for (let folder = real; ; folder = dirname(folder)) {
      if (folder !== root && (await exists(join(folder, '.git')))) return true;
      if ((await Promise.all(MARKS.map((name) => exists(join(folder, name))))).every(Boolean)) return true;
      if (folder === root) return false;
    }
  } catch {
    signal.throwIfAborted();
    // What cannot be looked at may be one.
    return true;
  }
}

async function realPath(path: string, workspace: Workspace): Promise<string> {
  return (await workspace.locate(path)).real;
}
