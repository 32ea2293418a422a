import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigurationFile } from '../files/configuration-file.js';
import { type BaseFolder, type BasePlaces, foldersOf, type LinkGuards, originIn, reachedBases } from './bases.js';
import type { Place } from './place-table.js';
import { eachOf, readWalked, type WalkedFile, walkFiles } from './walk-files.js';

/** Bytes of a file. */
const MAX_BYTES = 1024 * 1024;

/**
 * Where a file is, whose form it has, and what it says, or why that is not known. One that stands for a folder says what keeps files in it from
 * being read.
 */
export type FoundFile<Form> = { readonly origin: ConfigOrigin; readonly form: Form } & ConfigurationFile;

/** Where Markdown files are looked for. */
export interface MarkdownPlaces extends BasePlaces {
  readonly guards: LinkGuards;
}

/**
 * Reads the Markdown files that there are in folders of the user and of the workspace, those of the user first; each once. Nothing is believed
 * because of that. Rejects only when stopped.
 */
export async function readMarkdownFiles<Form>(places: MarkdownPlaces, all: readonly Place<Form>[], signal: AbortSignal): Promise<readonly FoundFile<Form>[]> {
  const folders = foldersOf(reachedBases(places, places.guards), all);
  const walked = await Promise.all(folders.map(async (each) => ({ ...each, walk: await walkFiles(each.folder, { name: isMarkdown }, signal) })));
  const problems = walked.flatMap(({ folder, place: { form }, walk }) =>
    walk.problems.map(({ parts, message }): FoundFile<Form> => ({ origin: originIn(folder, parts), form, problem: message })),
  );
  const files = eachOnce(walked.flatMap(({ folder, place: { form }, walk }) => walk.files.map((file) => ({ folder, form, file }))));
  const read = async ({ folder, form, file }: Located<Form>): Promise<readonly FoundFile<Form>[]> => {
    const found = await readWalked(file, MAX_BYTES, signal);
    return found === undefined ? [] : [{ origin: originIn(folder, file.parts), form, ...found }];
  };
  return [...(await eachOf(files, read, signal)), ...problems];
}

interface Located<Form> {
  readonly folder: BaseFolder;
  readonly form: Form;
  readonly file: WalkedFile;
}

/** A file that several paths lead to counts at one of them; in the workspace, where one is there: others could have put it there. */
function eachOnce<Form>(all: readonly Located<Form>[]): readonly Located<Form>[] {
  const isOfUser = ({ folder }: Located<Form>): boolean => folder.origin.layer === 'user';
  const first = new Map<string, Located<Form>>();
  for (const each of [...all.filter((one) => !isOfUser(one)), ...all.filter(isOfUser)]) {
    if (each.file.refusal === undefined && !first.has(each.file.real)) first.set(each.file.real, each);
  }
  return all.filter((each) => each.file.refusal !== undefined || first.get(each.file.real) === each);
}

function isMarkdown(name: string): boolean {
  return name.toLowerCase().endsWith('.md');
}
