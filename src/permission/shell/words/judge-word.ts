import type { Context, Scope } from '../context.js';
import { addWordMentions } from '../commands/mentions.js';
import { judgeExpansions } from './expansions.js';
import type { RawWord, Word, Piece, Risk } from './word.js';
import type { Folders } from '../folders.js';
import type { Source } from '../grammar/source.js';

/** Judges the commands in the expansions of a word, and makes the word as the shell would. */
export function judgeWord(raw: RawWord, scope: Scope, context: Context): Word {
  judgeExpansions(raw.expansions, context, scope);
  const { home, source } = context;
  const { assigned, folders } = scope;
  const shaped = shapeWord(raw, source, { home, folders });
  const known = shaped.text === undefined ? knownOf(raw, source) : {};
  const usual = { ...shaped, ...known };
  const changed = { home: homeOf(scope, context), folders: assigned.names('PWD') ? undefined : folders };
  if (changed.home === home && changed.folders === folders) return usual;
  const word = shapeWord(raw, source, changed);
  const again = word.text === undefined ? { ...word, ...knownOf(raw, source) } : word;
  // It may still be what it was.
  if (again.text !== usual.text) addWordMentions(usual, ['read', 'write'], scope, context);
  return again;
}

/** Facts that the text shows about a word known only at run time. */
function knownOf(raw: RawWord, source: Source): Pick<Word, 'maybe' | 'behind'> {
  const [maybe, behind] = [textsIn(raw, source), textsBehind(raw)];
  return { ...(maybe.length === 0 ? {} : { maybe }), ...(behind.length === 0 ? {} : { behind }) };
}

/** The texts of a word that follow what is expanded in it, pieces without anything between them joined. */
function textsBehind({ pieces }: RawWord): readonly string[] {
  const texts: string[] = [];
  let isBehind = false;
  for (const [index, piece] of pieces.entries()) {
    const written = piece.kind === 'text' ? piece.text : undefined;
    const tilde = index === 0 && piece.kind === 'text' && !piece.quoted ? /^~[^/]*/.exec(piece.text)?.[0] : undefined;
    if (written === undefined || tilde !== undefined) {
      isBehind = true;
      texts.push(written?.slice(tilde?.length) ?? '');
    } else if (isBehind) texts.push((texts.pop() ?? '') + written);
  }
  return texts.filter((text) => text !== '');
}

/** As many texts of expansions are looked at. */
const MAX_TEXTS = 50;

