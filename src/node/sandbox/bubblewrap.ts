import { join } from 'node:path';
import { isWithin } from '../within.js';
import type { SandboxView } from './sandbox-view.js';

/** Bytes of the memory that a command can use as `/tmp`. */
const TEMPORARY_BYTES = 64 * 1024 * 1024;

/** What bubblewrap needs to know beside the view. */
export interface BubblewrapPlaces {
  /** A folder that holds `file` and `folder`, which nobody may read: they cover what is hidden. */
  readonly covers: string;
  /** Whether this bubblewrap knows options that came late: `--size` (0.7) and `--disable-userns` (0.8). */
  readonly knows: { readonly size: boolean; readonly disableUserns: boolean };
}

/** Names of what covers hidden files and folders. */
export const COVER = { file: 'file', folder: 'folder' } as const;

/**
 * Arguments for bubblewrap, before the program that it is to run: an empty machine with the readable places in it, read-only, no
 * network, no other processes, no capabilities, and nothing that outlives the command. Options: bwrap(1).
 */
export function bubblewrapArguments(view: SandboxView, { covers, knows }: BubblewrapPlaces): readonly string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
    ...(knows.disableUserns ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    // Programs want to keep something for a while; it is memory of their own, and gone with them.
    ...(knows.size ? ['--size', String(TEMPORARY_BYTES)] : []),
    ...['--tmpfs', '/tmp'],
    ...outerFirst(view.readable).flatMap((path) => ['--ro-bind-try', path, path]),
    ...view.names.filter(({ path }) => !view.readable.some((place) => isWithin(place, path))).flatMap(({ path, real }) => ['--symlink', real, path]),
    // Over what was bound: a workspace may hold these.
    ...['--proc', '/proc', '--dev', '/dev'],
    ...view.hidden.flatMap(({ path, folder }) => ['--ro-bind', join(covers, folder ? COVER.folder : COVER.file), path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', view.cwd, '--'],
  ];
}

/** What is bound later lies over what was bound before. */
function outerFirst(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort((one, other) => one.length - other.length);
}
