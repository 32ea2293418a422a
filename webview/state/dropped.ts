import { formatNumber, t } from '../../src/protocol/l10n.js';
import { MAX_PICTURE_BYTES } from '../../src/protocol/limits.js';
import type { PanelMessage } from '../../src/protocol/messages.js';

/** Where VS Code puts the addresses of what is dragged, best first; what follows is of other programs. */
const ADDRESSES = ['application/vnd.code.uri-list', 'text/uri-list'];
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;
const MEGABYTE = 1024 * 1024;

/** Pictures and other files, taken from what was pasted or dropped. */
export interface TakenFiles {
  readonly pictures: readonly File[];
  /** Addresses of files that VS Code knows. */
  readonly uris: readonly string[];
  /** What could not be taken, in words; empty when all could. */
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

/** The pictures of the clipboard; nothing when it holds text, which is pasted as such. */
export function takePaste(data: DataTransfer): TakenFiles | undefined {
  return data.files.length === 0 || data.getData('text/plain') !== '' ? undefined : takeFiles(data);
}

function takeFiles({ files }: DataTransfer): TakenFiles {
  const all = [...files];
  const pictures = all.filter(({ type, size }) => PICTURE.test(type) && size <= MAX_PICTURE_BYTES);
  const [large] = all.filter(({ type, size }) => PICTURE.test(type) && size > MAX_PICTURE_BYTES);
  const others = all.some(({ type }) => !PICTURE.test(type));
  const problems = [
    ...(large === undefined ? [] : [t('{0} has {1} MB; a picture may have {2} MB.', large.name, formatNumber(large.size / MEGABYTE, 1), formatNumber(MAX_PICTURE_BYTES / MEGABYTE, 2))]),
    ...(others ? [t('Only pictures (png, jpeg, gif, webp) can be taken from outside of VS Code. Use Attach for other files.')] : []),
  ];
  return { pictures, uris: [], problem: problems.join(' ') };
}

/** Hands what was taken over to the host. */
export async function handOver({ pictures, uris }: TakenFiles, post: (message: PanelMessage) => void): Promise<void> {
  if (uris.length > 0) post({ type: 'attach_files', uris });
  for (const picture of pictures) post({ type: 'attach_picture', name: picture.name, data: new Uint8Array(await picture.arrayBuffer()) });
}
