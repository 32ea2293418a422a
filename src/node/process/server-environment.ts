/**
 * What a program needs in order to run at all, and nothing that could be a key: where things are, who runs it, in which language.
 * The list that the specification's own clients hand on, and locale, time zone and folder for temporary files.
 */
const POSIX: readonly string[] = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TZ'];
const WINDOWS: readonly string[] = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
];

/**
 * The environment of a server: the few variables that it cannot do without, and those of its configuration, which win.
 * Keys of the user's environment are in it only if the configuration names them.
 */
export function serverEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  declared: Readonly<Record<string, string>>,
  windows = process.platform === 'win32',
): Record<string, string> {
  const names = new Set(windows ? WINDOWS : POSIX);
  const declaredNames = new Set(Object.keys(declared).map((name) => key(name, windows)));
  const kept = Object.entries(base).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    // A function of Bash: it would be code.
    if (value === undefined || value.startsWith('()')) return false;
    return names.has(key(name, windows)) && !declaredNames.has(key(name, windows));
  });
  return { ...Object.fromEntries(kept), ...declared };
}

/** Windows does not tell `Path` from `PATH`. */
function key(name: string, windows: boolean): string {
  return windows ? name.toUpperCase() : name;
}
