/** Punctuation that Markdown could take for something else. Markdown allows a backslash before any ASCII punctuation. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** A code span: text between backticks on one line. */
const CODE = /`([^`\n]+)`/;

/**
 * Escapes text of a model as Markdown that renders as plain text: no links, no pictures, no HTML, no headings. Only text
 * between backticks is shown as code.
 */
export function inertMarkdown(text: string): string {
  // Every other part was between backticks.
  return text
    .trimStart()
    .split(CODE)
    .map((part, index) => (index % 2 === 0 ? inert(part) : `\`\` ${part} \`\``))
    .join('');
}

/** Blank lines part paragraphs, other line breaks stay; nothing at the beginning of a line makes it code. */
function inert(text: string): string {
  return text
    .replace(PUNCTUATION, String.raw`\$&`)
    .replace(/\n[\t ]+/g, '\n')
    .replace(/(?<!\n)\n(?!\n)/g, '  \n');
}
