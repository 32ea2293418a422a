import { describe, expect, test } from 'vitest';
import { blanksOf, expandTemplate } from '../../../../src/mcp/resources/uri-template.js';

/** Values and results of RFC 6570, section 3.2. */
const VALUES = {
  var: 'value',
  hello: 'Hello World!',
  half: '50%',
  empty: '',
  path: '/foo/bar',
  base: 'http://example.com/home/',
  x: '1024',
  y: '768',
  who: 'fred',
  v: '6',
  keys: 'a',
};

describe('addresses with blanks (RFC 6570)', () => {
  test.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['{x,y}', '1024,768'],
    ['?{x,empty}', '?1024'],
    ['{var:3}', 'val'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{+base}index', 'http://example.com/home/index'],
    ['{+path}/here', '/foo/bar/here'],
    ['X{#var}', 'X#value'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['X{.var}', 'X.value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{?x,y}', '?x=1024&y=768'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{?undef,y}', '?y=768'],
    ['{undef}', ''],
    ['{keys*}', 'a'],
    ['repo://{who}/{!bad}', 'repo://fred/'],
    ['no blanks {', 'no blanks {'],
  ])('%s is %s', (template, expanded) => {
    expect(expandTemplate(template, VALUES)).toBe(expanded);
  });

  test('a value cannot leave its place', () => {
    expect(expandTemplate('file:///docs/{name}', { name: '../../etc/passwd?x#y' })).toBe('file:///docs/..%2F..%2Fetc%2Fpasswd%3Fx%23y');
    expect(expandTemplate('a:{x}', { x: '\uD800%2F' })).toBe('a:%EF%BF%BD%252F');
    expect(expandTemplate('a:{+x}', { x: '%2F%zz' })).toBe('a:%2F%25zz');
  });

  test('blanks in their order, each once; those of a query can stay empty', () => {
    expect(blanksOf('repo://{owner}/{repo}{/owner}{?page,per-page}')).toEqual([
      { name: 'owner', required: true },
      { name: 'repo', required: true },
      { name: 'page', required: false },
      { name: 'per-page', required: false },
    ]);
    expect(blanksOf('{?a}{a}')).toEqual([{ name: 'a', required: true }]);
    expect(blanksOf(Array.from({ length: 50 }, (_, index) => `{v${index}}`).join(''))).toHaveLength(20);
    expect(blanksOf('{__proto__}').map(({ name }) => name)).toEqual(['__proto__']);
    expect(expandTemplate('{__proto__}{constructor}', {})).toBe('');
  });
});
