import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { useTexts } from '../../../src/domain/l10n.js';
import { TERMINAL_TEXTS } from '../../../src/headless/terminal-texts.js';
import { errorText } from '../../../src/provider/http/error-text.js';
import { unreachable } from '../../../src/provider/http/failures.js';
import { parseEndpoint } from '../../../src/provider/anthropic/endpoint.js';

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

it('says of an address that leads nowhere how it is set here, and names no setting of VS Code', () => {
  useTexts(TERMINAL_TEXTS);
  onTestFinished(() => useTexts({}));
  const server = { host: '127.0.0.1:9', addressSetting: 'gnomon.anthropic.baseUrl' };
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const said = [unreachable(refused, server).message, errorText('not_found', server, { detail: '' })];
  expect(() => parseEndpoint('nonsense')).toThrow('ANTHROPIC_BASE_URL');
  for (const text of said) {
    expect(text).toContain('the environment variable ANTHROPIC_BASE_URL or OPENAI_BASE_URL');
    expect(text).not.toContain('gnomon.');
  }
});
