/**
 * Variables of Gnomon's own environment that the process of every server gets: what programs need to find themselves, their user, and
 * their files. It is a list of what is given rather than of what is kept back, so that no key gets to a server
 * whose entry does not name it. Proxies are not among them, for their addresses can contain passwords.
 *
 * Source: the defaults of the official client (`DEFAULT_INHERITED_ENV_VARS` of `@modelcontextprotocol/client/stdio`), and beside them
 * the language, the folder for temporary files, the folders of the XDG Base Directory Specification, and where certificates are.
 */
const POSIX: ReadonlySet<string> = new Set([
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'],
  ...['LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LC_MONETARY', 'LC_NUMERIC', 'LC_TIME'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_DIRS', 'XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE'],
]);
/** Names in capitals: on Windows, their case does not matter. */
const WINDOWS: ReadonlySet<string> = new Set([
  ...['ALLUSERSPROFILE', 'APPDATA', 'COMPUTERNAME', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'OS', 'PATH', 'PATHEXT'],
  ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'PUBLIC', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP'],
  ...['USERDOMAIN', 'USERNAME', 'USERPROFILE', 'WINDIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE'],
]);

/** Variables by name; `undefined` where one is not set, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a server's process: the few variables above, and those that its entry declares.
 * @param base Gnomon's own environment
 * @param declared of the entry and its file with variables, which win
 */
export function serverEnvironment(base: Environment, declared: Readonly<Record<string, string>>, platform: NodeJS.Platform): Record<string, string> {
  const isWindows = platform === 'win32';
  const key = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const taken = new Set(Object.keys(declared).map(key));
  const inherited = Object.entries(base).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    // A value that begins so is a function of Bash, which some shells run when they read it (CVE-2014-6271).
    return value !== undefined && isBasic(name, platform) && !taken.has(key(name)) && !value.startsWith('()');
  });
  return Object.fromEntries([...inherited, ...Object.entries(declared)]);
}

/** Whether every server gets a variable. */
export function isBasic(name: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? WINDOWS.has(name.toUpperCase()) : POSIX.has(name);
}

/** The value of a variable; `undefined` when it is not set. On Windows, the case of its name does not matter. */
export function environmentValue(environment: Environment, name: string, platform: NodeJS.Platform): string | undefined {
  if (Object.hasOwn(environment, name)) return environment[name];
  if (platform !== 'win32') return undefined;
  const upper = name.toUpperCase();
  return Object.entries(environment).find(([other]) => other.toUpperCase() === upper)?.[1];
}
