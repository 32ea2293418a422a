import { dirname, resolve } from 'node:path';
import { decodeText } from '../../text/encoding.js';
import { filesLoadedBy } from '../../text/command-line/script-references.js';
import { readBytes } from './read-bytes.js';
import { type LookupPlace, type PlacedFile, usedFiles } from './used-files.js';
import { isWithin } from './within.js';
import { realPathOf } from './real-path.js';

/** Bytes of a script that is read for what it loads. */
const MAX_BYTES = 256 * 1024;
/** Scripts that are followed, one from another, and all of them. */
const MAX_DEPTH = 4;
const MAX_FILES = 50;
/** Contents of which it is remembered what they load. */
const MAX_KNOWN = 500;

type PlacedFiles = readonly PlacedFile[];

/** What scripts load, by the hashes of their contents: that is asked before each run. */
const known = new Map<string, readonly string[]>();

/**
 * The files that scripts load in turn from their own folders and those below. Scripts in a workspace folder itself are left out, as what lies
 * around them is the user's work, which changes all the time.
 * @param scripts those that are run
 * @param found all that is looked at anyway
 */
export async function loadedFiles(scripts: PlacedFiles, found: PlacedFiles, place: LookupPlace, signal: AbortSignal): Promise<PlacedFiles> {
  const roots = new Set(await Promise.all(place.folders.map(realPathOf)));
  const all = new Map(found.map((each) => [each.file.path, each]));
  const more: PlacedFile[] = [];
  let open = scripts;
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0 && more.length < MAX_FILES; depth += 1) {
    const paths = await Promise.all(open.map((script) => pathsFrom(script, roots, signal)));
    const next = await usedFiles([...new Set(paths.flat())], place, signal);
    open = next.filter(({ file }) => !all.has(file.path)).slice(0, MAX_FILES - more.length);
    for (const each of open) all.set(each.file.path, each);
    more.push(...open);
  }
  return more;
}

/** Absolute paths of what a script may load. */
async function pathsFrom({ file: { sha256 }, real }: PlacedFile, roots: ReadonlySet<string>, signal: AbortSignal): Promise<readonly string[]> {
  const folder = dirname(real);
  if (sha256 === undefined || roots.has(folder)) return [];
  const names = known.get(sha256) ?? (await namesIn(real, sha256, signal));
  const bases = [folder, ...roots];
  return names.flatMap((name) => bases.map((base) => resolve(base, name))).filter((path) => path !== real && isWithin(folder, path));
}

async function namesIn(real: string, sha256: string, signal: AbortSignal): Promise<readonly string[]> {
  const read = await readBytes(real, MAX_BYTES, signal).catch(() => {
    signal.throwIfAborted();
    // It is too large, or has just gone: that it may load others is said in any case.
    return undefined;
  });
  if (read === undefined || read.sha256 !== sha256) return [];
  const names = filesLoadedBy(decodeText(read.bytes)?.text ?? '');
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(sha256, names);
  return names;
}
