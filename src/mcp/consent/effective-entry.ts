import { present } from '../../domain/present.js';
import type { McpConfig, McpEntry } from '../../domain/mcp/config.js';
import type { UsedFolder } from '../../domain/workspace/binding.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { canonicalHash } from '../config/canonical-json.js';
import { quoted, usedFileLine, usedFolderLine } from '../../text/approved-text.js';
import { keyPath } from '../../text/key-path.js';
import { looksSecret } from '../config/secret-words.js';
import type { DecidingVariable, LookedAt } from './looked-at.js';

/** The parts of what is approved. */
export const ENTRY_PARTS = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', 'oauth', 'options', 'variables', 'files', 'bound'] as const;
/** One of {@link ENTRY_PARTS}. */
export type EntryPart = (typeof ENTRY_PARTS)[number];

/** Key of a stored approval: where the entry is, and its workspace folder, if that makes a difference. */
export interface ConsentKey {
  readonly file: string;
  readonly name: string;
  readonly folder?: string;
}

/** All that decides what a server does, as far as it can be known before it runs. */
export interface EffectiveEntry {
  readonly key: ConsentKey;
  /** The key that earlier versions would have used. */
  readonly earlierKey: ConsentKey;
  /** SHA-256 in hex of all parts. */
  readonly hash: string;
  /** The hash that earlier versions would have made, which knew the part `bound` not yet. */
  readonly earlierHash: string;
  /** SHA-256 in hex of each part, so that what has changed can be named. */
  readonly parts: Readonly<Record<EntryPart, string>>;
  /** All of it for people: a line for each value, without invisible characters and without credentials. */
  readonly text: string;
  /** The files in the workspace whose contents are approved along with it. */
  readonly files: readonly UsedFile[];
  /** The folders of which all is approved along with it. */
  readonly folders: readonly UsedFolder[];
}

/** Marks a value that is not shown. Its fingerprint shows whether it is still the same. */
const MASK = '•••';
/** A variable without a default, at most behind the name of a scheme such as `Bearer`. */
const VARIABLE_ALONE = /^(?:\w+ )?\$\{(?:(?:env|input):)?[\w.-]+\}$/;
/** Hex digits of a fingerprint: enough to see a change, too few to guess the value. */
const MASK_DIGITS = 6;

/**
 * Computes the content that an approval of an entry is bound to: the entry as it is written, with defaults in place of what is left out; the values
 * of the variables of the environment that decide what runs; the contents of the files in the workspace that the command line
 * names, and of the file with variables. Of variables in `env` and `headers`, only the names count. Places such as
 * `${workspaceFolder}` count by their names, too: which folder is open is the user’s doing.
 */
export function effectiveEntry(entry: McpEntry, seen: LookedAt): EffectiveEntry {
  const values = partsOf(entry, seen);
  const parts = Object.fromEntries(ENTRY_PARTS.map((part) => [part, canonicalHash(values[part])])) as Record<EntryPart, string>;
  const earlierParts = Object.fromEntries(Object.entries(parts).filter(([part]) => part !== 'bound'));
  // An entry of the user runs other scripts in another workspace, which is no change of the one that was approved.
  const { files, added = [], folders = [] } = seen;
  return {
    key: keyOf(entry, files.length + folders.length > 0 ? seen.folder : undefined),
    earlierKey: keyOf(entry, files.length > added.length ? seen.folder : undefined),
    hash: canonicalHash(parts),
    earlierHash: canonicalHash(earlierParts),
    parts,
    text: textOf(entry, seen),
    files,
    folders,
  };
}

function keyOf({ name, source }: McpEntry, used: string | undefined): ConsentKey {
  const folder = source.folder ?? used;
  return { file: source.file, name, ...present({ folder }) };
}

function partsOf(
  { config, timeoutMs, alwaysLoad, source }: McpEntry,
  { files, added = [], folders = [], steering = [], envFile, variables }: LookedAt,
): Readonly<Record<EntryPart, unknown>> {
  const process = config.type === 'stdio' ? config : undefined;
  const remote = config.type === 'http' || config.type === 'sse' ? config : undefined;
  return {
    // The same text has other variables in another format.
    type: [config.type, source.format],
    command: config.type === 'sdk' ? config.name : (process?.command ?? null),
    args: process?.args ?? [],
    cwd: process?.cwd ?? null,
    env: process?.env ?? {},
    envFile: process?.envFile === undefined ? null : [process.envFile, envFile ?? null],
    url: remote?.url ?? null,
    headers: remote?.headers ?? {},
    oauth: remote?.oauth ?? null,
    options: { timeoutMs: timeoutMs ?? null, alwaysLoad: alwaysLoad ?? false },
    variables: variables.map(({ name, value }) => [name, value ?? null]),
    files: files.filter((file) => !added.includes(file)).sort((a, b) => (a.path < b.path ? -1 : 1)),
    bound: [[...added].sort((a, b) => (a.path < b.path ? -1 : 1)), folders, steering.map(({ name, value }) => [name, value ?? null])],
  };
}

function textOf({ config, timeoutMs, alwaysLoad }: McpEntry, { files, folders = [], steering = [], envFile, variables }: LookedAt): string {
  const lines = [
    `type: ${config.type}`,
    ...configLines(config),
    ...(timeoutMs === undefined ? [] : [`timeout: ${timeoutMs}`]),
    ...(alwaysLoad === undefined ? [] : ['alwaysLoad: true']),
    ...(envFile === undefined ? [] : [usedFileLine('envFile', envFile)]),
    ...new Set([...variables, ...steering].map(variableLine)),
    ...[...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map((file) => usedFileLine('file', file)),
    ...folders.map(usedFolderLine),
  ];
  return lines.join('\n');
}

function configLines(config: McpConfig): readonly string[] {
  switch (config.type) {
    case 'stdio':
      return [
        `command: ${quoted(config.command)}`,
        ...config.args.map((arg, index) => `${keyPath(['args', index])}: ${quoted(arg)}`),
        ...(config.cwd === undefined ? [] : [`cwd: ${quoted(config.cwd)}`]),
        ...recordLines('env', config.env),
        ...(config.envFile === undefined ? [] : [`envFile: ${quoted(config.envFile)}`]),
      ];
    case 'http':
    case 'sse': {
      const { clientId, clientSecret, scopes } = config.oauth ?? {};
      return [
        `url: ${quoted(config.url)}`,
        ...recordLines('headers', config.headers),
        ...(clientId === undefined ? [] : [`oauth.clientId: ${quoted(clientId)}`]),
        ...(clientSecret === undefined ? [] : [`oauth.clientSecret: ${shown('clientSecret', clientSecret)}`]),
        ...(scopes === undefined ? [] : [`oauth.scopes: ${quoted(scopes.join(' '))}`]),
      ];
    }
    case 'sdk':
      return [`name: ${quoted(config.name)}`];
  }
}

function recordLines(key: string, record: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(record)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${keyPath([key, name])}: ${shown(name, value)}`);
}

/** A value, unless it looks like a credential. One that consists of a variable alone is shown: it says where the credential is. */
function shown(name: string, value: string): string {
  return looksSecret(name, value) && !VARIABLE_ALONE.test(value) ? masked(value) : quoted(value);
}

function variableLine({ name, value, plain }: DecidingVariable): string {
  const key = `\${${escapeHidden(name)}}`;
  if (value === undefined) return `${key}: (not set)`;
  return `${key}: ${plain ? quoted(value) : masked(value)}`;
}

function masked(value: string): string {
  return `${MASK} #${canonicalHash(value).slice(0, MASK_DIGITS)}`;
}
