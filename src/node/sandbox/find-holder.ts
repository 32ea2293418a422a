import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { SandboxState } from '../../domain/workspace/sandbox.js';
import { defaultShell } from '../process/shell.js';
import type { StandIn } from './guarded-places.js';
import { type Overlay, Overlays } from './overlays.js';
import { runTrial, TriedPrograms } from './run-trial.js';
import type { SandboxView, Network } from './sandbox-view.js';
import { systemPlaces } from './system-places.js';
import { isWithin, withFoldersAbove } from '../files/within.js';

/** Where bubblewrap is. Not looked up in PATH, which may name world-writable folders. */
const BUBBLEWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap', '/home/linuxbrew/.linuxbrew/bin/bwrap'];
const SEATBELT = '/usr/bin/sandbox-exec';
/** How long bubblewrap may take to say what it knows, in milliseconds. */
const HELP_MS = 10_000;
/** What a trial ends with when the sandbox held. */
const HELD = 42;

/** What each bubblewrap knows, and which programs have made a sandbox that held. */
const KNOWN = new TriedPrograms<BubblewrapPlaces['knows']>();
const HOLDING = new TriedPrograms<void>();

/** A view of nothing at all. */
const NOTHING_SEEN: SandboxView = {
  ...{ cwd: '/', readable: [], hidden: [], replaced: [], names: [], writable: [], overlays: [] },
  ...{ guarded: { pinned: [], fixed: [], absent: [] }, network: { kind: 'none' } },
};

/** What a sandbox of this machine is looked for with. */
export interface HolderOptions {
  /** Absolute path of a folder for what covers hidden files. */
  readonly storage: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  /** Paths where bubblewrap may be; the usual ones unless given. */
  readonly bubblewrap?: readonly string[];
}

/** Why there is no sandbox. */
export type Missing = Extract<SandboxState, { available: false }>;

/** A program that makes sandboxes, as found on this machine. */
export interface Holder {
  readonly by: string;
  /** Makes places for what is missing in a workspace; left out where none are needed. */
  readonly overlays?: Overlays;
  /** A program and its arguments, before the command that it is to run. */
  commandFor(view: SandboxView): readonly [string, ...string[]];
  /** The same for a command that can do all that it can without it, but change what is in these folders. Their paths are absolute, with links resolved. */
  closing(folders: readonly string[], cwd: string): readonly [string, ...string[]];
}

/** Which of the systems with sandboxes this is. */
export function platformOf({ platform = process.platform }: Pick<HolderOptions, 'platform'>): 'linux' | 'darwin' {
  return platform === 'darwin' ? 'darwin' : 'linux';
}

/** Finds what makes sandboxes on this machine, and tries it out. */
export async function findHolder(options: HolderOptions): Promise<Holder | Missing> {
  const { platform = process.platform } = options;
  if (platform === 'win32')
    return { available: false, reason: t('The command sandbox is not available on Windows.'), advice: t('Open the folder in WSL to use a sandbox.') };
  if (platform !== 'linux' && platform !== 'darwin') return { available: false, reason: t('The command sandbox is not available on this operating system.') };
  try {
    const holder = platform === 'darwin' ? seatbelt() : await bubblewrap(options);
    if (holder === undefined)
      return {
        available: false,
        reason: t('bubblewrap is not installed.'),
        advice: t('Install the “bubblewrap” package. On Debian and Ubuntu: sudo apt install bubblewrap'),
      };
    await HOLDING.of(holder.commandFor(NOTHING_SEEN)[0], () => tryOut(holder, options));
    return holder;
  } catch (error) {
    return {
      available: false,
      reason: t('A sandbox cannot be created on this machine: {0}.', firstLine(errorMessage(error)).replace(/\.$/, '')),
      advice: t('Containers and hardened systems must allow unprivileged user namespaces.'),
    };
  }
}

function seatbelt(): Holder {
  const open = '(version 1)\n(allow default)\n';
  return {
    by: 'Seatbelt',
    commandFor: (view) => [SEATBELT, '-p', seatbeltProfile(view)],
    closing: (folders) => [SEATBELT, '-p', `${open}${rule('deny file-write*', foldersOf(folders)).join('')}\n`],
  };
}

