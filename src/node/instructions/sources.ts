import { lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { formatNumber, t } from '../../domain/l10n.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { folderIn, modesOfRoo } from '../config/bases.js';
import { FOREIGN } from '../config/surroundings.js';
import { walkFiles } from '../config/walk-files.js';
import type { LinkReach } from '../files/link-reach.js';
import { realPathOf } from '../files/real-path.js';
import type { Delivery, Format } from './read-rule.js';

/** A place where a file with instructions can be. */
export interface Source {
  readonly path: string;
  readonly format: Format;
  readonly of: 'user' | 'workspace';
  /** The folder that it is for: patterns are relative to it. */
  readonly folder: string;
  /** When the model gets it, where its place says so and not its text. */
  readonly delivery?: Delivery;
  /** Why it is not read; it may stand for several files then. */
  readonly refusal?: string;
}

/** Names in the order in which they apply: the later wins. The first in a folder of its own: code.claude.com/docs/en/memory. */
const SHARED = ['AGENTS.md', join('.claude', 'CLAUDE.md'), 'CLAUDE.md'];
const LOCAL = ['AGENTS.local.md', 'CLAUDE.local.md'];
/** Folders between the workspace folder and a file that are looked into, the outermost first. */
const MAX_FOLDERS = 32;
/** Files with rules that are looked at in one folder. */
const MAX_RULES = 100;

/** A folder of rules. */
interface RuleFolder {
  /** From the folder that they are for on. */
  readonly names: readonly string[];
  readonly ending: string;
  readonly format: Format;
  /** Folders right in it in which something else is. */
  readonly without?: readonly string[];
}

/**
 * Folders with rules, each in the order of the paths in it. The other files of these programs are `.github/copilot-instructions.md`,
 * `.cursorrules` (the older form), `.roorules` where there is no folder, and `.clinerules` where that is a file.
 *
 * - Claude Code: code.claude.com/docs/en/memory, "Organize rules with .claude/rules/".
 * - Copilot: docs.github.com, "Adding repository custom instructions for GitHub Copilot".
 * - Cursor: cursor.com/docs, "Rules".
 * - Cline: docs.cline.bot, "Cline Rules"; it leaves out what is in the folders of its workflows, hooks, and skills there.
 * - Roo Code: docs.roocode.com/features/custom-instructions, which also tells of text files.
 */
const RULES: readonly RuleFolder[] = [
  { names: ['.github', 'instructions'], ending: '.instructions.md', format: 'copilot' },
  { names: ['.cursor', 'rules'], ending: '.mdc', format: 'cursor' },
  { names: ['.cline', 'rules'], ending: '.md', format: 'cline' },
  { names: ['.clinerules'], ending: '.md', format: 'cline', without: ['workflows', 'hooks', 'skills'] },
  { names: ['.roo', 'rules'], ending: '', format: 'plain' },
];
/** Those of the user. Copilot: docs.github.com, "GitHub Copilot CLI configuration directory". */
const OWN_RULES: readonly RuleFolder[] = [
  { names: ['.copilot', 'instructions'], ending: '.instructions.md', format: 'copilot' },
  { names: ['.cursor', 'rules'], ending: '.mdc', format: 'cursor' },
  { names: ['.roo', 'rules'], ending: '', format: 'plain' },
];
/** Those of Claude Code, which count as its other files do. */
const OF_CLAUDE: RuleFolder = { names: ['.claude', 'rules'], ending: '.md', format: 'claude' };

/** Where and how sources are looked for. */
export interface Looking {
  /** What links may lead to. */
  readonly reach: LinkReach;
  readonly signal: AbortSignal;
}

/** Which files of the user count. */
export interface OwnChoice {
  /** Whether those for other tools do. */
  readonly others: boolean;
  /** What patterns are relative to. */
  readonly folder: string;
}

/** The user's own files, which apply in every workspace. */
export async function ownSources(home: string, { others, folder }: OwnChoice, looking: Looking): Promise<readonly Source[]> {
  const single = (...names: readonly string[]): Source => ({ path: join(home, ...names), format: 'plain', of: 'user', folder });
  const rules = await Promise.all((others ? [...OWN_RULES, OF_CLAUDE] : [OF_CLAUDE]).map((rule) => rulesIn(home, rule, looking)));
  const own = rules.flat().map((source): Source => ({ ...source, of: 'user', folder }));
  return [...(others ? [single('.copilot', 'copilot-instructions.md')] : []), ...own, single('.claude', 'CLAUDE.md'), single('.config', 'gnomon', 'AGENTS.md')];
}

/** Those of a workspace folder, or of one above it. @param others whether the files of other tools count */
export async function sourcesIn(folder: string, others: boolean, looking: Looking): Promise<readonly Source[]> {
  const single = (name: string): readonly Source[] => (others ? [sourceIn(folder, name, 'plain')] : []);
  const [rules, clineFile] = await Promise.all([ruleSources(folder, others, looking), others ? isFile(join(folder, '.clinerules')) : false]);
  const hasRulesOfRoo = rules.some(({ path }) => path.startsWith(join(folder, '.roo', 'rules', sep)));
  const instead = [...(clineFile ? single('.clinerules') : []), ...(hasRulesOfRoo ? [] : single('.roorules'))];
  return [...single(join('.github', 'copilot-instructions.md')), ...single('.cursorrules'), ...instead, ...rules, ...sharedIn(folder)];
}

/** Those of a workspace folder that are the user’s alone. */
export function localIn(folder: string): readonly Source[] {
  return LOCAL.map((name) => sourceIn(folder, name, 'plain'));
}

/** Those of a folder below a workspace folder. */
export function sharedIn(folder: string): readonly Source[] {
  return SHARED.map((name) => sourceIn(folder, name, 'plain'));
}

/** The rules of a folder. @param others whether those for other tools than Claude Code count */
export async function ruleSources(folder: string, others: boolean, looking: Looking): Promise<readonly Source[]> {
  const modes = others ? await modesOfRoo(folder, 'rules') : [];
  const found = await Promise.all([
    ...(others ? RULES : []).map((rules) => rulesIn(folder, rules, looking)),
    ...modes.map((mode) => rulesOfMode(folder, mode, looking)),
    rulesIn(folder, OF_CLAUDE, looking),
  ]);
  return found.flat();
}

/** They are for a mode that Gnomon does not have, so the model is only told of them. */
async function rulesOfMode(folder: string, mode: string, looking: Looking): Promise<readonly Source[]> {
  const found = await rulesIn(folder, { names: ['.roo', `rules-${mode}`], ending: '', format: 'plain' }, looking);
  return found.map((source) => ({ ...source, delivery: { when: 'asked', description: `what Roo Code keeps to in its mode “${mode}”` } }));
}

async function rulesIn(folder: string, { names, ending, format, without = [] }: RuleFolder, { reach, signal }: Looking): Promise<readonly Source[]> {
  const place = folderIn({ path: folder, prefix: '', origin: { layer: 'project' }, reach }, names);
  const { files, problems } = await walkFiles(place, { name: (name) => name.endsWith(ending) && !name.startsWith('.') }, signal);
  const wanted = files.filter(({ parts: [first = '', ...rest] }) => rest.length === 0 || !without.includes(first));
  const source = (parts: readonly string[], refusal?: string): Source => {
    const found = sourceIn(folder, join(...names, ...parts), format);
    return refusal === undefined ? found : { ...found, refusal };
  };
  const cut = wanted.length > MAX_RULES ? [source([], t('More than {0} files are in it. The others are not read.', formatNumber(MAX_RULES)))] : [];
  const refused = problems.filter(({ parts: [first = ''] }) => !without.includes(first)).map(({ parts, message }) => source(parts, message));
  return [...wanted.slice(0, MAX_RULES).map(({ parts, refusal }) => source(parts, refusal)), ...cut, ...refused];
}

function sourceIn(folder: string, name: string, format: Format): Source {
  return { path: join(folder, name), format, of: 'workspace', folder };
}

/** Whether there is something that is no folder. */
async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

/** A file in a workspace folder. */
export interface PlacedFile {
  /** The workspace folder. */
  readonly root: string;
  /** Names from there on. */
  readonly parts: readonly string[];
}

/** Where in the workspace a file is; `undefined` outside, and among the code of others. */
export async function placeOf(path: string, workspace: Workspace): Promise<PlacedFile | undefined> {
  const named = workspace.folders().map((folder) => folder.path);
  const roots = [...named, ...(await Promise.all(named.map((root) => realPathOf(root))))];
  const places = roots.map((root) => ({ root, parts: partsBelow(root, path) })).filter(({ parts }) => parts.length > 0);
  const [inner] = places.sort((a, b) => b.root.length - a.root.length);
  return inner === undefined || inner.parts.slice(0, -1).some((part) => FOREIGN.has(part)) ? undefined : inner;
}

/** The folders between a workspace folder and a file in it, outermost first. */
export function foldersTo({ root, parts }: PlacedFile): readonly string[] {
  const folders = parts.slice(0, Math.min(parts.length - 1, MAX_FOLDERS));
  return folders.map((_, index) => join(root, ...folders.slice(0, index + 1)));
}

function partsBelow(root: string, path: string): readonly string[] {
  const parts = relative(root, path).split(sep);
  return parts[0] === '' || parts[0] === '..' || /^[A-Za-z]:$/.test(parts[0] ?? '') ? [] : parts;
}
