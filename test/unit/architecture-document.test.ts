import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../.dependency-cruiser.mjs';

const text = readFileSync('docs/architecture.md', 'utf8');
const named = [...new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words))];

const inRepository = ['src', 'webview', 'scripts', 'test'].flatMap((folder) => {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true });
  return below.map((entry) => `/${entry.parentPath}/${entry.name}${entry.isDirectory() ? '/' : ''}`.replaceAll('\\', '/'));
});
const sources = inRepository.filter((path) => /^\/(?!test\/(?:fixtures|eval)\/).*\.(?:ts|mjs|svelte)$/.test(path));

test('docs/architecture.md names files and folders that exist', () => {
  const top = [...readdirSync('.').map((name) => `/${name}`), '/bin/gnomon', '/src/', '/test/', '/webview/'];
  // What is built need not be there.
  const paths = named.filter((words) => /^(?!dist\/)[\w-][\w./-]*\/[\w./-]*$|^[\w./-]+\.(?:ts|mjs|svelte|css|json)$/.test(words));
  expect(paths.length).toBeGreaterThan(250);
  const known = [...inRepository, ...top];
  expect(paths.filter((path) => !known.some((each) => each.endsWith(`/${path}`) || each.endsWith(`/${path}/`)))).toEqual([]);
});

/** What is defined in a file: types, functions, and constants, members, texts that are names, and the component that it is. */
const DEFINED = /\b(?:class|interface|type|function\*?|const) (\w+)|^ +(?:(?:private|static|readonly|async|get) )*(\w+)(?:<.*>)?\??[:(]|'(\w+)'/gm;

test('docs/architecture.md names types, functions, and members that exist', () => {
  const files = sources.map((path) => ({ path, content: readFileSync(`.${path}`, 'utf8') }));
  const defined = files.map(({ path, content }) => ({
    names: new Set([basename(path, '.svelte'), ...[...content.matchAll(DEFINED)].flatMap((match) => match.slice(1))]),
    words: new Set(content.match(/\w+/g)),
  }));
  const names = named.filter((words) => /^[A-Za-z]+(?:\.[A-Za-z]+)?(?:\(\)|\[\])?$/.test(words)).map((name) => name.replace(/\W+$/, ''));
  const ours = names.filter((name) => /[a-z][A-Z]|^[A-Z][a-z]/.test(name));
  expect(ours.length).toBeGreaterThan(50);
  const missing = ours.filter((name) => {
    const [of = '', member] = name.split('.');
    return !defined.some(({ names, words }) => names.has(of) && (member === undefined || words.has(member)));
  });
  expect(missing).toEqual([]);
});

test('docs/architecture.md says of each folder what the rules of imports say', () => {
  const folders = readdirSync('src', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  // `concurrency` is said once, for all.
  const rows = folders
    .filter((folder) => !['concurrency', 'vscode'].includes(folder))
    .map((folder) => {
      const allowed = new RegExp(config.forbidden.find(({ name }) => name === `${folder}-imports-what-is-below`)?.to.pathNot ?? '$^');
      const rooms = folders.filter(
        (other) => ![folder, 'concurrency'].includes(other) && sources.some((path) => path.startsWith(`/src/${other}/`) && allowed.test(path.slice(1))),
      );
      const cell = new RegExp(`^\\| \`src/${folder}/\` \\|.*\\| ([^|]*) \\|$`, 'm').exec(text)?.[1] ?? 'no row';
      const said = [...cell.matchAll(/`([\w-]+)[^`]*`/g)].map(([, room = '']) => room);
      return { folder, rooms: rooms.sort(), said: said.sort() };
    });
  expect(rows.map(({ folder, said }) => [folder, said])).toEqual(rows.map(({ folder, rooms }) => [folder, rooms]));
});
