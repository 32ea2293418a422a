import { t } from '../../../src/protocol/l10n.js';

/** How the host counts the pictures of a message. */
const PICTURE = /^Image (\d+)$/;

/** Whether something attached is a picture without a name of its own. */
export function isPicture(name: string): boolean {
  return PICTURE.test(name);
}

/** What is attached, by its name; a picture without one is counted in the language of the page. */
export function attachedName(name: string): string {
  const number = PICTURE.exec(name)?.[1];
  return number === undefined ? name : t('Image {0}', number);
}