async function bubblewrap({ storage, bubblewrap: candidates = BUBBLEWRAP }: HolderOptions): Promise<Holder | undefined> {
  const programs = await Promise.all(
    candidates.map((path) =>
      access(path, constants.X_OK).then(
        () => [path],
        () => [],
      ),
    ),
  );
  const [program] = programs.flat();
  if (program === undefined) return undefined;
  const knows = await KNOWN.of(program, () => knownBy(program));
  const places: BubblewrapPlaces = { covers: await makeCovers(join(storage, 'covers')), knows };
  const overlays = new Overlays(join(storage, 'overlays'), program);
  const commandFor = (view: SandboxView): readonly [string, ...string[]] => {
    const inner = [program, ...bubblewrapArguments(view, places)] as const;
    return view.overlays.length === 0 ? inner : overlays.around(view.overlays, inner);
  };
  const closing: Holder['closing'] = (folders, cwd) => [
    ...([program, '--dev-bind', '/', '/'] as const),
    ...folders.flatMap((path) => ['--ro-bind', path, path]),
    ...OPENERS.flatMap((capability) => ['--cap-drop', capability]),
    ...['--chdir', cwd, '--'],
  ];
  return { by: 'bubblewrap', commandFor, closing, overlays };
}

async function knownBy(program: string): Promise<BubblewrapPlaces['knows']> {
  const { stdout } = await promisify(execFile)(program, ['--help'], { timeout: HELP_MS });
  return { size: stdout.includes('--size '), disableUserns: stdout.includes('--disable-userns') };
}

/**
 * With these, root could write in a folder that is mounted read-only: mount it anew, go there by the root of a process outside or by a handle, or write
 * to the disk itself. Source: capabilities(7).
 */
const OPENERS = ['CAP_SYS_ADMIN', 'CAP_SYS_PTRACE', 'CAP_DAC_READ_SEARCH', 'CAP_MKNOD', 'CAP_SYS_RAWIO', 'CAP_SYS_MODULE'] as const;

/** Creates unreadable covers, so that a program gets an error for what they hide instead of seeing it empty. */
async function makeCovers(folder: string): Promise<string> {
  await mkdir(join(folder, COVER.folder), { recursive: true });
  await writeFile(join(folder, COVER.file), '', { flag: 'a' });
  await chmod(join(folder, COVER.folder), 0o000);
  await chmod(join(folder, COVER.file), 0o000);
  return realpath(folder);
}

/**
 * Tests a sandbox: runs a command that tries to read a file outside of all readable places and to write one.
 * @throws Error when the sandbox cannot be created or lets the command through.
 */
async function tryOut(holder: Holder, options: HolderOptions): Promise<void> {
  const canary = join(options.storage, 'canary');
  await mkdir(options.storage, { recursive: true });
  await writeFile(canary, 'readable');
  try {
    const shell = await defaultShell();
    const view: SandboxView = { ...NOTHING_SEEN, readable: systemPlaces(platformOf(options)) };
    const kernel = platformOf(options) === 'linux' ? OPENS_NO_KERNEL : '';
    const script = `if read -r _ < "$0" || : > "$0" || : > /usr/gnomon-canary; then exit 1; fi 2>/dev/null; ${kernel}exit ${HELD}`;
    const [program, ...args] = [...holder.commandFor(view), shell.program, ...shell.argumentsFor(script), canary] as const;
    const { exitCode, stderr } = await runTrial(program, args, { PATH: options.env['PATH'] ?? '' });
    if (exitCode === 0) throw new Error('It holds nothing.');
    if (exitCode !== HELD) throw new Error(stderr === '' ? `${holder.by} ${exitCode === undefined ? 'did not end' : `ended with ${exitCode}`}` : stderr);
  } finally {
    await rm(canary, { force: true });
  }
}

/**
 * Whether a sandbox keeps a command from changing a folder, and from nothing else: found out by trying.
 * @throws Error when the trial did not come to its end
 */
