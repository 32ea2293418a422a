import { describe, expect, it } from 'vitest';
import { codeColors, tokenRules, colorsOfTheme } from '../../../../src/vscode/theme/theme-files.js';

const rule = (scope: unknown, foreground: unknown): object => ({ scope, settings: { foreground } });

describe('the colors of code in a theme', () => {
  it('are those of the most exact scope, of equal ones the last', () => {
    const rules = tokenRules([
      rule('constant.numeric', '#111111'),
      rule('constant', '#222222'),
      rule('string', '#333333'),
      rule('string', '#444444'),
      rule(['keyword', 'storage.type'], '#555555'),
      rule('keyword.control', '#666666'),
    ]);
    expect(codeColors(rules)).toEqual({ number: '#111111', string: '#444444', keyword: '#555555', meta: '#666666' });
  });

  it('come from scopes in lists and with commas, and not from those within others', () => {
    expect(codeColors(tokenRules([rule('comment, entity.name.tag', '#ABC'), rule('source.css entity.name.function', '#000000')]))).toEqual({
      comment: '#aabbcc',
      tag: '#aabbcc',
    });
  });

  it('are no colors where the theme says something else', () => {
    const wrong = [rule('string', 'red'), rule('string', 'url(https://example.com/x)'), rule('string', 7), rule(7, '#111111'), { scope: 'string' }, null, 'x'];
    expect(codeColors(tokenRules(wrong))).toEqual({});
    expect(tokenRules('nothing')).toEqual([]);
  });
});

describe('the files of a theme', () => {
  const files: Readonly<Record<string, string>> = {
    '/themes/own.json':
      '{ // with comments\n "include": "./base/dark.json", "tokenColors": [{ "scope": "string", "settings": { "foreground": "#010101" } },] }',
    '/themes/base/dark.json':
      '{ "tokenColors": [{ "scope": "string", "settings": { "foreground": "#020202" } }, { "scope": "comment", "settings": { "foreground": "#030303" } }] }',
    '/themes/named.json': '{ "tokenColors": "./rules.json" }',
    '/themes/rules.json': '{ "tokenColors": [{ "scope": "comment", "settings": { "foreground": "#040404" } }] }',
    '/themes/old.json': '{ "tokenColors": "./old.tmTheme" }',
    '/themes/round.json': '{ "include": "./round.json" }',
    '/themes/broken.json': '{ "tokenColors": [',
  };
  const colors = (path: string): Promise<unknown> => colorsOfTheme(path, (each) => Promise.resolve(files[each] ?? ''));

  it.each([
    ['/themes/own.json', { string: '#010101', comment: '#030303' }],
    ['/themes/named.json', { comment: '#040404' }],
    ['/themes/old.json', {}],
    ['/themes/round.json', {}],
    ['/themes/broken.json', {}],
    ['/themes/older.tmTheme', {}],
  ])('%s', async (path, expected) => {
    expect(await colors(path)).toEqual(expected);
  });
});
