import { type ConfigOrigin, type FileLayer, isRead } from '../../domain/config/origin.js';
import type { GivenText } from '../../domain/host/start-configuration.js';
import { present } from '../../domain/present.js';
import { type ConfigurationFile, readConfigurationFile } from '../files/configuration-file.js';
import { t } from '../../domain/l10n.js';
import { changeStamp } from '../files/change-stamp.js';
import { type FileAt, filesAt, foldersOf, type LinkGuards, originIn, type ReachedBase, reachedBases, watchedFolders, type WatchedPlaces } from './bases.js';
import { HOOK_FOLDERS, LAYER_FILES, type LayerFileForm, type Place } from './place-table.js';
import { indexOf, isTracked } from './tracked-files.js';
import { readWalked, type WalkedFile, walkFiles } from './walk-files.js';

/** Bytes of a file. */
export const MAX_LAYER_BYTES = 1024 * 1024;

/** A file of a layer of configuration that there is. `notice` is what the user should know of its layer, a sentence. */
export type LayerFile = { readonly origin: ConfigOrigin; readonly form: LayerFileForm; readonly notice?: string } & ConfigurationFile;

/** Where the files of the layers of configuration are looked for, on this machine. */
export interface LayerPlaces {
  /** Absolute paths of the open workspace folders. */
  readonly folders: readonly string[];
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The layers whose files are read; absent: all. */
  readonly layers?: readonly FileLayer[];
  /** Settings that the user has given in starting the program. */
  readonly given?: GivenText;
}

/** The same, with what links may lead to. Rules are in these files, so that no rule decides about them. */
export interface GuardedPlaces extends LayerPlaces {
  readonly guards: LinkGuards;
}

/** The file with which organizations set up machines. */
const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/Gnomon/managed-settings.json',
  win32: 'C:\\Program Files\\Gnomon\\managed-settings.json',
};
const MANAGED_ELSEWHERE = '/etc/gnomon/managed-settings.json';

/** Reads the files of all layers that there are, in the order in which their hooks are registered. Nothing is started or believed because of that. */
export async function readLayerFiles(places: GuardedPlaces, signal: AbortSignal): Promise<readonly LayerFile[]> {
  // What links may lead to depends on the folder that a file is in, also where no other layer of that is read.
  const bases = reachedBases({ folders: places.folders, home: places.home }, places.guards);
  const fixed = fixedPlaces(places).map(async ({ origin, place: { form } }): Promise<readonly LayerFile[]> => {
    const { path: root, reach } = baseOf(origin, bases) ?? { path: origin.file, reach: { mayShow: places.guards.ofUser } };
    const file = await readConfigurationFile({ path: origin.file, maxBytes: MAX_LAYER_BYTES, root, reach }, signal);
    if (file === undefined) return [];
    const ranked = { ...(await rankOf(origin)), form };
    return isRead(ranked.origin.layer, places.layers) ? [{ ...ranked, ...file }] : [];
  });
  const listed = (await copilotPlaces(listedBases(places), signal)).map(async ({ origin, file }): Promise<readonly LayerFile[]> => {
    const found = await readWalked(file, MAX_LAYER_BYTES, signal);
    return found === undefined ? [] : [{ origin, form: 'copilot', ...found }];
  });
  const [ofOrganization = [], ...others] = await Promise.all([...fixed, ...listed]);
  return [...ofOrganization, ...givenFile(places), ...others.flat()];
}

/** The settings of the command line as a file of their own layer. */
function givenFile({ given }: LayerPlaces): readonly LayerFile[] {
  if (given === undefined) return [];
  const { file, display, text } = given;
  return [{ origin: { layer: 'flag', file, display }, form: 'settings', text }];
}

function listedBases({ folders, home, layers, guards }: GuardedPlaces): readonly ReachedBase[] {
  return reachedBases({ folders, home, ...present({ layers }) }, guards);
}

/** Base folder of a file; `undefined` for that of an organization, whose links are trusted. */
function baseOf({ layer, folder }: ConfigOrigin, bases: readonly ReachedBase[]): ReachedBase | undefined {
  return layer === 'managed' ? undefined : bases.find(({ origin }) => origin.folder === folder);
}

/** A local file that Git tracks comes with the repository: it is not the user's alone. */
async function rankOf(origin: ConfigOrigin): Promise<Pick<LayerFile, 'origin' | 'notice'>> {
  if (origin.layer !== 'local' || !(await isTracked(origin.file))) return { origin };
  return {
    origin: { ...origin, layer: 'project' },
    notice: t('Git tracks this file, so it counts as one of this workspace and not as yours alone. Run git rm --cached to keep it for yourself.'),
  };
}

/**
 * Stamp of the files that {@link readLayerFiles} reads, which changes when they do: change times of files and of the
 * folders in which any file counts. Reads no file, so that it can be asked for before every decision.
 */
export async function layerStamp(places: GuardedPlaces): Promise<string> {
  const listed = await copilotPlaces(listedBases(places), new AbortController().signal);
  const stamps = await Promise.all([...fixedPlaces(places), ...listed].map(async ({ origin }) => stampOf(origin)));
  return [...stamps, ...listed.map(({ file: { refusal = '' } }) => refusal)].join('\n');
}

/** For a local file, also whether what Git tracks may have changed: Git is asked only then. */
async function stampOf({ file, layer }: ConfigOrigin): Promise<string> {
  const stamp = await changeStamp(file);
  const index = layer === 'local' && stamp.found ? await indexOf(file) : undefined;
  return index === undefined ? stamp.text : `${stamp.text} ${(await changeStamp(index)).text}`;
}

/** Every path at which a file is looked for, and the folders in which any file of a name is one; to be watched for changes. */
export function layerPaths(places: LayerPlaces): WatchedPlaces {
  return {
    files: fixedPlaces(places).map(({ origin }) => origin.file),
    folders: watchedFolders({ folders: places.folders, home: places.home, ...present({ layers: places.layers }) }, HOOK_FOLDERS, '*.json'),
  };
}

function fixedPlaces({ platform, ...places }: LayerPlaces): readonly FileAt<Place<LayerFileForm>>[] {
  const managed = MANAGED[platform] ?? MANAGED_ELSEWHERE;
  const ofOrganization = { origin: { layer: 'managed', file: managed, display: managed }, place: { at: managed, of: ['managed'], form: 'settings' } } as const;
  return [ofOrganization, ...filesAt(places, LAYER_FILES)];
}

/** A file with hooks of Copilot, or what keeps such files from being found. */
interface ListedFile {
  readonly origin: ConfigOrigin;
  readonly file: Pick<WalkedFile, 'real' | 'refusal'>;
}

/** Those of the user come first. */
async function copilotPlaces(bases: readonly ReachedBase[], signal: AbortSignal): Promise<readonly ListedFile[]> {
  const lists = foldersOf(bases, HOOK_FOLDERS).map(async ({ folder }): Promise<readonly ListedFile[]> => {
    const { files, problems } = await walkFiles(folder, { name: (name) => name.toLowerCase().endsWith('.json'), flat: true }, signal);
    const refused = problems.map(({ parts, message }) => ({ origin: originIn(folder, parts), file: { real: folder.path, refusal: message } }));
    return [...files.map((file) => ({ origin: originIn(folder, file.parts), file })), ...refused];
  });
  return (await Promise.all(lists)).flat();
}
