import { describe, expect, it } from 'vitest';
import { importPreview } from '../../../../src/mcp/consent/import-preview.js';
import { FOLDER, configFile, entryOf } from '../config/rig.js';

describe('the view of what could be imported', () => {
  const text = JSON.stringify(
    { mcpServers: { 'a.b': { command: 'npx', args: ['-y', 'my pkg'] }, ws: { type: 'ws', url: 'wss://a.example' }, dev: { command: 'node', dev: {} } } },
    null,
    1,
  );

  it('shows for each server what it would start, and what is wrong', () => {
    const [file] = importPreview([configFile(text)], [FOLDER], []);
    expect(file).toMatchObject({ file: `${FOLDER}/claude.json`, display: 'claude.json', problems: [] });
    expect(file?.servers).toMatchObject([
      { name: 'a.b', line: 3, known: 'no', starts: 'npx -y "my pkg"', description: { id: 'a_b' }, problems: [{ harmless: true }] },
      { name: 'ws', line: 10, known: 'no', problems: [{ key: 'mcpServers.ws.type', line: 11 }] },
      { name: 'dev', known: 'no', starts: 'node', problems: [{ key: 'mcpServers.dev.dev', harmless: true }] },
    ]);
    expect(file?.servers[1]).not.toHaveProperty('starts');
  });

  it('says which servers are there already', () => {
    const same = entryOf({ command: 'npx', args: ['-y', 'my pkg'] }, { name: 'a_b' });
    const other = entryOf({ command: 'other' }, { name: 'ws' });
    expect(importPreview([configFile(text)], [FOLDER], [same, other])[0]?.servers.map(({ known }) => known)).toEqual(['same', 'other', 'no']);
  });

  it('does not take the problems of one server for those of another whose name begins alike', () => {
    const [file] = importPreview([configFile('{ "mcpServers": { "a": { "command": "x" }, "ab": { "command": 1 }, "a.c": { "command": 2 } } }')], [], []);
    expect(file?.servers.map(({ name, problems }) => `${name} ${problems.length}`)).toEqual(['a 0', 'ab 1', 'a.c 2']);
  });

  it('shows what is wrong with a whole file', () => {
    const { source } = configFile('');
    const files = [configFile('{'), { source, display: 'x', problem: 'It is too large.' }, configFile('{ "mcpServers": { "a": { "command": "x", } } }')];
    expect(importPreview(files, [], []).map(({ servers, problems }) => [servers.length, problems.map(({ message }) => message)])).toEqual([
      [0, ['The file is not valid JSON: a closing bracket is missing.']],
      [0, ['It is too large.']],
      [1, ['Trailing commas are not part of JSON, so other programs may not accept the file.']],
    ]);
  });
});
