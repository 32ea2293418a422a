import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../../src/engine/tool-call/arguments.js';
import { runs } from '../../../support/runs.js';

/** The value that arguments are read as, or why they are not. */
function read(raw: string): unknown {
  const parsed = parseArguments(raw);
  return parsed.ok ? parsed.value : parsed.problem;
}

const refused = (raw: string): void => {
  expect(parseArguments(raw), raw).toMatchObject({ ok: false });
};

const WORDS = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '/', '{', '}', '[', ']', ',', ':', ' ', '\n', '\t', '\r', '\u0001', 'é', 'u', 'n'),
  maxLength: 12,
});
const OBJECT = fc.dictionary(
  fc.stringMatching(/^[a-z_]{1,6}$/),
  fc.oneof(WORDS, fc.integer(), fc.boolean(), fc.constant(null), fc.array(WORDS, { maxLength: 3 })),
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
);

/** An object as JSON in another way of writing. */
const written = (value: object, indent: number): string => JSON.stringify(value, undefined, indent);

describe('arguments that are JSON', () => {
  it('are never changed', () => {
    fc.assert(
      fc.property(fc.oneof(OBJECT, fc.object({ maxDepth: 3 })), fc.nat(4), (value, indent) => {
        const text = written(value, indent);
        expect(parseArguments(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown, text });
      }),
      { numRuns: runs(300) },
    );
    for (const value of [1, null, true, 'text', [], [1], [[]], ['a', 'b'], [{}, {}]]) refused(JSON.stringify(value));
  });
});

describe('arguments that one rule makes JSON', () => {
  const REPAIRS: Readonly<Record<string, (text: string) => string>> = {
    'a comma too many': (text) => text.replace(/(?<=[^\s{[])(\s*)\}$/, ',$1}'),
    'the same object twice': (text) => `${text}${text}`,
    'the same object three times, on lines of their own': (text) => `${text}\n${text}\n\n${text}`,
    'a byte-order mark': (text) => `\uFEFF${text}`,
    'a list of one object': (text) => `[${text}]`,
    'words behind it': (text) => `${text}\nI will read the file now.`,
    'the end of a tag behind it': (text) => `${text}\n</tool_call>`,
    'raw control characters': (text) => text.replace(/\\n/g, (escape, at: number) => (isEscaped(text, at) ? escape : '\n')),
  };

  it.each(Object.entries(REPAIRS))('are read as what they mean: %s', (_, change) => {
    fc.assert(
      fc.property(OBJECT, fc.nat(3), (value, indent) => {
        expect(read(change(written(value, indent)))).toEqual(value);
      }),
    );
  });

  it('are read as what they mean, with several of these at once, in a fence and as a text', () => {
    fc.assert(
      fc.property(OBJECT, fc.nat(3), fc.boolean(), fc.boolean(), (value, indent, isFenced, isText) => {
        const broken = `[${REPAIRS['a comma too many']?.(written(value, indent)) ?? ''},]`;
        const text = isText ? JSON.stringify(broken) : broken;
        expect(read(isFenced ? `\`\`\`json\n${text}\n\`\`\`` : text)).toEqual(value);
      }),
    );
  });

  it('keep every control character of a string, and send JSON on', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.integer({ min: 0, max: 31 }).map((code) => String.fromCharCode(code)), minLength: 1, maxLength: 6 }), (words) => {
        const parsed = parseArguments(`{"content":"a${words}b"}`);
        expect(parsed).toMatchObject({ ok: true, value: { content: `a${words}b` } });
        expect(parsed.ok && JSON.parse(parsed.text)).toEqual({ content: `a${words}b` });
      }),
    );
  });

  it('keep a backslash that begins no escape', () => {
    const letters = fc
      .constantFrom(...'dDwWsSpPkABZzGQER.*+?()[]|^-é로{}ca-m1239'.split(''), 'users', 'Users', 'u12', 'xyz')
      .filter((word) => !/^[bfnrt]/.test(word));
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), fc.boolean(), (parts, isQuoted) => {
        const words = parts.map((part) => `\\${part} `).join('');
        expect(read(`{"pattern":"${words}${isQuoted ? '\\"' : ''}","path":"C:\\\\a\\n"}`)).toEqual({
          pattern: `${words}${isQuoted ? '"' : ''}`,
          path: 'C:\\a\n',
        });
      }),
    );
    expect(read(String.raw`{"pattern":"\d+"}`)).toEqual({ pattern: String.raw`\d+` });
    expect(read(String.raw`{"file_path":"C:\users"}`)).toEqual({ file_path: String.raw`C:\users` });
    expect(read(String.raw`{"text":"\로"}`)).toEqual({ text: String.raw`\로` });
  });
});

describe('arguments that could mean two things stay refused', () => {
  it.each([
    // A backslash of JSON and one that is itself in one string: the others are either.
    String.raw`{"file_path":"C:\users\new"}`,
    String.raw`{"file_path":"C:\\Users\data"}`,
    String.raw`{"pattern":"\d+\n"}`,
    String.raw`{"pattern":"\d \u0041"}`,
    // Characters in other languages.
    String.raw`{"command":"echo \'hi\'"}`,
    String.raw`{"command":"echo \$HOME"}`,
    '{"command":"echo \\`date\\`"}',
    String.raw`{"text":"\x41"}`,
    String.raw`{"text":"\0"}`,
    String.raw`{"text":"\u{1F600}"}`,
    String.raw`{"text":"\U0001F600"}`,
    '{"command":"a \\\n b"}',
    // Two objects, more fields behind the first, and quotes that end a string too early.
    '{"file_path":"a"}{"file_path":"b"}',
    '{"file_path":"a"} or {"file_path":"a"}',
    '{"file_path":"a"}, "limit": 5}',
    '{"file_path":"a"}}',
    '{"command":"echo "}" done"}',
    '{"command":"echo "hi""}',
    // Cut off, or no JSON by any rule.
    '{"file_path":"a',
    '{"file_path":"a"',
    '{"file_path":"a",',
    '{"a":[1,2,}',
    '{,}',
    // Nothing is said in what could be read.
    '{}{}',
    '{} a.ts',
    '[{}]',
    '{\n} {"file_path":"a"}',
    '{"a":1,,}',
    "{'file_path':'a'}",
    '{file_path:"a"}',
    'I will read {"file_path":"a"}',
  ])('%s', refused);

  it('whatever is cut off from an object', () => {
    fc.assert(
      fc.property(OBJECT, fc.nat(), (value, cut) => {
        const text = written(value, 1);
        refused(text.slice(0, cut % text.length));
      }),
    );
  });

  it('stream-16: long texts are read in a time in proportion to them', () => {
    const long = [
      `{"a":"${'\n'.repeat(200_000)}`,
      `{"a":1${',\n'.repeat(100_000)}}`,
      '{"a":1}'.repeat(10_000),
      `{"a":1}${' '.repeat(200_000)}{`,
      `{"a":[${'1,'.repeat(100_000)}`,
    ];
    for (const raw of long) parseArguments(raw);
  });
});

/** Whether the backslash at a place is itself escaped. */
function isEscaped(text: string, at: number): boolean {
  let before = 0;
  while (text.charAt(at - 1 - before) === '\\') before += 1;
  return before % 2 === 1;
}
