import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TERMINAL_TEXTS } from '../../../src/headless/terminal-texts.js';

/** What only VS Code has: its commands, its settings for the network, and itself. */
const ONLY_THERE = /“Gnomon: |http\.proxy|VS Code\. Set it|start VS Code/;
/** Rooms whose texts a terminal shows. What is about consent, marks of edits, and searches that VS Code sets up is shown there alone. */
const ROOMS = ['provider', 'models', 'engine', 'mcp', 'permission'];

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Readonly<Record<string, string>>;
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.endsWith('.ts') ? [join(folder, name)] : []));
const joined = (text: string): string => text.replaceAll(/'\s*\+\s*'/g, '').replaceAll("\\'", "'");
const source = joined(ROOMS.flatMap((room) => filesOf(join('src', room)).map((path) => readFileSync(path, 'utf8'))).join('\n'));

it('what names commands of VS Code is said otherwise in a terminal', () => {
  const shown = Object.keys(german).filter((text) => ONLY_THERE.test(text) && source.includes(`'${text}'`));
  expect(shown.length).toBeGreaterThan(8);
  expect(shown.filter((text) => TERMINAL_TEXTS[text] === undefined)).toEqual([]);
});

it('takes the place of texts that there are, with the same values', () => {
  const values = (text: string): readonly string[] => [...new Set(text.match(/\{\d\}/g))].sort();
  for (const [text, inTerminal] of Object.entries(TERMINAL_TEXTS)) {
    expect(german[text], text).toBeTypeOf('string');
    expect(values(text), text).toEqual(expect.arrayContaining([...values(inTerminal)]));
  }
});
