import type { Network, SandboxView } from './sandbox-view.js';

/** Where macOS has temporary files. */
const TEMPORARY = ['/private/tmp', '/private/var/folders'];

/**
 * The profile for `sandbox-exec` on macOS: all is denied but what a command needs to run and to read the readable places.
 * The language is that of the profiles in /System/Library/Sandbox/Profiles; of rules that fit, the last one counts.
 */
export function seatbeltProfile({ readable, writable, fixed, hidden, network }: SandboxView): string {
  const below = (paths: readonly string[]): readonly string[] => paths.map((path) => `(subpath ${quoted(path)})`);
  const changeable = writable.length === 0 ? [] : [...writable, ...TEMPORARY];
  const covered = hidden.map(({ path, folder }) => `(${folder ? 'subpath' : 'literal'} ${quoted(path)})`);
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    // A path is followed one folder at a time, which needs to know of each what it is.
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom"))',
    ...rule('allow file-read*', below([...readable, ...changeable])),
    ...rule('allow file-write*', below(changeable)),
    ...rule('deny file-write*', [...below(fixed), ...covered]),
    ...rule('deny file-read*', covered),
    ...networkRules(network),
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    '(allow file-ioctl (literal "/dev/null"))',
    '',
  ].join('\n');
}

/** Without one, all is denied. Names are looked up by a service of the system. */
function networkRules(network: Network): readonly string[] {
  if (network.kind === 'none') return [];
  if (network.kind === 'proxy') return typeof network.at === 'number' ? [`(allow network-outbound (remote ip "localhost:${network.at}"))`] : [];
  return ['(allow network*)', '(allow system-socket)', '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.trustd.agent"))', '(allow network-outbound (literal "/private/var/run/mDNSResponder"))'];
}

function rule(what: string, filters: readonly string[]): readonly string[] {
  return filters.length === 0 ? [] : [`(${what} ${filters.join(' ')})`];
}

/** A string of the language, which is Scheme's. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
