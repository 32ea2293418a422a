import type { ProjectFiles } from '../../../src/checks/project-files.js';

/** A project in memory. What is no text is written as JSON. */
export function projectOf(files: Readonly<Record<string, string | object>>): ProjectFiles {
  return {
    list: (folder) => {
      const below = Object.keys(files).flatMap((path) => (folder === '' ? [path] : path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
      const entries = new Map(below.map((path) => [path.split('/')[0] ?? '', path.includes('/')]));
      return Promise.resolve([...entries].map(([name, isFolder]) => ({ name, isFolder })).sort((a, b) => (a.name < b.name ? -1 : 1)));
    },
    read: (path) => {
      const content = files[path];
      return Promise.resolve(content === undefined ? undefined : { text: typeof content === 'string' ? content : JSON.stringify(content) });
    },
  };
}
