import { join, sep } from 'node:path';
import type { McpConfigFile, McpFileFormat } from '../../domain/mcp/config.js';
import { readConfigurationFile } from '../files/configuration-file.js';
import { type LinkGuards, type ReachedBase, reachedBases } from '../config/bases.js';

/** Bytes of a configuration file. */
const MAX_BYTES = 1024 * 1024;
/** Claude Code keeps all that it remembers in this one file, so that it can be large. */
const MAX_CLAUDE_BYTES = 8 * MAX_BYTES;

/** A place where servers can be configured. */
interface ConfigPlace {
  readonly format: McpFileFormat;
  /** Names from the workspace folder or the home folder on. */
  readonly names: readonly string[];
  readonly maxBytes: number;
}

/**
 * Files of a workspace folder, in the order in which they are read.
 *
 * - `.mcp.json`: code.claude.com/docs/en/mcp, "Project scope"; VS Code's documentation of it is on the page of the next.
 * - `.vscode/mcp.json`: code.visualstudio.com/docs/agents/reference/mcp-configuration.
 * - `.cursor/mcp.json`: cursor.com/docs/mcp, "Configuration locations".
 */
const WORKSPACE_PLACES: readonly ConfigPlace[] = [
  { format: 'claude', names: ['.mcp.json'], maxBytes: MAX_BYTES },
  { format: 'vscode', names: ['.vscode', 'mcp.json'], maxBytes: MAX_BYTES },
  { format: 'cursor', names: ['.cursor', 'mcp.json'], maxBytes: MAX_BYTES },
];

/**
 * Files of the user; the same pages, "User scope" and "Local scope" of the first. The last is that of Copilot CLI: docs.github.com, "GitHub
 * Copilot CLI configuration directory"; its fields are those of Claude Code, with `local` for `stdio`.
 */
const USER_PLACES: readonly ConfigPlace[] = [
  { format: 'claude', names: ['.claude.json'], maxBytes: MAX_CLAUDE_BYTES },
  { format: 'cursor', names: ['.cursor', 'mcp.json'], maxBytes: MAX_BYTES },
  { format: 'claude', names: ['.copilot', 'mcp-config.json'], maxBytes: MAX_BYTES },
];
/** Some of these files can have keys in them, and are kept back elsewhere. A link between two of them is a link between two lists of servers. */
const ENDINGS: readonly string[] = [...WORKSPACE_PLACES, ...USER_PLACES].map(({ names }) => join(sep, ...names));

/** Every path at which a configuration file is looked for, to be watched for changes. */
export function configPaths(folders: readonly string[], home: string): readonly string[] {
  return placesIn(folders, home).map(({ path }) => path);
}

/**
 * Reads the configuration files that there are: nothing is started or believed because of that. Files of a workspace must lie
 * in it; a link that leads out, or to a secret file, is reported and not followed. Files of the user may be links, as they are for those who keep
 * them in a repository.
 */
export async function readConfigFiles({ folders, home, guards }: ServerPlaces, signal: AbortSignal): Promise<readonly McpConfigFile[]> {
  // The file in which Claude Code keeps all that it remembers is the user’s alone, also where their home folder is open.
  const bases = [...(await reachedBases({ folders }, guards)), { path: home, origin: {}, reach: { mayShow: guards.ofUser } }];
  const found = await Promise.all(placesIn(folders, home).map(async (place) => readPlace(place, bases, signal)));
  return found.flatMap((file) => file ?? []);
}

/** Where files for servers are looked for. */
export interface ServerPlaces {
  /** Absolute paths of the open workspace folders; none where the workspace is not trusted. */
  readonly folders: readonly string[];
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly guards: LinkGuards;
}

/** A place with its path. */
interface PlacedConfig extends ConfigPlace {
  readonly path: string;
  readonly display: string;
  /** The workspace folder; absent for files of the user. */
  readonly folder?: string;
}

function placesIn(folders: readonly string[], home: string): readonly PlacedConfig[] {
  const ofFolders = folders.flatMap((folder) =>
    WORKSPACE_PLACES.map((place) => ({ ...place, path: join(folder, ...place.names), display: place.names.join('/'), folder })),
  );
  const ofUser = USER_PLACES.map((place) => ({ ...place, path: join(home, ...place.names), display: `~/${place.names.join('/')}` }));
  const paths = new Set(ofFolders.map(({ path }) => path));
  // With the home folder open, a file that is in it is one of the workspace: others could have put it there.
  return [...ofFolders, ...ofUser.filter(({ path }) => !paths.has(path))];
}

/** What a file is looked for in, and what links in it may lead to. */
type RootedReach = Pick<ReachedBase, 'path' | 'reach'> & { readonly origin: { readonly folder?: string } };

async function readPlace(place: PlacedConfig, bases: readonly RootedReach[], signal: AbortSignal): Promise<McpConfigFile | undefined> {
  const { format, path, display, folder, maxBytes } = place;
  const source = { scope: folder === undefined ? ('user' as const) : ('workspace' as const), format, file: path, ...(folder === undefined ? {} : { folder }) };
  const base = bases.find(({ origin }) => origin.folder === folder);
  if (base === undefined) return undefined;
  const { within, mayShow } = base.reach;
  const reach = { ...(within === undefined ? {} : { within }), mayShow: (real: string) => mayShow(real) || ENDINGS.some((ending) => real.endsWith(ending)) };
  const found = await readConfigurationFile({ path, maxBytes, root: base.path, reach }, signal);
  return found === undefined ? undefined : { source, display, ...found };
}
