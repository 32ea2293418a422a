import { formatNumber, t } from '../../../src/protocol/l10n.js';
import { MAX_ATTACHED_TEXT, MAX_RAW_IMAGE_BYTES, MAX_SCALED_BYTES } from '../../../src/protocol/limits.js';
import type { Panel } from '../connection/panel.svelte.js';
import { smallerImage } from './smaller-image.js';

/** Where VS Code puts the addresses of what is dragged, best first; what follows is of other programs. */
const ADDRESSES = ['application/vnd.code.uri-list', 'text/uri-list'];
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;
const KILOBYTE = 1000;
const MEGABYTE = 1024 * 1024;

/** Images and other files, taken from what was pasted or dropped. */
export interface TakenFiles {
  readonly images: readonly File[];
  /** Files that may be text. */
  readonly texts: readonly File[];
  /** Addresses of files that VS Code knows. */
  readonly uris: readonly string[];
  /** Message about what could not be taken; empty when all could. */
  readonly problem: string;
}

/** Whether something is dragged that could be attached. */
export function bringsFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || ADDRESSES.some((type) => types.includes(type));
}

/** Files of a drop that can be attached. */
export function takeDrop(data: DataTransfer): TakenFiles {
  const list = ADDRESSES.map((type) => data.getData(type)).find((text) => text !== '') ?? '';
  const uris = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return uris.length > 0 ? { images: [], texts: [], uris, problem: '' } : takeFiles(data);
}

/** The files of the clipboard; nothing when it contains text, which is pasted as such. */
export function takePaste(data: DataTransfer): TakenFiles | undefined {
  return data.files.length === 0 || data.getData('text/plain') !== '' ? undefined : takeFiles(data);
}

function takeFiles({ files }: DataTransfer): TakenFiles {
  const all = [...files];
  const limitOf = ({ type }: File): number => (IMAGE.test(type) ? MAX_SCALED_BYTES : MAX_ATTACHED_TEXT);
  const taken = all.filter((file) => file.size <= limitOf(file));
  const problems = all.filter((file) => file.size > limitOf(file)).map((file) => tooLarge(file, limitOf(file)));
  return { images: taken.filter(({ type }) => IMAGE.test(type)), texts: taken.filter(({ type }) => !IMAGE.test(type)), uris: [], problem: problems.join(' ') };
}

function tooLarge({ name, size, type }: File, limit: number): string {
  if (!IMAGE.test(type))
    return t(
      '{0} is {1} KB; text files from outside VS Code are limited to {2} KB. Use Attach for larger ones.',
      name,
      formatNumber(size / KILOBYTE, 0),
      formatNumber(limit / KILOBYTE, 0),
    );
  return t('{0} is {1} MB; images are limited to {2} MB.', name, formatNumber(size / MEGABYTE, 1), formatNumber(limit / MEGABYTE, 2));
}

/** The text in a file; `undefined` when there is something else in it. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? undefined : text;
  } catch {
    // It is not UTF-8, or it is a folder.
    return undefined;
  }
}

/** Hands what was taken over to the host, smaller copies of large images, and says what could not be taken. */
export async function handOver(taken: TakenFiles, { post, composer }: Pick<Panel, 'post' | 'composer'>): Promise<void> {
  const problems = taken.problem === '' ? [] : [taken.problem];
  if (taken.uris.length > 0) post({ type: 'attach_files', uris: taken.uris });
  for (const file of taken.texts) {
    const text = await textOf(file);
    if (text === undefined) problems.push(t('{0} is neither text nor an image (PNG, JPEG, GIF, WebP). Use Attach to attach its path.', file.name));
    else post({ type: 'attach_text', name: file.name, text });
  }
  for (const image of taken.images) {
    // The host says of an image that cannot be decoded what is wrong with it.
    const small = (await smallerImage(image)) ?? image;
    if (small.size > MAX_RAW_IMAGE_BYTES) problems.push(tooLarge(image, MAX_RAW_IMAGE_BYTES));
    else post({ type: 'attach_image', name: image.name, data: new Uint8Array(await small.arrayBuffer()) });
  }
  composer.rejection = '';
  composer.hint = problems.join(' ');
}
