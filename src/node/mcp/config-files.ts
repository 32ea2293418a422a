import { type FileLayer, isRead } from '../../domain/config/origin.js';
import { present } from '../../domain/present.js';
import { join, sep } from 'node:path';
import type { McpConfigFile } from '../../domain/mcp/config.js';
import { readConfigurationFile } from '../files/configuration-file.js';
import { type FileAt, filesAt, type LinkGuards, projectFirst, type ReachedBase, reachedBases } from '../config/bases.js';
import { SERVER_FILES, type ServerPlace } from '../config/place-table.js';

/** Bytes of a configuration file. */
const MAX_BYTES = 1024 * 1024;
/** Some of these files can have keys in them, and are kept back elsewhere. A link between two of them is a link between two lists of servers. */
const ENDINGS: readonly string[] = SERVER_FILES.map(({ at }) => join(sep, at));

/** Every path at which a configuration file is looked for, to be watched for changes. */
export function configPaths(places: Omit<ServerPlaces, 'guards'>): readonly string[] {
  return placesIn(places).map(({ origin }) => origin.file);
}

/**
 * Reads the configuration files that there are: nothing is started or believed because of that. Files of a workspace must lie
 * in it; a link that leads out, or to a secret file, is reported and not followed. Files of the user may be links, as they are for those who keep
 * them in a repository.
 */
export async function readConfigFiles(places: ServerPlaces, signal: AbortSignal): Promise<readonly McpConfigFile[]> {
  const { folders, home, guards } = places;
  // The file in which Claude Code keeps all that it remembers is the user’s alone, also where their home folder is open.
  const bases = [...reachedBases({ folders }, guards), { path: home, origin: {}, reach: { mayShow: guards.ofUser } }];
  const found = await Promise.all(placesIn(places).map((place) => readPlace(place, bases, signal)));
  return found.flatMap((file) => file ?? []);
}

/** Where files for servers are looked for. */
export interface ServerPlaces {
  /** Absolute paths of the open workspace folders; none where the workspace is not trusted. */
  readonly folders: readonly string[];
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly guards: LinkGuards;
  /** The layers whose files are read; absent: all. */
  readonly layers?: readonly FileLayer[];
}

function placesIn({ folders, home, layers }: Omit<ServerPlaces, 'guards'>): readonly FileAt<ServerPlace>[] {
  const isWanted = ({ origin, place }: FileAt<ServerPlace>): boolean => isRead(origin.layer, layers) || (place.hasLocal === true && isRead('local', layers));
  return projectFirst(filesAt({ folders, home }, SERVER_FILES)).filter(isWanted);
}

/** What a file is looked for in, and what links in it may lead to. */
type RootedReach = Pick<ReachedBase, 'path' | 'reach'> & { readonly origin: { readonly folder?: string } };

async function readPlace({ origin, place }: FileAt<ServerPlace>, bases: readonly RootedReach[], signal: AbortSignal): Promise<McpConfigFile | undefined> {
  const { file, folder, display } = origin;
  const { form: format, maxBytes = MAX_BYTES } = place;
  const source = { scope: folder === undefined ? ('user' as const) : ('workspace' as const), format, file, ...present({ folder }) };
  const base = bases.find((each) => each.origin.folder === folder);
  if (base === undefined) return undefined;
  const { within, mayShow } = base.reach;
  const reach = { ...present({ within }), mayShow: async (real: string) => (await mayShow(real)) || ENDINGS.some((ending) => real.endsWith(ending)) };
  const found = await readConfigurationFile({ path: file, maxBytes, root: base.path, reach }, signal);
  return found === undefined ? undefined : { source, display, ...found };
}
