import { join, sep } from 'node:path';
import type { McpConfigFile } from '../../domain/mcp/config.js';
import { readConfigurationFile } from '../files/configuration-file.js';
import { type LinkGuards, type ReachedBase, reachedBases } from '../config/bases.js';
import { placesOf, SERVER_FILES, type ServerPlace } from '../config/place-table.js';

/** Bytes of a configuration file. */
const MAX_BYTES = 1024 * 1024;
/** Some of these files can have keys in them, and are kept back elsewhere. A link between two of them is a link between two lists of servers. */
const ENDINGS: readonly string[] = SERVER_FILES.map(({ at }) => join(sep, at));

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
interface PlacedConfig extends ServerPlace {
  readonly path: string;
  readonly display: string;
  /** The workspace folder; absent for files of the user. */
  readonly folder?: string;
}

function placesIn(folders: readonly string[], home: string): readonly PlacedConfig[] {
  const ofFolders = folders.flatMap((folder) =>
    placesOf(SERVER_FILES, 'project').map((place) => ({ ...place, path: join(folder, place.at), display: place.at, folder })),
  );
  const ofUser = placesOf(SERVER_FILES, 'user').map((place) => ({ ...place, path: join(home, place.at), display: `~/${place.at}` }));
  const paths = new Set(ofFolders.map(({ path }) => path));
  // With the home folder open, a file that is in it is one of the workspace: others could have put it there.
  return [...ofFolders, ...ofUser.filter(({ path }) => !paths.has(path))];
}

/** What a file is looked for in, and what links in it may lead to. */
type RootedReach = Pick<ReachedBase, 'path' | 'reach'> & { readonly origin: { readonly folder?: string } };

async function readPlace(place: PlacedConfig, bases: readonly RootedReach[], signal: AbortSignal): Promise<McpConfigFile | undefined> {
  const { form: format, path, display, folder, maxBytes = MAX_BYTES } = place;
  const source = { scope: folder === undefined ? ('user' as const) : ('workspace' as const), format, file: path, ...(folder === undefined ? {} : { folder }) };
  const base = bases.find(({ origin }) => origin.folder === folder);
  if (base === undefined) return undefined;
  const { within, mayShow } = base.reach;
  const reach = { ...(within === undefined ? {} : { within }), mayShow: (real: string) => mayShow(real) || ENDINGS.some((ending) => real.endsWith(ending)) };
  const found = await readConfigurationFile({ path, maxBytes, root: base.path, reach }, signal);
  return found === undefined ? undefined : { source, display, ...found };
}
