import fc from 'fast-check';
import { type ParseError, createScanner, parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { type RuleChange, changeRules } from '../../../../src/config/permissions/change-rules.js';
import { runs } from '../../../support/runs.js';

const change: (text: string, what: RuleChange) => string = changeRules;
const allow = (text: string, ...add: readonly string[]): string => change(text, { effect: 'allow', add });
const without = (text: string, remove: string): string => change(text, { effect: 'allow', remove });

const COMMENTED = `{
  // for everyone
  "model": "a/b", /* as agreed */
  "permissions": {
    "allow": [
      "Read", // why read
      // about tests
      "Bash(npm test)" // why tests
    ], // end of allow
    "unknown": { "b": 1, "a": [1,2] }
  },
  "zzz": null,
}
`;

describe('S-07: changing the rules of a settings file', () => {
  it('adds behind the comments of its neighbors, and removes without those of others', () => {
    expect(allow(COMMENTED, 'Edit')).toBe(COMMENTED.replace('"Bash(npm test)" // why tests\n', '"Bash(npm test)", // why tests\n      "Edit"\n'));
    expect(without(COMMENTED, 'Read')).toBe(COMMENTED.replace('      "Read", // why read\n', ''));
    expect(without(COMMENTED, 'Bash(npm test)')).toBe(COMMENTED.replace('"Read", //', '"Read" //').replace('      "Bash(npm test)" // why tests\n', ''));
    expect(change(COMMENTED, { effect: 'deny', add: ['A', 'B'] })).toBe(
      COMMENTED.replace('[1,2] }\n', '[1,2] },\n    "deny": [\n      "A",\n      "B"\n    ]\n'),
    );
  });

  it.each([
    ['', '{\n  "permissions": {\n    "allow": [\n      "X"\n    ]\n  }\n}\n'],
    ['\r\n', '{\r\n  "permissions": {\r\n    "allow": [\r\n      "X"\r\n    ]\r\n  }\r\n}\r\n'],
    ['{}', '{\n  "permissions": {\n    "allow": [\n      "X"\n    ]\n  }\n}'],
    ['{"a":1}', '{"a":1, "permissions": {"allow":["X"]}}'],
    ['{"permissions":{"allow":[]}}', '{"permissions":{"allow":["X"]}}'],
    ['{"permissions":{"allow":["a"]}}\n', '{"permissions":{"allow":["a", "X"]}}\n'],
    ['{"permissions":{"allow":["a",]}}', '{"permissions":{"allow":["a", "X",]}}'],
    ['{\n\t"permissions": {\n\t\t"allow": []\n\t}\n}', '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"X"\n\t\t]\n\t}\n}'],
    ['{\r\n    "permissions": {\r\n    }\r\n}', '{\r\n    "permissions": {\r\n        "allow": [\r\n            "X"\r\n        ]\r\n    }\r\n}'],
    ['{\n  "permissions": {\n    "allow": [\n      "a",\n    ],\n  },\n}', '{\n  "permissions": {\n    "allow": [\n      "a",\n      "X",\n    ],\n  },\n}'],
    ['{ // here\n}', '{ // here\n  "permissions": {\n    "allow": [\n      "X"\n    ]\n  }\n}'],
    ['{\n  "permissions": { "allow": ["a" /* a */] }\n}', '{\n  "permissions": { "allow": ["a" /* a */, "X"] }\n}'],
    ['{"permissions":{"allow":["a"],"allow":["b"]}}', '{"permissions":{"allow":["a"],"allow":["b", "X"]}}'],
  ])('writes what it adds like the rest of %j', (before, after) => {
    expect(allow(before, 'X')).toBe(after);
  });

  it.each([
    ['["X"]', '[]'],
    ['[ "X", ]', '[]'],
    ['["X", "b"]', '["b"]'],
    ['["a", "X"]', '["a"]'],
    ['["a", "X", "b"]', '["a", "b"]'],
    ['["a", /* x */ "X" /* y */, "b"]', '["a", /* x */ /* y */ "b"]'],
    ['["a", // a\n "X"]', '["a" // a\n]'],
    ['[\n  // first\n  "X",\n  "b"\n]', '[\n  // first\n  "b"\n]'],
    ['[\n  "a",\n  "X",\n  // last\n]', '[\n  "a",\n  // last\n]'],
    ['[\n  "X"\n  // none\n]', '[\n  // none\n]'],
    ['["X", "b", "X"]', '["b"]'],
    ['[\n  "a",\n  "X", // 👩‍💻 x\n  "b"\n]', '[\n  "a",\n  "b"\n]'],
    ['["a", "X" // x\n, "b"]', '["a", // x\n "b"]'],
    ['[{"X": "X"}, "X"]', '[{"X": "X"}]'],
  ])('removes from %j no more than the rule', (list, after) => {
    expect(without(`{"permissions":{"allow":${list}}}`, 'X')).toBe(`{"permissions":{"allow":${after}}}`);
  });

  it('removes a rule from every list of its name, and changes nothing where there is none', () => {
    expect(without('{"permissions":{"allow":["X","a"],"deny":["X"],"allow":["X"]}}', 'X')).toBe('{"permissions":{"allow":["a"],"deny":["X"],"allow":[]}}');
    for (const text of ['', ' \n', '{}', COMMENTED]) expect(without(text, 'Nothing')).toBe(text);
    expect(allow(COMMENTED, 'Read', 'Read')).toBe(COMMENTED);
  });

  it.each([
    ['{"permissions": {"allow": ["a"', /Line 1: .*not valid JSON/],
    ['{\n "a": 1\n "b": 2 }', /Line 3: .*comma/],
    ['[]', /object in braces/],
    ['{"permissions": []}', /“permissions” must be an object/],
    ['{"permissions": {"allow": "Read"}}', /“permissions\.allow” must be an array/],
    ['{"permissions": {"allow": null}}', /must be an array/],
    ['['.repeat(300), /nested/],
  ])('refuses %.40j and says what is wrong', (text, problem) => {
    expect(() => allow(text, 'X')).toThrow(problem);
    expect(() => without(text, 'a')).toThrow(problem);
  });

  const comment = fc.constantFrom('', '', '', ' // c,"]}\n', ' /* c ] " , */ ', '\n', '\r\n  ', '\t', '  // ü\n\n');
  const element = fc.tuple(comment, fc.constantFrom('"a"', '"X"', '"b,]"', '{"X":1}', '["X"]', '3'), comment).map((parts) => parts.join(''));
  const list = fc
    .tuple(fc.array(element, { maxLength: 5 }), fc.boolean(), comment)
    .map(([parts, trailing, end]) => `[${parts.join(',')}${trailing && parts.length > 0 ? ',' : ''}${end}]`);
  const file = fc
    .tuple(comment, list, comment, fc.constantFrom('', '"z":1,', '\n  "y": {"q":[]},'))
    .map(([before, rules, behind, other]) => `{${other}${before}"permissions":${behind}{"allow":${rules}${before}}${behind}}`);
  const read = (text: string): unknown => {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    expect(errors).toEqual([]);
    return value;
  };
  const commentsOf = (text: string): readonly string[] => {
    const scanner = createScanner(text);
    const found: string[] = [];
    for (let token: number = scanner.scan(); token !== 17; token = scanner.scan()) if (token === 12 || token === 13) found.push(scanner.getTokenValue());
    return found;
  };
  const allowed = (text: string): readonly unknown[] => (read(text) as { permissions: { allow: unknown[] } }).permissions.allow;

  it('adds to any file exactly one entry, keeps every comment, and takes it out again without a trace', () => {
    fc.assert(
      fc.property(file, (text) => {
        const after = allow(text, 'New');
        expect(allowed(after)).toEqual([...allowed(text), 'New']);
        expect(commentsOf(after)).toEqual(commentsOf(text));
        expect(allowed(without(after, 'New'))).toEqual(allowed(text));
        expect(commentsOf(without(after, 'New'))).toEqual(commentsOf(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it('removes from any file exactly the entries with the text', () => {
    fc.assert(
      fc.property(file, (text) => {
        const after = without(text, 'X');
        expect(allowed(after)).toEqual(allowed(text).filter((entry) => entry !== 'X'));
        expect({ ...(read(after) as object), permissions: 0 }).toEqual({ ...(read(text) as object), permissions: 0 });
      }),
      { numRuns: runs(500) },
    );
  });
});
