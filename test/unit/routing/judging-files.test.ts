import { describe, expect, it } from 'vitest';
import { type FileText, type Judges, judgesAfter } from '../../../src/routing/judging-files.js';

const TEST = `import { it } from 'vitest';
import { add } from '../src/add';

it('adds', () => {
  expect(add(1, 2)).toBe(3);
  expect(add(0, 0)).toBe(0);
});
`;
const PYTEST = `def test_add():\n    assert add(1, 2) == 3\n`;
const MANIFEST = { scripts: { test: 'vitest run', build: 'tsc' }, dependencies: { a: '1' } };

function file(path: string, text: string | undefined): FileText {
  return { path, text };
}

function changed(path: string, before: string, after: string): Judges {
  return judgesAfter(file(path, before), file(path, after));
}

function manifest(change: object): Judges {
  return changed('package.json', JSON.stringify(MANIFEST), JSON.stringify({ ...MANIFEST, ...change }));
}

describe('what a change did to what judges it', () => {
  it.each<[string, Judges, Judges]>([
    ['a test is deleted', judgesAfter(file('test/add.test.ts', TEST), undefined), 'weakened'],
    ['a snapshot is deleted', judgesAfter(file('src/__snapshots__/a.ts.snap', 'exports[`a`] = 1'), undefined), 'weakened'],
    ['a test is moved to where none is looked for', judgesAfter(file('test/add.test.ts', TEST), file('old/add.ts', TEST)), 'weakened'],
    ['a test is moved among tests', judgesAfter(file('test/add.test.ts', TEST), file('test/sum.test.ts', TEST)), 'untouched'],
    ['an assertion is removed', changed('test/add.test.ts', TEST, TEST.replace('  expect(add(0, 0)).toBe(0);\n', '')), 'weakened'],
    ['an assertion becomes a comment', changed('test/add.test.ts', TEST, TEST.replace('expect(add(0', '// expect(add(0')), 'weakened'],
    ['a test is skipped', changed('test/add.test.ts', TEST, TEST.replace("it('adds'", "it.skip('adds'")), 'weakened'],
    ['only another test runs', changed('test/add.test.ts', TEST, `${TEST}it.only('is', () => {\n  expect(1).toBe(1);\n});\n`), 'weakened'],
    ['another result is expected', changed('test/add.test.ts', TEST, TEST.replace('toBe(3)', 'toBe(4)')), 'changed'],
    ['a test is added', changed('test/add.test.ts', TEST, `${TEST}it('adds more', () => {\n  expect(add(2, 2)).toBe(4);\n});\n`), 'untouched'],
    ['only what is imported is changed', changed('test/add.test.ts', TEST, TEST.replace('{ add }', '{ add, sub }')), 'untouched'],
    ['what a test compares with is changed', changed('tests/data/expected.json', '{"a":1}', '{"a":2}'), 'changed'],
    ['a test in Python is skipped', changed('pkg/test_add.py', PYTEST, `@pytest.mark.skip\n${PYTEST}`), 'weakened'],
    ['a test in Go is skipped', changed('add_test.go', 'func TestAdd(t *T) {\n}', 'func TestAdd(t *T) {\n\tt.Skip()\n}'), 'weakened'],
    ['a test in Rust is removed from the file that it tests', changed('src/lib.rs', 'fn a() {}\n#[test]\nfn b() { assert!(true); }', 'fn a() {}'), 'weakened'],
    ['a test is no text any longer', judgesAfter(file('test/add.test.ts', TEST), file('test/add.test.ts', undefined)), 'changed'],
    ['a test is made', judgesAfter(undefined, file('test/add.test.ts', TEST)), 'untouched'],
    ['code is deleted', judgesAfter(file('src/add.ts', 'export const a = 1;'), undefined), 'untouched'],
    ['code with words of tests is changed', changed('src/contest.ts', 'latest(1); expect(2);', 'latest(2);'), 'untouched'],
    ['the configuration of the tests is made', judgesAfter(undefined, file('vitest.config.ts', 'export default { exclude: ["**"] }')), 'changed'],
    ['a build file is changed', changed('CMakeLists.txt', 'add_test(a)', 'add_test(b)'), 'changed'],
    ['a workflow is deleted', judgesAfter(file('.github/workflows/ci.yml', 'on: push'), undefined), 'weakened'],
    ['the script of the tests is another one', manifest({ scripts: { ...MANIFEST.scripts, test: 'exit 0' } }), 'weakened'],
    ['the script of the tests is gone', manifest({ scripts: { build: 'tsc' } }), 'weakened'],
    ['another script is changed', manifest({ scripts: { ...MANIFEST.scripts, build: 'tsc -b' } }), 'changed'],
    ['only a dependency is added', manifest({ dependencies: { a: '1', b: '2' } }), 'untouched'],
    ['the manifest is broken', changed('package.json', JSON.stringify(MANIFEST), '{'), 'changed'],
  ])('%s', (_what, found, expected) => {
    expect(found).toBe(expected);
  });
});
