/** Punctuation that Markdown could take for something else. All of ASCII may stand behind a backslash. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** Words that stand between backticks on one line. */
const CODE = /`([^`\n]+)`/;

/**
 * Words of a model as Markdown that is nothing but those words: no links, no pictures, no HTML, no headings. Only what stands
 * between backticks is shown as code.
 */
export function inertMarkdown(text: string): string {
  // Every other part is what stood between backticks.
  return text.trimStart().split(CODE).map((part, index) => (index % 2 === 0 ? inert(part) : `\`\` ${part} \`\``)).join('');
}

/** Blank lines part paragraphs, other line breaks stay; nothing at the beginning of a line makes it code. */
function inert(text: string): string {
  return text.replace(PUNCTUATION, String.raw`\$&`).replace(/\n[\t ]+/g, '\n').replace(/(?<!\n)\n(?!\n)/g, '  \n');
}
