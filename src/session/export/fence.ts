/** Text in a fence that no backticks inside of it can close. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

/** Begins or ends a fenced block of Markdown: up to three spaces, then at least three backticks or tildes. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** HTML that would fold or hide what follows. */
const FOLDING = /<(?=\/?(?:details|summary)\b|!--)/gi;

/** Markdown of a message that has no effect on what follows it: open fences are closed, and HTML that folds or hides is shown. */
export function contained(markdown: string): string {
  let open: string | undefined;
  const lines = markdown.split('\n').map((line) => {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open === undefined) {
      if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) open = mark;
      return open === undefined ? line.replace(FOLDING, '&lt;') : line;
    }
    if (mark.startsWith(open) && rest.trim() === '') open = undefined;
    return line;
  });
  return [...lines, ...(open === undefined ? [] : [open])].join('\n');
}

/** Plain text on one line of HTML. */
export function escapeHtml(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
