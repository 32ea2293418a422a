import type { Place } from './place.js';
import { lineBefore } from './place.js';

/** Lines that may make up what is said again and again. */
const MAX_PERIOD = 3;
/** How often the same lines in a row are too often. */
const TOO_OFTEN = 3;
const WORDS = /\w{2}/;
/** Closing lines, of which several in a row are common. */
const CLOSES = /^\s*(?:<\/|end\b|fi\b|done\b|esac\b)/;

/** A text up to where it begins to say the same lines again and again. */
export function withoutRepeats(text: string): string {
  const lines = text.split('\n');
  for (let start = 0; start < lines.length; start += 1) {
    for (let period = 1; period <= MAX_PERIOD; period += 1) {
      if (repeats(lines, start, period)) return lines.slice(0, start + period).join('\n');
    }
  }
  return text;
}

/** Whether a suggestion only says again what the lines right before the cursor, or right below it, say. */
export function saysAgain(text: string, place: Place): boolean {
  if (!WORDS.test(text) || CLOSES.test(lineBefore(place) + text)) return false;
  const said = plain(lineBefore(place) + text);
  const above = plain(place.prefix.slice(0, place.prefix.length - lineBefore(place).length));
  const below = plain(place.suffix.slice(place.suffix.indexOf('\n') + 1));
  return `\n${above}`.endsWith(`\n${said}`) || (place.suffix.includes('\n') && `${below}\n`.startsWith(`${said}\n`));
}

function repeats(lines: readonly string[], start: number, period: number): boolean {
  const pattern = lines.slice(start, start + period);
  if (start + period * TOO_OFTEN > lines.length || !pattern.some((line) => WORDS.test(line))) return false;
  return pattern.every((line, index) => Array.from({ length: TOO_OFTEN }, (_, round) => lines[start + round * period + index]).every((other) => other === line));
}

function plain(text: string): string {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '').join('\n');
}
