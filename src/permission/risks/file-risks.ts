import type { FileUse } from '../../domain/tool/command-analysis.js';
import { anyOf } from '../../text/any-of.js';
import { canonicalNames, powerOf } from '../files/sensitive-paths.js';
import type { Power } from '../files/special-files.js';
import { DOUBT } from '../shell/doubts.js';
import { type Line, readsSecret } from './flows.js';
import type { RiskKind } from './kinds.js';
import { type Part, TEMPORARY } from './part.js';

const DELETERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'srm', 'trash']);
/** Number of names beyond which a user would not read them all. */
const MANY = 20;

/** Risks of a command for files. */
export function fileRisks(part: Part, line: Line): readonly RiskKind[] {
  const deletes = DELETERS.has(part.name) ? deletions(part, line) : part.name === 'find' ? foundDeletions(part) : otherDeletions(part);
  // Writes of Git into its own folder are judged by its arguments.
  const changes = DELETERS.has(part.name)
    ? []
    : writesOf(part)
        .flatMap(({ path }) => line.remember(path, () => changesOf(path, part)))
        .filter((kind) => kind !== 'changesGit' || part.name !== 'git');
  return [...deletes, ...changes, ...(readsSecret(part) ? ['readsSecrets' as const] : [])];
}

function isRecursive(part: Part): boolean {
  return part.name === 'rm' && part.has({ letters: 'rR', long: ['recursive'] });
}

function deletions(part: Part, line: Line): readonly RiskKind[] {
  const recursive = isRecursive(part);
  const handed = part.command.doubts.includes(DOUBT.input);
  const many = recursive || handed || part.written.some(({ pattern }) => pattern !== undefined) || part.operands().length > MANY;
  // What is handed to it lies below the folders that the commands before it read.
  const found = handed ? (part.command.input ?? []).flatMap((command) => readBy(line.partOf(command))) : [];
  return [
    ...part.written.flatMap((use) => deletionOf(use, part, recursive)),
    ...(found.some((path) => part.isOutside(path)) ? ['deletesOutside' as const] : []),
    ...(many ? ['deletesMany' as const] : []),
  ];
}

function readBy({ command: { files = [] } }: Part): readonly string[] {
  return files.flatMap(({ kind, by, path }) => (kind === 'read' && by === 'operand' ? [path] : []));
}

