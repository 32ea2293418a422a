import { escapeHidden } from '../domain/hidden-characters.js';
import type { UsedFolder } from '../domain/workspace/binding.js';
import type { UsedFile } from '../domain/workspace/used-file.js';

/** A text in double quotes with its line breaks and invisible characters as escapes, for what users read before they approve it. */
export function quoted(text: string): string {
  return escapeHidden(JSON.stringify(text));
}

/** The line of a file in such a text. Whatever changes about the file changes the line. */
export function usedFileLine(key: string, { path, sha256, leadsTo, tooLarge }: UsedFile): string {
  const content =
    sha256 !== undefined
      ? `SHA-256 ${sha256}`
      : leadsTo !== undefined
        ? `link to ${quoted(leadsTo)}`
        : tooLarge !== undefined
          ? `${tooLarge} bytes`
          : '(not readable)';
  return `${key} ${quoted(path)}: ${content}`;
}

/** The line of a folder of which all is bound. */
export function usedFolderLine({ path, content }: UsedFolder): string {
  if (content === undefined) return `folder ${quoted(path)}: (too much to look at)`;
  const files = content.files === 1 ? '1 file' : `${content.files} files`;
  return `folder ${quoted(path)}: ${files}, SHA-256 ${content.sha256}`;
}