export async function canClose(holder: Holder, options: HolderOptions): Promise<boolean> {
  const [open, closed] = [join(options.storage, 'open'), join(options.storage, 'closed')];
  await Promise.all([open, closed].map((folder) => mkdir(folder, { recursive: true })));
  const shell = await defaultShell();
  // By the root of a process outside, the folder would be as it is there.
  const script = `{ : > "$0/canary" || [ -w "/proc/${process.pid}/root$0" ]; } 2>/dev/null && exit 1; : > "$1/canary" || exit 2; exit ${HELD}`;
  const [program, ...args] = holder.closing([await realpath(closed)], '/');
  const { exitCode, stderr } = await runTrial(program, [...args, shell.program, ...shell.argumentsFor(script), closed, open], {
    PATH: options.env['PATH'] ?? '',
  });
  if (exitCode === undefined) throw new Error(`It could not be found out whether commands can be kept from the checkout. Run it again. ${stderr}`.trim());
  return exitCode === HELD;
}

/**
 * Ends with 1 when anything of the kernel’s can be opened for writing, as root could where it is not read-only. Nothing is written: each file
 * is opened to append, and closed again. `/proc/sys` has the settings of the whole machine; `core_pattern` there names a program that root
 * runs. Source: proc(5).
 */
const OPENS_NO_KERNEL =
  'shopt -s globstar nullglob; ' +
  'for file in /proc/sys/** /proc/sysrq-trigger /proc/{irq,bus,fs,acpi,scsi,driver,pressure}/** /sys/** /proc/self/{oom_score_adj,mem}; ' +
  'do [ -f "$file" ] && { : >> "$file"; } 2>/dev/null && exit 1; done; ';

function firstLine(text: string): string {
  return text.split('\n', 1).join('');
}

/** Bytes of the memory that a command can use as `/tmp`: one that reads, and one that works. */
const TEMPORARY_BYTES = { reading: 64 * 1024 * 1024, working: 2 * 1024 * 1024 * 1024 } as const;

/** What bubblewrap needs to know beside the view. */
interface BubblewrapPlaces {
  /** A folder with an unreadable `file` and `folder`, which are mounted over what is hidden. */
  readonly covers: string;
  /** Whether this bubblewrap knows options that came late: `--size` (0.7) and `--disable-userns` (0.8). */
  readonly knows: { readonly size: boolean; readonly disableUserns: boolean };
}

/** Names of what covers hidden files and folders. */
const COVER = { file: 'file', folder: 'folder' } as const;

/**
 * Arguments for bubblewrap, before the program that it is to run: an empty machine with the places of the view in it, without its
 * network unless all of it is wanted, no other processes, no capabilities, and nothing that outlives the command. Options: bwrap(1).
 */