function deletionOf({ path, pattern }: FileUse, part: Part, recursive: boolean): readonly RiskKind[] {
  // Of a pattern like `*` only what lies in the folder is deleted.
  const all = pattern === undefined || /^(?:\*+|\.\*|\.\[.*)$/.test(pattern);
  if (part.isOutside(path)) return ['deletesOutside'];
  if (!recursive || !all) return [];
  if (part.holdsWorkspace(path)) return ['deletesWorkspace'];
  return canonicalNames(path).at(-1) === '.git' ? ['deletesHistory'] : [];
}

/** `find` deletes below its folders, with `-delete` or by running another program. */
function foundDeletions(part: Part): readonly RiskKind[] {
  const { texts } = part;
  const runs = texts.some((text, index) => /^-(?:exec|execdir|ok|okdir)$/.test(text) && DELETERS.has(texts[index + 1]?.replace(/^.*\//, '') ?? ''));
  if (!runs && !texts.includes('-delete')) return [];
  const first = texts.findIndex((text) => /^[-(!,]/.test(text) && !/^-[HLP]$/.test(text));
  const roots = texts.slice(0, first).filter((text) => text !== '' && !text.startsWith('-'));
  return roots.flatMap((root) => part.pathsOf(root)).some((path) => part.isOutside(path)) ? ['deletesOutside', 'deletesMany'] : ['deletesMany'];
}

function otherDeletions(part: Part): readonly RiskKind[] {
  if (part.name === 'rsync') return part.texts.some((text) => text.startsWith('--del')) ? ['deletesMany'] : [];
  return ['rimraf', 'del-cli'].includes(part.name) ? ['deletesMany'] : [];
}

/** Files that a command writes. An archive that is unpacked or listed is only read. */
function writesOf(part: Part): readonly FileUse[] {
  const { name, texts, written } = part;
  const packs = /^-?\w*[cru]|^--(?:create|append|update)/.test(texts[0] ?? '');
  if (name !== 'unzip' && (name !== 'tar' || packs)) return written;
  const option = name === 'tar' ? /^(?:-C|--directory)$/ : /^-d$/;
  const targets = texts.flatMap((text, index) =>
    option.test(texts[index - 1] ?? '') ? part.pathsOf(text) : text.startsWith('--directory=') ? part.pathsOf(text.slice('--directory='.length)) : [],
  );
  return written.filter(({ path, by }) => by === 'redirection' || targets.includes(path));
}

const DISK = /^\/dev\/(?:r?disk\d|[shvx]d[a-z]|nvme\d|mmcblk\d|mapper\/|md\d|dm-\d|loop\d)/;
const SYSTEM = /^\/(?:etc|usr|bin|sbin|lib\w*|boot|sys|proc|root|var|System|Library|private\/(?:etc|var))(?:\/|$)/;
const LOGIN = new RegExp(
  `^(?:${anyOf(
    /\.bashrc|\.bash_(?:profile|login|logout|aliases)|\.profile/,
    /\.zshrc|\.zshenv|\.zprofile|\.zlogin|\.zlogout/,
    /\.kshrc|\.cshrc|\.tcshrc|\.login|\.logout/,
    /config\.fish|.*profile\.ps1/,
    /\.xprofile|\.xinitrc|\.xsession|\.pam_environment/,
  )})$`,
);
const LOGIN_PLACE = new RegExp(
  `\\/(?:${anyOf(
    /\.config\/(?:fish|autostart|environment\.d|zsh)|library\/launchagents/,
    /etc\/(?:profile|profile\.d|bash\.bashrc|bashrc|zshrc|zshenv|zprofile|zsh|environment|xdg\/autostart)/,
  )})\\/`,
);
const SCHEDULE = /\/(?:etc\/(?:cron[\w.]*|anacrontab)|var\/spool\/(?:cron|at))\//;
const STARTUP = /\/(?:\.config\/systemd|(?:etc|lib)\/systemd|library\/launchdaemons|etc\/(?:init\.d|rc\.local))\//;
const HOOKS = /\/(?:\.git(?:\/modules\/.*)?\/hooks|\.husky|\.githooks)\//;

/** Risk of changing a file, by the power of the file. */
const BY_POWER: Readonly<Record<Power, RiskKind>> = {
  git: 'changesGit',
  keys: 'changesKeys',
  start: 'changesPrograms',
  editor: 'changesPrograms',
  build: 'changesPrograms',
  source: 'changesPrograms',
  agent: 'changesPrograms',
};

function changesOf(path: string, part: Part): readonly RiskKind[] {
  if (DISK.test(path)) return ['overwritesDisk'];
  if (path.startsWith('/dev/') || TEMPORARY.includes(path)) return [];
  const names = canonicalNames(path);
  const joined = `/${names.join('/')}/`;
  const power = powerOf(part.nameIn(path));
  return [
    ...(LOGIN.test(names.at(-1) ?? '') || LOGIN_PLACE.test(joined) ? ['changesLogin' as const] : []),
    ...(STARTUP.test(joined) ? ['changesStartup' as const] : []),
    ...(SCHEDULE.test(joined) ? ['changesSchedule' as const] : []),
    ...(HOOKS.test(joined) ? ['changesHooks' as const] : []),
    ...(power === undefined ? [] : [BY_POWER[power]]),
    ...(part.isOutside(path) ? [SYSTEM.test(path) ? ('changesSystem' as const) : ('changesOutside' as const)] : []),
  ];
}
