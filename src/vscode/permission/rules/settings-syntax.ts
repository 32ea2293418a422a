/** Strings, which stay, and comments, which go, in JSON as VS Code reads it. What is open at the end is taken up to there. */
const STRING_OR_COMMENT = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g;
/** Strings, which stay, and a comma before the end of a list or an object, which VS Code allows. */
const STRING_OR_LAST_COMMA = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|,(?=\s*[}\]])/g;
/** Characters of a settings file that are looked at; a longer one is not judged. */
const MAX_LENGTH = 2_000_000;

/** Whether the text of a settings file is JSON with comments, as VS Code reads it without leaving anything out. */
export function isWholeSettings(text: string): boolean {
  if (text.trim() === '' || text.length > MAX_LENGTH) return true;
  const bare = text.replace(/^\uFEFF/, '').replace(STRING_OR_COMMENT, keepStrings).replace(STRING_OR_LAST_COMMA, keepStrings);
  if (bare.trim() === '') return true;
  try {
    JSON.parse(bare);
    return true;
  } catch {
    // That it is not JSON is the answer.
    return false;
  }
}

/** Whether a settings file names rules of permission, also as the part of a name that a broken line leaves. */
export function namesRules(text: string): boolean {
  return text.includes('gnomon.permissions');
}

function keepStrings(match: string): string {
  return match.startsWith('"') ? match : ' ';
}
