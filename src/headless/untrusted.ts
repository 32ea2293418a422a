import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentHost } from '../agent-host/agent-host.js';
import { type FileLayer, isFromRepository, isRead } from '../domain/config/origin.js';
import { INSTRUCTION_FILES, placesOf } from '../node/config/place-table.js';
import { count, showName } from '../text/show.js';

/** Names of files and servers that are listed. */
const MAX_NAMES = 5;

/**
 * What the folders of a host bring along and is not used, because nobody has said that they are trusted, and nobody has approved it.
 * @param layers the layers whose files are read; left out: all
 * @returns a sentence for the user; `undefined` where there is nothing of that kind
 */
export async function unusedOf(host: AgentHost, layers?: readonly FileLayer[]): Promise<string | undefined> {
  const { permissions, hooks, servers, agents, skills, styles, commandFiles, ground } = host;
  await Promise.all([permissions.book, servers.configurations, agents, styles, commandFiles].map((each) => each.ready()));
  const folders = ground.workspace.folders().map(({ path }) => path);
  const [instructions, listed, waiting, skillsLeft] = await Promise.all([
    instructionsIn(folders, layers),
    hooks.registered.list(),
    serversThatWait(host),
    skills.waiting(),
  ]);
  const hooksLeft = listed.filter(({ hook, standing }) => isFromRepository(hook.origin) && standing.state !== 'approved').length;
  const rules = permissions.book.listing().pending.reduce((sum, list) => sum + list.rules.length, 0);
  const parts = [
    ...(instructions.length === 0 ? [] : [`instructions (${named(instructions)})`]),
    ...(hooksLeft === 0 ? [] : [count(hooksLeft, 'hook')]),
    ...(waiting.length === 0 ? [] : [`${count(waiting.length, 'server')} (${named(waiting)})`]),
    ...(rules === 0 ? [] : [count(rules, 'allow rule')]),
    ...counted(skillsLeft, 'skill'),
    ...counted(
      commandFiles.all.filter(({ origin }) => isFromRepository(origin)),
      'command',
    ),
    ...counted(agents.waiting, 'agent'),
    ...counted(styles.waiting, 'output style'),
  ];
  return parts.length === 0 ? undefined : `This folder is not trusted, so this is not used: ${parts.join(', ')}. If you trust it, add --trust-project.`;
}

function counted(left: readonly unknown[], what: string): readonly string[] {
  return left.length === 0 ? [] : [count(left.length, what)];
}

async function instructionsIn(folders: readonly string[], layers: readonly FileLayer[] | undefined): Promise<readonly string[]> {
  const read = (['project', 'local'] as const).filter((layer) => isRead(layer, layers));
  const names = [...new Set(read.flatMap((layer) => placesOf(INSTRUCTION_FILES, layer).map(({ at }) => at)))];
  const found = await Promise.all(
    folders.flatMap((folder) =>
      names.map((name) =>
        stat(join(folder, name)).then(
          () => [name],
          () => [],
        ),
      ),
    ),
  );
  return [...new Set(found.flat())];
}

async function serversThatWait({ servers: { configurations, approvals } }: AgentHost): Promise<readonly string[]> {
  const ofWorkspace = configurations.current.servers.filter(({ entry }) => entry.source.scope === 'workspace');
  const judged = await Promise.all(ofWorkspace.map(async ({ entry }) => ((await approvals.judge(entry)).verdict === 'approved' ? [] : [entry.name])));
  return judged.flat();
}

function named(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ['…'] : [];
  return [...names.slice(0, MAX_NAMES).map(showName), ...more].join(', ');
}
