import { join } from 'node:path';
import { isWithin } from '../files/within.js';
import type { SandboxView } from './sandbox-view.js';

/** Bytes of the memory that a command can use as `/tmp`: one that reads, and one that works. */
const TEMPORARY_BYTES = { reading: 64 * 1024 * 1024, working: 2 * 1024 * 1024 * 1024 } as const;

/** What bubblewrap needs to know beside the view. */
export interface BubblewrapPlaces {
  /** A folder with an unreadable `file` and `folder`, which are mounted over what is hidden. */
  readonly covers: string;
  /** Whether this bubblewrap knows options that came late: `--size` (0.7) and `--disable-userns` (0.8). */
  readonly knows: { readonly size: boolean; readonly disableUserns: boolean };
}

/** Names of what covers hidden files and folders. */
export const COVER = { file: 'file', folder: 'folder' } as const;

/**
 * Arguments for bubblewrap, before the program that it is to run: an empty machine with the places of the view in it, without its
 * network unless all of it is wanted, no other processes, no capabilities, and nothing that outlives the command. Options: bwrap(1).
 */
export function bubblewrapArguments(view: SandboxView, { covers, knows }: BubblewrapPlaces): readonly string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(view.network.kind === 'all' ? [] : ['--unshare-net']),
    ...(knows.disableUserns ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    // Programs want to keep something for a while; it is memory of their own, and gone with them.
    ...(knows.size ? ['--size', String(view.writable.length > 0 ? TEMPORARY_BYTES.working : TEMPORARY_BYTES.reading)] : []),
    ...['--tmpfs', '/tmp'],
    ...placesOf(view).flatMap(({ path, bind }) => [bind, path, path]),
    ...view.names.filter(({ path }) => !view.readable.some((place) => isWithin(place, path))).flatMap(({ path, real }) => ['--symlink', real, path]),
    // Over what was bound: a workspace may contain these.
    ...['--proc', '/proc', '--dev', '/dev'],
    ...view.hidden.flatMap(({ path, folder }) => ['--ro-bind', join(covers, folder ? COVER.folder : COVER.file), path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', view.cwd, '--'],
  ];
}

interface Place {
  readonly path: string;
  readonly bind: '--bind-try' | '--ro-bind-try';
}

/** What is bound later lies over what was bound before: the outer places first, and what may not be changed last. */
function placesOf({ readable, writable, fixed, network }: SandboxView): readonly Place[] {
  const socket = network.kind === 'proxy' && typeof network.at === 'string' ? [network.at] : [];
  const open = new Map<string, Place>([...readable, ...socket].map((path) => [path, { path, bind: '--ro-bind-try' }]));
  for (const path of writable) open.set(path, { path, bind: '--bind-try' });
  const outerFirst = [...open.values()].sort((one, other) => one.path.length - other.path.length);
  return [...outerFirst, ...fixed.map((path): Place => ({ path, bind: '--ro-bind-try' }))];
}
