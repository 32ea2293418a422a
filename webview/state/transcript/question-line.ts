/** Characters of a question that are looked at: more than fits into a line. */
const MAX_LENGTH = 200;

/** A question in one line. */
export function questionLine(text: string): string {
  return text.trim().slice(0, MAX_LENGTH).replace(/\s+/g, ' ');
}

/** Whether the title of a conversation says what the question says: it is made of the first one. */
export function saysTitle(text: string, title: string): boolean {
  const line = questionLine(text);
  return line === title || (title.endsWith('…') && title.length > 1 && line.startsWith(title.slice(0, -1)));
}
