import type { Marked, RendererObject, TokenizerAndRendererExtension } from 'marked';
import { mayBeFile } from '../../src/protocol/file-place.js';
import { t } from '../../src/protocol/l10n.js';
import { dialect, newDialect } from './lexer.js';

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '&': '&amp;' };

/** Makes text safe inside of HTML and its quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[<>"'&]/g, (char) => ESCAPES[char] ?? char);
}

/** The address if a user can be asked to open it in a browser; anything else stays inert. */
function webAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

/** A link that is not opened: possible paths in the workspace are marked, and the host checks whether there is such a file. */
function inert(href: string, content: string): string {
  const path = decoded(href);
  const file = path !== undefined && mayBeFile(path) ? ` data-file="${escapeHtml(path)}"` : '';
  return `<span class="inert-link" title="${escapeHtml(href)}"${file}>${content}</span>`;
}

function decoded(href: string): string | undefined {
  try {
    return decodeURIComponent(href);
  } catch {
    // Not percent-encoded; then it is no link to a file either.
    return undefined;
  }
}

function link(href: string, content: string): string {
  const address = webAddress(href);
  if (address === undefined) return inert(href, content);
  return `<a href="${escapeHtml(address)}" title="${escapeHtml(address)}">${content}</a>`;
}

/** Renderers of the risky parts of Markdown. Nothing is loaded: an image becomes its description. */
const renderer: RendererObject = {
  code: ({ text, lang }) => {
    const language = /^\S*/.exec(lang ?? '')?.[0] ?? '';
    const info = (lang ?? '').slice(language.length).trim();
    const words = info === '' ? '' : ` data-info="${escapeHtml(info)}"`;
    return `<pre data-language="${escapeHtml(language)}"${words}><code>${escapeHtml(text)}</code></pre>\n`;
  },
  link({ href, tokens }) {
    return link(href, this.parser.parseInline(tokens));
  },
  image: ({ href, text }) => {
    const name = escapeHtml(text === '' ? t('Image') : t('Image: {0}', text));
    return `<span class="image-placeholder">${name} (${link(href, escapeHtml(href))})</span>`;
  },
  checkbox: ({ checked }) => `<span class="task" data-checked="${checked}"></span> `,
};

/** A formula between its marks; of a bounded length, so that a mark that nothing ends costs little. */
const FORMULA = /^(?:\$\$([^$]{1,2000})\$\$|\\\(((?:[^\\\n]|\\[^)\n]){1,500})\\\)|\\\[((?:[^\\]|\\[^\]]){1,2000})\\\])/;
const FORMULA_START = /\$|\\[([]/;
/**
 * A formula between single signs, as careful as pandoc is: nothing blank beside the signs on the inside, no digit or letter behind
 * the last one, so that amounts and variables of a shell stay what they are; no code in it.
 */
const INLINE_FORMULA = /^\$(?![\s$])((?:[^$`\\\n]|\\[^\n`]){1,300}?)(?<!\s)\$(?![\w$])/;
/** Short expressions without a sign of TeX, such as `n`, `O(n)` or `a + b`: no words, and not only a number. */
const EXPRESSION = /^(?=.*[A-Za-z])(?!.*[A-Za-z]{3})[\w+\-*/(),.<>|'!]+(?: [+\-*/<>] [\w+\-*/(),.<>|'!]+)*$/;
/** Characters that make a text a formula. Without any, brackets behind a backslash are plain brackets. */
const MATHEMATICAL = /[\\^_=]/;

/** @param before the text in front of it */
function inlineFormula(source: string, before: string): { type: 'formula'; raw: string; text: string; display: boolean } | undefined {
  const match = /[\w$\\]$/.test(before) ? null : INLINE_FORMULA.exec(source);
  const text = match?.[1] ?? '';
  return match === null || !(MATHEMATICAL.test(text) || EXPRESSION.test(text)) ? undefined : { type: 'formula', raw: match[0], text, display: false };
}

/** Formulas are written as code, in the place of which they are drawn once they do not change any more. */
const formula: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (source) => FORMULA_START.exec(source)?.index,
  tokenizer: (source, tokens) => {
    const match = FORMULA.exec(source);
    if (match === null) return inlineFormula(source, tokens.at(-1)?.raw ?? '');
    const text = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    return MATHEMATICAL.test(text) ? { type: 'formula', raw: match[0], text, display: match[2] === undefined } : undefined;
  },
  renderer: ({ text, display }) => `<code class="formula" data-display="${String(display)}">${escapeHtml(String(text))}</code>`,
};

dialect.use({ renderer });

/** The same with formulas; it looks for them at every word, which costs as much again as all the rest. */
const withFormulas = newDialect().use({ renderer, extensions: [formula] });

/** The parser for a text. */
export function dialectFor(source: string): Marked {
  return FORMULA_START.test(source) ? withFormulas : dialect;
}

export { dialect };
