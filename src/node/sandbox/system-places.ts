import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isWithin } from '../files/within.js';

/** Folders with programs and what these load, on Linux. */
const LINUX_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store', '/run/current-system', '/gnu/store'];

/** What programs read of the settings of a Linux machine. Not all of `/etc`, which also contains keys and passwords. */
const LINUX_SETTINGS = [
  'alternatives',
  'ca-certificates',
  'debian_version',
  'gitattributes',
  'gitconfig',
  'group',
  'host.conf',
  'hostname',
  'hosts',
  'inputrc',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'locale.conf',
  'localtime',
  'lsb-release',
  'magic',
  'magic.mime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust',
  'pki/tls/certs',
  'protocols',
  'services',
  'shells',
  'ssl/certs',
  'static',
  'terminfo',
  'timezone',
].map((name) => `/etc/${name}`);

/** The same on macOS, where `/usr/local` and `/opt/homebrew` are Homebrew's. */
const MAC_FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/System',
  '/opt',
  '/Library/Apple',
  '/Library/Developer/CommandLineTools',
  '/Library/Frameworks',
  '/Applications/Xcode.app',
  '/private/etc/passwd',
  '/private/etc/group',
  '/private/etc/hosts',
  '/private/etc/localtime',
  '/private/etc/shells',
  '/private/etc/ssl',
  '/private/var/db/timezone',
  '/private/var/select',
];

/** What a program needs of a machine to run, by platform. Not all of it is on every machine. */
export function systemPlaces(platform: 'linux' | 'darwin'): readonly string[] {
  return platform === 'darwin' ? MAC_FOLDERS : [...LINUX_FOLDERS, ...LINUX_SETTINGS];
}

/** What a machine is made of, beside its programs. What contains one of these is no project, and a search of it for secrets takes long. */
const SYSTEM = [
  ...['/etc', '/usr', '/bin', '/lib', '/opt', '/var', '/proc', '/sys', '/dev', '/run', '/boot', '/root', '/home'],
  ...['/System', '/Library', '/Applications', '/private', '/Users'],
];

/** Those of some folders, as they are named, that contain the system or the home directory. */
export async function foldersWithSystem(folders: readonly string[], home: string): Promise<readonly string[]> {
  const own = await realpath(home).catch(() => home);
  const found = await Promise.all(folders.map(async (folder) => ({ folder, real: await realpath(folder).catch(() => folder) })));
  return found.flatMap(({ folder, real }) => ([...SYSTEM, own].some((place) => isWithin(real, place)) ? [folder] : []));
}

/**
 * Folders of the search path that lie outside the system, such as those of version managers in the home directory. Of one
 * like `~/.nvm/versions/node/v20/bin`, the folder above is given, as its programs read what lies beside it.
 * @param searchPath the variable `PATH`.
 * @param home absolute path of the home directory, never given, nor what it lies in.
 */
export async function programPlaces(searchPath: string | undefined, system: readonly string[], home: string): Promise<readonly string[]> {
  const folders = [...new Set((searchPath ?? '').split(':'))].filter((folder) => isAbsolute(folder) && !isWithin(folder, home));
  const outside = folders.filter((folder) => !system.some((place) => isWithin(place, folder)));
  const found = await Promise.all(
    outside.map((folder) =>
      access(folder, constants.R_OK | constants.X_OK).then(
        () => [folder],
        () => [],
      ),
    ),
  );
  return Promise.all(found.flat().map((folder) => withLibraries(folder, home)));
}

/** A folder whose name begins with a dot also contains settings, and maybe keys: `~/.cargo`, `~/.local`. */
async function withLibraries(folder: string, home: string): Promise<string> {
  const above = dirname(folder);
  if (basename(folder) !== 'bin' || basename(above).startsWith('.') || isWithin(above, home)) return folder;
  const hasLibraries = await stat(join(above, 'lib')).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return hasLibraries ? above : folder;
}
