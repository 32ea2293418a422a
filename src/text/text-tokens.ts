/** Texts longer than this, in characters, are measured in samples: {@link SAMPLES} pieces of {@link SAMPLE_CHARACTERS}. */
const SAMPLED_FROM = 32_000;
const SAMPLES = 16;
const SAMPLE_CHARACTERS = 1_000;

/** Letters of one token at the beginning of a word, and of each token after it. */
const FIRST_LETTERS = 9;
const MORE_LETTERS = 3;
/** Digits that share a token. */
const DIGITS = 3;
/** Punctuation marks that share a token. */
const MARKS = 2.5;
/** Tokens of a letter outside ASCII in an alphabet (Latin, Greek, Cyrillic), in another script, and of a CJK character. */
const ALPHABET_TOKENS = 0.4;
const SCRIPT_TOKENS = 0.5;
const CJK_TOKENS = 1;
/** Spaces of one indentation that share a token. */
const INDENT = 16;

/** Kinds of ASCII characters that tokenizers take together. A carriage return counts with the newline behind it. */
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const MARK = 4;
const SPACE = 5;
const NEWLINE = 6;
const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return NEWLINE;
  return /[ \t]/.test(character) ? SPACE : MARK;
});

/**
 * Roughly the tokens that a text takes, without a tokenizer: characters are counted in runs of a kind, the way tokenizers
 * split them. Meant to be a little too high rather than too low; tokenizers differ by a third among themselves.
 */
export function textTokens(text: string): number {
  if (text.length <= SAMPLED_FROM) return Math.ceil(tokensOf(text));
  const stride = (text.length - SAMPLE_CHARACTERS) / (SAMPLES - 1);
  let sampled = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const start = Math.floor(sample * stride);
    sampled += tokensOf(text.slice(start, start + SAMPLE_CHARACTERS));
  }
  return Math.ceil((sampled / (SAMPLES * SAMPLE_CHARACTERS)) * text.length);
}

function tokensOf(text: string): number {
  let tokens = 0;
  let kind = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const next = code < 0x80 ? (KINDS[code] ?? MARK) : 0;
    if (next === kind && next !== 0) continue;
    // A capital begins a word.
    if (next === LOWER && kind === UPPER) {
      kind = LOWER;
      continue;
    }
    tokens += runTokens(kind, at - start) + (next === 0 ? foreignTokens(code) : 0);
    kind = next;
    start = at;
  }
  return tokens + runTokens(kind, text.length - start);
}

/** Tokens of characters of one kind, or of one that is not ASCII and was counted already. */
function runTokens(kind: number, length: number): number {
  switch (kind) {
    case LOWER:
    case UPPER:
      return length <= FIRST_LETTERS ? 1 : 1 + (length - FIRST_LETTERS) / MORE_LETTERS;
    case DIGIT:
      return Math.ceil(length / DIGITS);
    case MARK:
      return Math.ceil(length / MARKS);
    case SPACE:
      // One space belongs to the word behind it.
      return length === 1 ? 0 : Math.ceil(length / INDENT);
    case NEWLINE:
      return 0.5;
    default:
      return 0;
  }
}

/** Tokens of a UTF-16 unit outside ASCII. */
function foreignTokens(code: number): number {
  // Latin with marks, Greek, Cyrillic, Armenian.
  if (code < 0x590) return ALPHABET_TOKENS;
  // Dashes, quotes, arrows, box drawing and other symbols.
  if (code >= 0x2000 && code < 0x2e80) return 1;
  // CJK characters, kana, Hangul, full-width forms, and both halves of surrogate pairs (emoji).
  if (code >= 0x2e80) return CJK_TOKENS;
  return SCRIPT_TOKENS;
}
