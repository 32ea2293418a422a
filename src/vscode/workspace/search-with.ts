import type { MayShow, Search } from '../../domain/workspace/search.js';
import { findRipgrep } from '../../node/search/run-ripgrep.js';
import { createRipgrepSearch } from '../../node/search/ripgrep.js';
import { createFindFilesSearch } from './find-files-search.js';

/** Searches with VS Code's ripgrep, or without it where it is in none of the known places. @param appRoot `vscode.env.appRoot`, below which ripgrep is */
export function searchWith(appRoot: string, readGuard: () => Promise<MayShow>): Search {
  let found: Promise<Search> | undefined;
  const search = (): Promise<Search> => {
    found ??= findRipgrep(appRoot).then(
      (program) => createRipgrepSearch(() => Promise.resolve(program), readGuard),
      () => createFindFilesSearch(readGuard),
    );
    return found;
  };
  return {
    grep: async (query, signal) => (await search()).grep(query, signal),
    grepFiles: async (query, signal) => (await search()).grepFiles(query, signal),
    glob: async (query, signal) => (await search()).glob(query, signal),
    searched: async (folder, looked, signal) => (await search()).searched?.(folder, looked, signal),
  };
}
