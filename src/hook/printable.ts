import { escapeHidden } from '../domain/hidden-characters.js';

/** Sequences that color terminals or move their cursor: of the form ESC [ … letter, or ESC ] … BEL. */
// eslint-disable-next-line no-control-regex
const SEQUENCES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]{0,1000}(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;

/** A text of a program without terminal sequences, in which nothing is hidden. */
export function withoutControls(text: string): string {
  return escapeHidden(text.toWellFormed().replace(SEQUENCES, '').replace(/\r\n/g, '\n'));
}
