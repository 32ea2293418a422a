import { t } from '../../../src/protocol/l10n.js';

/** Names that the host gives to images without one. */
const IMAGE = /^Image (\d+)$/;

/** Whether something attached is an image without a name of its own. */
export function isUnnamedImage(name: string): boolean {
  return IMAGE.test(name);
}

/** Name of an attachment; an image without one is numbered in the display language. */
export function attachedName(name: string): string {
  const number = IMAGE.exec(name)?.[1];
  return number === undefined ? name : t('Image {0}', number);
}
