import { showUnseen } from '../domain/hidden-characters.js';

/** A text as it can be shown on a terminal, which follows what stands in it: only its lines and tabs have an effect. */
export function shown(text: string): string {
  return shownExactly(text.replaceAll('\r\n', '\n'));
}

/** {@link shown}, where it matters how its lines end, as in what is run. */
export function shownExactly(text: string): string {
  // A carriage return would have what follows written over what stands before.
  return showUnseen(text).replaceAll('\r', '\\u{d}');
}

/** What a terminal follows in a text, but lines and tabs. */
const FOLLOWED = /(?![\n\t])\p{Cc}/gu;

/** A text for a program that may write it to a terminal: only what that would follow is escaped. */
export function unfollowed(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(FOLLOWED, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** What the next piece can belong to: the first half of a line break or of a character, and what emoji are put together of. */
const UNFINISHED = /(?:\r|[\uD800-\uDBFF]|[\p{Emoji}\p{S}\uFE0E\uFE0F\u200D]{1,32}[\uD800-\uDBFF]?)$/u;

/** A text that comes in pieces, shown as it would be as a whole: of each piece, what the next one can belong to waits for it. */
export class ShownPieces {
  private held = '';

  /** @param shown how a text is shown: {@link shown} or {@link unfollowed} */
  constructor(private readonly shown: (text: string) => string) {}

  /** Takes a piece. @returns what can be written by now */
  push(piece: string): string {
    const text = this.held + piece;
    const { index = text.length } = UNFINISHED.exec(text) ?? {};
    this.held = text.slice(index);
    return this.shown(text.slice(0, index));
  }

  /** Ends the text. @returns what was held back */
  flush(): string {
    const { held } = this;
    this.held = '';
    return this.shown(held);
  }
}

/** {@link shown}, on one line. */
export function shownLine(text: string): string {
  return shown(text).replaceAll(/\s+/g, ' ').trim();
}

/** What a terminal could follow, or a reader could take for the end of a line, though it stands in JSON. */
const UNSAFE = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON of the same value in which no terminal finds anything to follow. */
export function shownJson(json: string): string {
  return json.replace(UNSAFE, (character) => character.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
