/* oxlint-disable no-control-regex -- escape sequences are made of control characters */
/** ECMA-48: strings (OSC, DCS, SOS, PM, APC) up to their terminator, CSI sequences, other escapes. */
const SEQUENCES = /\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-Z\\^-~]/g;
/** All controls but tab and line feed. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/* oxlint-enable no-control-regex */

/** A text of a server without what would steer a terminal: its lines end with a line feed, and it has no escape sequences and controls. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '');
}
