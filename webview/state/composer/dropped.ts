import { formatNumber, t } from '../../../src/protocol/l10n.js';
import { MAX_PICTURE_BYTES, MAX_SCALED_BYTES } from '../../../src/protocol/limits.js';
import type { Panel } from '../connection/panel.svelte.js';
import { smallerPicture } from './smaller-picture.js';

/** Where VS Code puts the addresses of what is dragged, best first; what follows is of other programs. */
const ADDRESSES = ['application/vnd.code.uri-list', 'text/uri-list'];
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;
const MEGABYTE = 1024 * 1024;

/** Pictures and other files, taken from what was pasted or dropped. */
export interface TakenFiles {
  readonly pictures: readonly File[];
  /** Addresses of files that VS Code knows. */
  readonly uris: readonly string[];
  /** Message about what could not be taken; empty when all could. */
  readonly problem: string;
}

/** Whether something is dragged that could be attached. */
export function bringsFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || ADDRESSES.some((type) => types.includes(type));
}

/** What of a drop can be attached. */
export function takeDrop(data: DataTransfer): TakenFiles {
  const list = ADDRESSES.map((type) => data.getData(type)).find((text) => text !== '') ?? '';
  const uris = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return uris.length > 0 ? { pictures: [], uris, problem: '' } : takeFiles(data);
}

/** The pictures of the clipboard; nothing when it contains text, which is pasted as such. */
export function takePaste(data: DataTransfer): TakenFiles | undefined {
  return data.files.length === 0 || data.getData('text/plain') !== '' ? undefined : takeFiles(data);
}

function takeFiles({ files }: DataTransfer): TakenFiles {
  const all = [...files];
  const pictures = all.filter(({ type, size }) => PICTURE.test(type) && size <= MAX_SCALED_BYTES);
  const [large] = all.filter(({ type, size }) => PICTURE.test(type) && size > MAX_SCALED_BYTES);
  const others = all.some(({ type }) => !PICTURE.test(type));
  const problems = [
    ...(large === undefined ? [] : [tooLarge(large, MAX_SCALED_BYTES)]),
    ...(others ? [t('Only images (PNG, JPEG, GIF, WebP) can be added from outside VS Code. Use Attach for other files.')] : []),
  ];
  return { pictures, uris: [], problem: problems.join(' ') };
}

function tooLarge({ name, size }: File, limit: number): string {
  return t('{0} is {1} MB; images are limited to {2} MB.', name, formatNumber(size / MEGABYTE, 1), formatNumber(limit / MEGABYTE, 2));
}

/** Hands what was taken over to the host, smaller copies of large pictures, and says what could not be taken. */
export async function handOver({ pictures, uris, problem }: TakenFiles, { post, composer }: Pick<Panel, 'post' | 'composer'>): Promise<void> {
  composer.rejection = problem;
  if (uris.length > 0) post({ type: 'attach_files', uris });
  for (const picture of pictures) {
    // The host says of a picture that cannot be decoded what is wrong with it.
    const small = (await smallerPicture(picture)) ?? picture;
    if (small.size > MAX_PICTURE_BYTES) composer.rejection = tooLarge(picture, MAX_PICTURE_BYTES);
    else post({ type: 'attach_picture', name: picture.name, data: new Uint8Array(await small.arrayBuffer()) });
  }
}
