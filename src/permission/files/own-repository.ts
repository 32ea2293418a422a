import { dirname, join } from 'node:path';
import type { CommandAnalysis, SimpleCommand } from '../../domain/tool/command-analysis.js';
import type { FileStat } from '../../domain/workspace/documents.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { namesBelow } from '../rules/path-pattern.js';
import { DOUBT } from '../shell/doubts.js';
import { isNetworkAddress } from '../shell/git/remotes.js';
import type { Surroundings } from '../surroundings.js';

/**
 * Lets git read unasked only where it would find the repository of the workspace, not one that the files of the
 * workspace make: neither a folder it may run in nor any between that and the workspace folder may look like one.
 * @param cwd absolute path of the folder in which the line starts; git in folders that are not known has a doubt already.
 */
export async function doubtStrangeRepository(
  analysis: CommandAnalysis,
  cwd: string,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<CommandAnalysis> {
  const folders = new Set(analysis.commands.filter(isGit).flatMap((command) => command.folders ?? [cwd]));
  const found = await Promise.all([...folders].map(async (folder) => ({ folder, strange: await findsStrange(folder, cwd, surroundings, signal) })));
  const strange = found.flatMap((one) => (one.strange ? [one.folder] : []));
  if (strange.length === 0) return analysis;
  const isStrange = (command: SimpleCommand): boolean => isGit(command) && (command.folders ?? [cwd]).some((folder) => strange.includes(folder));
  return {
    ...analysis,
    commands: analysis.commands.map((command) =>
      isStrange(command) ? { ...command, doubts: [...new Set([...command.doubts, DOUBT.gitElsewhere])] } : command,
    ),
  };
}

/** The most of what Git says of its remotes that is looked at. */
const MAX_LINES = 2_000;

/**
 * Doubts what talks to a repository on this machine by the name of a remote: its hooks and settings can run programs, and ordinary files can
 * make one. A name that is no remote is a path to Git.
 */
export async function doubtLocalRemotes(analysis: CommandAnalysis, cwd: string, surroundings: Surroundings, signal: AbortSignal): Promise<CommandAnalysis> {
  if (surroundings.git === undefined || !analysis.commands.some(({ remotes = [] }) => remotes.length > 0)) return analysis;
  const commands = await Promise.all(
    analysis.commands.map(async (command) => {
      const places = (command.remotes ?? []).flatMap((name) => (command.folders ?? [cwd]).map((folder) => ({ name, folder })));
      const local = await Promise.all(places.map(({ name, folder }) => mayBeLocal(name, folder, surroundings, signal)));
      return local.includes(true) ? { ...command, doubts: [...new Set([...command.doubts, DOUBT.localRemote])] } : command;
    }),
  );
  return { ...analysis, commands };
}

async function mayBeLocal(name: string, folder: string, { git, workspace, documents }: Surroundings, signal: AbortSignal): Promise<boolean> {
  const remotes: { readonly name: string; readonly address: string }[] = [];
  const visit = (line: string): boolean => {
    const [, remote, address] = /^([^\t]+)\t(.*?) \((?:fetch|push)\)(?: \[.*\])?$/.exec(line) ?? [];
    if (remote !== undefined && address !== undefined) remotes.push({ name: remote, address });
    return remote !== undefined && remotes.length < MAX_LINES;
  };
  const result = await git?.list({ folder, args: ['remote', '-v'], timeoutMs: git.withinMs }, visit, signal);
  if (result === 'nothing') return false;
  if (result !== 'whole') return true;
  // Which one Git chooses depends on the branch.
  const meant = name === '' ? remotes : remotes.filter((remote) => remote.name === name);
  if (meant.some(({ address }) => !isNetworkAddress(address))) return true;
  // A name that is not among theirs may be a group of several (git-config(1), remotes.<group>).
  if (meant.length === 0 && remotes.some(({ address }) => !isNetworkAddress(address))) return true;
  if (name === '' || meant.length > 0 || documents === undefined) return false;
  const there = await Promise.all([name, `${name}.git`].map(async (path) => documents.stat((await workspace.locate(join(folder, path))).real, signal)));
  return there.some((stat) => stat !== undefined);
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
