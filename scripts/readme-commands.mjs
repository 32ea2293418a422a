/**
 * The README's table of commands, made from the manifest. `npm run readme` writes it; a test holds the two against each other.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const README = 'README.md';
const BEGIN = '<!-- commands: made by npm run readme -->';
const END = '<!-- end of commands -->';

/**
 * @typedef {object} Manifest
 * @property {{ commands: { command: string, title: string }[], menus: { commandPalette: { command: string, when: string }[] }, keybindings: { command: string, key: string, mac?: string }[] }} contributes
 */

/**
 * Puts the table of the manifest's commands in the place of the one in a README.
 * @param {string} readme the whole text
 * @param {Manifest} manifest what `package.json` holds
 * @param {Record<string, string>} words what `package.nls.json` holds
 * @returns {string} the whole text with the table as it has to be
 * @throws {Error} when the README has no place for it
 */
export function withCommands(readme, manifest, words) {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${README} has no ${BEGIN} and ${END}.`);
  return `${readme.slice(0, begin)}${BEGIN}\n${commandTable(manifest, words)}\n${readme.slice(end)}`;
}

/**
 * @param {Manifest} manifest
 * @param {Record<string, string>} words
 */
function commandTable({ contributes: { commands, menus, keybindings } }, words) {
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  const rows = commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, title }) => {
      const binding = keybindings.find((each) => each.command === command);
      const keys = binding === undefined ? '' : `${binding.key}${binding.mac === undefined ? '' : ` (${binding.mac})`}`;
      return `| Gnomon: ${words[title.slice(1, -1)] ?? title} | \`${command}\` | ${keys} |`;
    });
  return ['| in the palette | for key bindings | key |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Writes the table. */
async function main() {
  const [readme, manifest, words] = await Promise.all([README, 'package.json', 'package.nls.json'].map((file) => readFile(file, 'utf8')));
  await writeFile(README, withCommands(readme ?? '', JSON.parse(manifest ?? ''), JSON.parse(words ?? '')));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
