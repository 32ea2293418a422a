/** Names that Windows gives to devices, in every folder and with every extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/**
 * Why a path cannot be used on Windows: it has another spelling that names the same file, so that rules about names
 * would not hold, or opening it would reach a device or another machine (path-10).
 * @returns `undefined` for an ordinary path.
 */
export function windowsPathProblem(path: string): string | undefined {
  if (/^[\\/]{2}|^[\\/]\?\?[\\/]/.test(path)) return 'paths of devices and network shares are not allowed';
  const rest = path.replace(/^[A-Za-z]:(?=[\\/])/, '');
  if (rest.includes(':')) return 'a colon names a stream or a drive without its root';
  for (const name of rest.split(/[\\/]/)) {
    if (DEVICE.test(name)) return `${name} is the name of a device`;
    if (name !== '.' && name !== '..' && /[. ]$/.test(name)) return 'a name ends with a dot or a space, which Windows drops';
    if (/~\d/.test(name)) return 'a short name (8.3) stands for another name; give the long one';
  }
  return undefined;
}