function bubblewrapArguments(view: SandboxView, { covers, knows }: BubblewrapPlaces): readonly string[] {
  const readable = new Set(view.readable);
  return [
    // In an overlay the user is root, and none of that in the sandbox.
    ...(view.overlays.length > 0 ? ['--uid', String(process.getuid?.()), '--gid', String(process.getgid?.())] : []),
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(view.network.kind === 'all' ? [] : ['--unshare-net']),
    ...(knows.disableUserns ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    // Programs want to keep something for a while; it is memory of their own, and gone with them.
    ...(knows.size ? ['--size', String(view.writable.length > 0 ? TEMPORARY_BYTES.working : TEMPORARY_BYTES.reading)] : []),
    ...['--tmpfs', '/tmp'],
    ...placesOf(view).flatMap(({ path, bind }) => [bind, path, path]),
    ...view.guarded.absent.flatMap((absent) => standInFor(absent, view.overlays)),
    ...view.names.filter(({ path }) => !withFoldersAbove(path).some((folder) => readable.has(folder))).flatMap(({ path, real }) => ['--symlink', real, path]),
    // Over what was bound: a workspace may contain these. Most of /proc belongs to root, which a command can be, and is of the whole machine.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev'],
    ...view.hidden.flatMap(({ path, folder }) => ['--ro-bind', join(covers, folder ? COVER.folder : COVER.file), path]),
    ...view.replaced.flatMap(({ path, by }) => ['--ro-bind', by, path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', view.cwd, '--'],
  ];
}

/** A file is mounted over itself, read-only, so that it can be neither changed nor removed. A folder holds as it is. */
function standInFor({ path, text }: StandIn, overlays: readonly Overlay[]): readonly string[] {
  if (text === undefined) return [];
  return overlays.filter(({ folder }) => isWithin(folder, path)).flatMap(({ folder, standIns }) => ['--ro-bind', join(standIns, relative(folder, path)), path]);
}

interface Place {
  readonly path: string;
  readonly bind: '--bind-try' | '--ro-bind-try';
}

/** What is bound later lies over what was bound before: the outer places first, and what may not be changed last. */
function placesOf({ readable, writable, guarded, network, replaced }: SandboxView): readonly Place[] {
  const seen = new Set(replaced.map(({ path }) => path));
  const socket = network.kind === 'proxy' && typeof network.at === 'string' ? [network.at] : [];
  const open = new Map<string, Place>([...readable, ...socket].map((path) => [path, { path, bind: '--ro-bind-try' }]));
  for (const path of writable) open.set(path, { path, bind: '--bind-try' });
  const outerFirst = [...open.values()].sort((one, other) => one.path.length - other.path.length);
  const pinned = guarded.pinned.map((path): Place => ({ path, bind: '--bind-try' }));
  const places = [...outerFirst, ...pinned, ...guarded.fixed.map((path): Place => ({ path, bind: '--ro-bind-try' }))];
  // What a copy is mounted over needs no mount of its own: each one takes a while.
  return places.filter(({ path }) => !seen.has(path));
}

/** Where macOS has temporary files. */
const TEMPORARY = ['/private/tmp', '/private/var/folders'];

/**
 * The profile for `sandbox-exec` on macOS: all is denied but what a command needs to run and to read the readable places.
 * The language is that of the profiles in /System/Library/Sandbox/Profiles; of rules that fit, the last one counts.
 */
function seatbeltProfile({ readable, writable, guarded, hidden, replaced, network }: SandboxView): string {
  const changeable = writable.length === 0 ? [] : [...writable, ...TEMPORARY];
  // Nothing can stand in the place of a file here: one that has nothing to hide is shown as it is.
  const refused = replaced.flatMap(({ path, whole }) => (whole === true ? [] : [{ path, folder: false }]));
  const covered = [...hidden, ...refused].map(({ path, folder }) => `(${folder ? 'subpath' : 'literal'} ${quoted(path)})`);
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    // A path is followed one folder at a time, which needs to know of each what it is.
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom"))',
    ...rule('allow file-read*', foldersOf([...readable, ...changeable])),
    ...rule('allow file-write*', foldersOf(changeable)),
    // Names need nothing to be there.
    ...rule('deny file-write*', [...foldersOf([...guarded.fixed, ...guarded.absent.map(({ path }) => path)]), ...covered]),
    ...rule(
      'deny file-write-unlink',
      guarded.pinned.map((path) => `(literal ${quoted(path)})`),
    ),
    ...rule('deny file-read*', covered),
    ...networkRules(network),
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    '(allow file-ioctl (literal "/dev/null"))',
    '',
  ].join('\n');
}

/** Without one, all is denied. Names are looked up by a service of the system. */
function networkRules(network: Network): readonly string[] {
  if (network.kind === 'none') return [];
  if (network.kind === 'proxy') return typeof network.at === 'number' ? [`(allow network-outbound (remote ip "localhost:${network.at}"))`] : [];
  return [
    '(allow network*)',
    '(allow system-socket)',
    '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.trustd.agent"))',
    '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  ];
}

function foldersOf(paths: readonly string[]): readonly string[] {
  return paths.map((path) => `(subpath ${quoted(path)})`);
}

function rule(what: string, filters: readonly string[]): readonly string[] {
  return filters.length === 0 ? [] : [`(${what} ${filters.join(' ')})`];
}

/** A string of the language, which is Scheme's. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
