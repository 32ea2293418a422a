import type { SandboxView } from './sandbox-view.js';

/**
 * The profile for `sandbox-exec` on macOS: all is denied but what a command needs to run and to read the readable places.
 * The language is that of the profiles in /System/Library/Sandbox/Profiles; of rules that fit, the last one counts.
 */
export function seatbeltProfile({ readable, hidden }: SandboxView): string {
  const places = readable.map((path) => `(subpath ${quoted(path)})`);
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
    ...rule('allow file-read*', places),
    ...rule('deny file-read*', covered),
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    '(allow file-ioctl (literal "/dev/null"))',
    '',
  ].join('\n');
}

function rule(what: string, filters: readonly string[]): readonly string[] {
  return filters.length === 0 ? [] : [`(${what} ${filters.join(' ')})`];
}

/** A string of the language, which is Scheme's. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