/** The texts in the expansions of a word that may become a part of it, with what follows: those behind each sign that can stand before one. */
function textsIn({ expansions, end }: RawWord, { text }: Source): readonly string[] {
  return expansions
    .flatMap((node) => {
      const written = text.slice(node.start, node.end);
      if (!written.startsWith('${')) return [];
      const rest = text.slice(node.end, end);
      const inner = [...written.matchAll(/[-=+?:/#%,^]/g)].map(({ index }) => written.slice(index + 1).replace(/[}"'].*$/s, ''));
      return inner.filter((one) => one !== '' && !/[$`\s]/.test(one)).flatMap((one) => (/^[\w./-]*$/.test(rest) && rest !== '' ? [one, one + rest] : [one]));
    })
    .slice(0, MAX_TEXTS);
}

/** The value of `HOME`; `undefined` where the text may set it. */
export function homeOf({ assigned }: Scope, { home }: Context): string | undefined {
  return assigned.names('HOME') ? undefined : home;
}

/** Context that the value of a word depends on. */
interface Surroundings {
  readonly home: string | undefined;
  readonly folders: Folders;
}

/** A part of a word as the shell makes it; `undefined` when it is known only at run time. */
interface Part {
  readonly text: string | undefined;
  readonly risk: Risk;
  /** Whether file patterns in it have their meaning. */
  readonly pattern: boolean;
}

const RISKY: Part = { text: undefined, risk: 'risky', pattern: false };
const PLAIN: Part = { text: undefined, risk: 'plain', pattern: false };
/** A value that the shell would neither split nor take for a pattern. */
const ONE_WORD = /^[\w/.,:@%+-]+$/;
const GLOB = /[*?]|\[(?=[^]*\])/;

/** Makes a word as the shell would, as far as that is known before it runs. */
function shapeWord(raw: RawWord, source: Source, surroundings: Surroundings): Word {
  const { start, end } = raw;
  const whole = { start, end };
  const written = source.text.slice(start, end);
  if (hasBraces(raw.pieces) || isZshPath(raw.pieces) || hasInnerTilde(raw.pieces, written)) return unknown(whole, 'risky');
  const parts = raw.pieces.map((piece, index) => partOf(piece, index, raw.pieces.length, surroundings));
  const risk = worst(parts.map((part) => part.risk));
  const beginning = beginningOf(parts);
  if (risk !== 'none') return { ...whole, text: undefined, beginning, risk, glob: -1 };
  return { ...whole, text: beginning, beginning, risk, glob: globOf(parts) };
}

function unknown(whole: { readonly start: number; readonly end: number }, risk: Risk): Word {
  return { ...whole, text: undefined, beginning: '', risk, glob: -1 };
}

function worst(risks: readonly Risk[]): Risk {
  return (['risky', 'plain'] as const).find((risk) => risks.includes(risk)) ?? 'none';
}

function beginningOf(parts: readonly Part[]): string {
  const firstUnknown = parts.findIndex((part) => part.text === undefined);
  return (firstUnknown < 0 ? parts : parts.slice(0, firstUnknown)).map((part) => part.text).join('');
}

function globOf(parts: readonly Part[]): number {
  let before = 0;
  // Quoted text may be between the brackets of a pattern.
  const all = parts.map((part) => (part.pattern ? (part.text ?? '') : (part.text ?? '').replace(/[*?[\]]/g, ' '))).join('');
  for (const part of parts) {
    const found = part.pattern ? GLOB.exec(all.slice(before)) : null;
    if (found !== null && found.index < (part.text ?? '').length) return before + found.index;
    before += (part.text ?? '').length;
  }
  return -1;
}

function partOf(piece: Piece, index: number, count: number, surroundings: Surroundings): Part {
  switch (piece.kind) {
    case 'text':
      return index === 0 && !piece.quoted && piece.text.startsWith('~')
        ? tildePart(piece.text, count === 1, surroundings.home)
        : { text: piece.text, risk: 'none', pattern: !piece.quoted };
    case 'variable':
      return variablePart(piece.name, piece.quoted, surroundings);
    case 'unknown':
      return piece.risk === 'plain' ? PLAIN : RISKY;
  }
}

/** `~` and `~/…` are the home directory; `~name`, `~+` and `~-` are not looked up. */
function tildePart(text: string, alone: boolean, home: string | undefined): Part {
  if (home === undefined) return RISKY;
  if (text.startsWith('~/') || (text === '~' && alone)) return { text: home + text.slice(1), risk: 'none', pattern: true };
  return RISKY;
}

function variablePart(name: string, quoted: boolean, { home, folders }: Surroundings): Part {
  const [folder] = folders?.length === 1 ? folders : [];
  const value = name === 'HOME' ? home : name === 'PWD' ? folder : undefined;
  if (value === undefined || (!quoted && !ONE_WORD.test(value))) return PLAIN;
  return { text: value, risk: 'none', pattern: false };
}

/** `{a,b}` and `{1..3}` become several words. */
function hasBraces(pieces: readonly Piece[]): boolean {
  if (!pieces.some((piece) => piece.kind === 'text' && !piece.quoted && piece.text.includes('{'))) return false;
  const all = pieces.map((piece) => (piece.kind === 'text' ? piece.text : ' ')).join('');
  return /\{[^]*(,|\.\.)/.test(all);
}

/** `=name` is the path of a program in zsh. */
function isZshPath([first]: readonly Piece[]): boolean {
  return first?.kind === 'text' && !first.quoted && /^=[\w/.-]/.test(first.text);
}

/** bash puts the home directory also in place of a tilde after `name=` and after colons behind that. */
function hasInnerTilde(pieces: readonly Piece[], written: string): boolean {
  const unquoted = pieces.some((piece) => piece.kind === 'text' && !piece.quoted && /[=:]~|^~|[=:]$/.test(piece.text));
  return unquoted && /^[A-Za-z_][^=]*=.*~/s.test(written);
}
