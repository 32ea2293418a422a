import { t } from '../../../src/protocol/l10n.js';

/** How the host counts the images of a message. */
const IMAGE = /^Image (\d+)$/;

/** Whether something attached is an image without a name of its own. */
export function isUnnamedImage(name: string): boolean {
  return IMAGE.test(name);
}

/** What is attached, by its name; an image without one is counted in the language of the page. */
export function attachedName(name: string): string {
  const number = IMAGE.exec(name)?.[1];
  return number === undefined ? name : t('Image {0}', number);
}
