import type { Documents } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { SymbolPlace } from '../../domain/workspace/symbols.js';

/**
 * Gives places their source lines. Each file is read once, and only files that `mayRead` lets; the text stays empty for
 * the others and for those that cannot be read.
 */
export async function withSourceLines(
  places: readonly SymbolPlace[],
  { documents, mayRead, signal }: { documents: Documents; mayRead: (path: string) => boolean; signal: AbortSignal },
): Promise<readonly SymbolPlace[]> {
  const paths = [...new Set(places.map(({ path }) => path))].filter(mayRead);
  const texts = new Map(await Promise.all(paths.map(async (path) => [path, await linesOf(path, documents, signal)] as const)));
  return places.map((place) => ({ ...place, text: texts.get(place.path)?.[place.line - 1]?.trim() ?? '' }));
}

async function linesOf(path: string, documents: Documents, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const file = await documents.read(path, signal);
    return file.kind === 'text' ? file.text.split(/\r\n|\n|\r/) : [];
  } catch (error) {
    // A file that is gone or too large: its place is told without the line.
    if (error instanceof ToolInputError) return [];
    throw error;
  }
}
