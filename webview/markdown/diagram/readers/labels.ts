/** A parsed diagram, rewritten in a form that the drawing library parses reliably. */
export interface ReadDiagram {
  /** The source for the library, with its labels hidden by {@link hide}. */
  readonly text: string;
  /** Number of edges that the image must have. */
  readonly edges: number;
  /** Every text of the image, as often as it stands there. */
  readonly labels: readonly string[];
}

/** The first of the characters of private use that stand for those of ASCII which mean something to the library. */
const FIRST = 0xe000;
const HIDDEN = /[\uE000-\uE07F]/g;

/** Whether a text has characters that {@link hide} uses, and so could not be distinguished from hidden ones. */
export function hasHiddenLabels(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** Writes a label with letters, digits, and spaces alone, so that nothing in it is read as a part of the diagram. */
export function hide(label: string): string {
  return label.replace(/[!-/:-@[-`{-~]/g, (char) => String.fromCodePoint(FIRST + char.charCodeAt(0)));
}

/** The same for a label that must be one word. */
export function hideWord(label: string): string {
  return hide(label).replaceAll(' ', String.fromCodePoint(FIRST + 0x20));
}

/** Takes back {@link hide} and {@link hideWord}. */
export function show(text: string): string {
  return text.replace(HIDDEN, (char) => String.fromCodePoint(char.charCodeAt(0) - FIRST));
}

const NAMED: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: ' ', apos: "'", semi: ';', num: '#' };

/**
 * The text of a label: without the line breaks, tags, and icons of HTML that Mermaid draws as such, without the marks of its
 * Markdown strings, and with its entity codes resolved (https://mermaid.js.org/syntax/flowchart.html, "Special characters that break
 * syntax" and "Markdown Strings").
 */
export function plainLabel(source: string): string {
  const markdown = /^\s*`([^]*)`\s*$/.exec(source)?.[1];
  const text = markdown === undefined ? source : markdown.replace(/(\*\*|__)(?=\S)([^]*?\S)\1/g, '$2').replace(/\*(?=\S)([^*]*?\S)\*/g, '$1');
  return text
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<\/?(?:b|i|u|em|strong|small|code|sub|sup|span|center|p)>/gi, '')
    .replace(/\bfa[bklrs]?:fa-[\w-]+/g, '')
    .replace(/[#&](\w+);/g, (whole, name: string) => NAMED[name.toLowerCase()] ?? (/^\d{1,6}$/.test(name) ? codePoint(Number(name), whole) : whole))
    .replace(/\s+/g, ' ')
    .trim();
}

function codePoint(value: number, otherwise: string): string {
  return value >= 0x20 && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff) ? String.fromCodePoint(value) : otherwise;
}

/** The lines of a diagram without comments, directives, and those that change only its look or what a click does. */
export function linesOf(source: string): readonly string[] {
  return source
    .replace(/%%\{[^]*?\}%%/g, '')
    .split('\n')
    .map((line) => withoutComment(line).trim())
    .filter((line) => line !== '' && !/^(?:linkStyle|click|accTitle|accDescr|link|callback|cssClass)\b(?!\s*\{)/.test(line));
}

/** A comment has a line of its own in Mermaid; models also put it behind a statement. */
function withoutComment(line: string): string {
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') quoted = !quoted;
    if (!quoted && line.startsWith('%%', at) && (at === 0 || /\s/.test(line[at - 1] ?? ''))) return line.slice(0, at);
  }
  return line;
}
