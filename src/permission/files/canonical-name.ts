/** Characters that some file systems leave out of names when they compare them (HFS+ does, for instance). */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** Names that are canonical as they are, which most are. */
const CANONICAL = /^[a-z\d_.-]*[a-z\d_-]$/;

/**
 * A file name in the one spelling for all that some file system takes for the same: without case, streams of
 * Windows, and the dots and spaces at the end that Windows drops, in Unicode's compatibility form without
 * ignorable characters. For comparing with protected names only; more names are equal than need be.
 */
export function canonicalName(name: string): string {
  if (CANONICAL.test(name)) return name;
  const plain = name.normalize('NFKC').replace(IGNORED, '').toLowerCase();
  // The first colon starts the name of a stream, but for a name that begins with one.
  const colon = plain.indexOf(':', 1);
  const trimmed = (colon < 0 ? plain : plain.slice(0, colon)).replace(/[. ]+$/, '');
  return trimmed === '' ? plain : trimmed;
}

/** Whether a name can be the short form (8.3) that Windows gives to another name, such as `GIT~1`. */
export function isShortName(name: string): boolean {
  return /^[^.]{1,6}~\d{1,6}(\.[^.]{0,3})?$/.test(name);
}
