import { escapeHidden } from '../../domain/hidden-characters.js';
import { redact } from '../../text/redact.js';
import { cutLine, headOf } from '../../text/show.js';

/** Removes what must not be shown from a line of a server. */
export type McpScrubber = (line: string) => string;

/** Characters of a line that are looked at, and that are kept. */
const READ_CHARACTERS = 16_000;
const KEPT_CHARACTERS = 4_000;
/** Characters from which on the end of a line is taken for the beginning of a secret. */
const MIN_CUT = 6;
/** Sequences by which terminals are controlled (ECMA-48): CSI, OSC and the like up to their end, and the two-character ones. */
// oxlint-disable-next-line no-control-regex -- Control characters are what it is about.
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;

/**
 * Cleans lines of a server for display: removes terminal escape sequences, escapes hidden characters, and replaces secrets.
 * @param secrets by their exact text; they are found as they are written in JSON too
 */
export function scrubber(secrets: readonly string[]): McpScrubber {
  const known = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]).sort((one, other) => other.length - one.length);
  return (line) => {
    const visible = escapeHidden(headOf(line, READ_CHARACTERS).replace(TERMINAL, '').replaceAll('\t', '  '));
    return cutLine(withoutCutSecret(redact(visible, known), known), KEPT_CHARACTERS);
  };
}

/** Replaces the beginning of a secret that was cut off with the rest of the line. */
function withoutCutSecret(line: string, known: readonly string[]): string {
  for (const secret of known) {
    for (let length = secret.length - 1; length >= MIN_CUT; length -= 1) {
      if (line.endsWith(secret.slice(0, length))) return `${line.slice(0, -length)}[redacted]`;
    }
  }
  return line;
}
