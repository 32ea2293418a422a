import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Where what became of a call is decided and shown. */
const ROOM = /^src\/(?:domain\/tool|(?:.*\/)?chat\/projection)\//;
/** Patterns over what is no sentence: ids of items of the transcript, and the headings in the argument of a call that patches. */
const OF_OTHERS = ['/^u(\\d{1,9})$/', '/^[ua](\\d{1,9})$/', '/^\\*\\*\\* (Add|Update|Delete) File: (.+?)[^\\S\\n]*$(?:\\n\\*\\*\\* Move to: (.+?)\\s*$)?/m'];
/** What sentences for the model are known by where they are made; nothing else may know them but the reader of old sessions. */
const PHRASES = [
  'Permission denied. ',
  'The user denied this call',
  'Cancelled by the user',
  'Not executed: ',
  'Interrupted before it finished; ',
  'old_string was not found',
  'old_string occurs',
  'has not been read. Read it first',
  'has exactly this content already; ',
  'may not be accessed: ',
  'is a folder. Use list',
  'is read-only; ',
  'is too large to change',
  'stands for text left out',
  'do not fit its schema',
  'There is no tool named ',
];
const MAKER = 'src/domain/tool/for-model.ts';
const OLD_READER = /^src\/session\/codec\/old-/;

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts'));

/** The regular expressions in a file, as they are written. */
function patternsIn(file: string): readonly string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp') found.push(node.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('what became of a call is not read from sentences: where it is shown, there is no pattern at all', () => {
  const files = SOURCES.filter((file) => ROOM.test(file));
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(patternsIn).sort()).toEqual([...OF_OTHERS].sort());
});

test('sentences about calls that failed are in one place, and in the reader of sessions from before outcomes were data', () => {
  const knowing = SOURCES.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return PHRASES.some((phrase) => text.includes(phrase));
  });
  expect(knowing.filter((file) => !OLD_READER.test(file))).toEqual([MAKER]);
});
