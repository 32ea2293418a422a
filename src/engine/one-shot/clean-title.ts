/** Characters of a title at most; of a longer one whole words are kept. */
const MAX_LENGTH = 60;
/** What models put around a title although they were asked not to. */
const PREFIX = /^(?:[#>*\-\s]+|title\s*:\s*)+/i;
const EDGES = /^["'“”„‚‘’«»`*_\s]+|["'“”„‚‘’«»`*_\s.。:]+$/gu;
/** Characters of an answer that are looked at. */
const MAX_LOOKED_AT = 500;
/** Characters that show nothing or change how others are shown. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * The title in what a model wrote; `undefined` when it holds none.
 * @param cutOff whether the answer was cut off by its length: then its last word may be half a word.
 */
export function cleanTitle(words: string, cutOff: boolean): string | undefined {
  const line = words.slice(0, MAX_LOOKED_AT).split(/[\r\n]+/).find((each) => each.trim() !== '') ?? '';
  const plain = line.replace(HIDDEN, ' ').replace(PREFIX, '').replace(EDGES, '').replace(/\s+/g, ' ').toWellFormed();
  const whole = cutOff ? withoutLastWord(plain) : plain;
  const title = shortened(whole).replace(EDGES, '');
  return /[\p{L}\p{N}]/u.test(title) ? title : undefined;
}

function withoutLastWord(line: string): string {
  return line.slice(0, Math.max(0, line.lastIndexOf(' ')));
}

/** Whole words as far as they fit; one word that is too long alone is cut. */
function shortened(line: string): string {
  const characters = Array.from(line);
  if (characters.length <= MAX_LENGTH) return line;
  const head = characters.slice(0, MAX_LENGTH).join('');
  return head.includes(' ') ? withoutLastWord(head) : head;
}
