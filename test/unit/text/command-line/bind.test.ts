import { describe, expect, it } from 'vitest';
import type { Binding } from '../../../../src/domain/workspace/binding.js';
import { bindingOf, type Start } from '../../../../src/text/command-line/bind.js';
import { HIDDEN, lineOf, SEEN, SEEN_AND_TOLD } from '../../../support/hook-lines.js';

const PLACE = { folder: '/ws', home: '/home/me', env: {}, places: { CLAUDE_PROJECT_DIR: '/ws' } };

function bound(text: string, more: Partial<Start> = {}): Binding {
  return bindingOf({ line: { text, shell: 'posix' }, ...PLACE, ...more }, { cwd: '.', paths: [] });
}

/** A text as one word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** What can be around a line. */
const AROUND: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `true && { ${line}\n} || echo no`,
  (line) => `while read -r x; do ${line}\ndone`,
  (line) => `x=$(${line}\n)`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `cat <(${line}\n)`,
  (line) => `sh -c ${quoted(line)}`,
  (line) => `env A=b bash -ec ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `# it’s a comment (\n${line}`,
  (line) => `echo 'a "b' "it's"; ${line}`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `cd docs; cd ..; ${line}`,
  (line) => `A="x y" B=$'a\\'b' ; ${line} # end`,
];

describe('what a line runs', () => {
  it('H-41: is bound or told of, whatever is around it', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const [index, form] of [...SEEN, ...SEEN_AND_TOLD, ...HIDDEN].entries()) {
      for (const [at, outer] of AROUND.entries()) {
        for (const inner of [0, 5, 11].map((step) => AROUND[(index + at + step) % AROUND.length] ?? ((line: string) => line))) {
          const line = outer(inner(lineOf(form, 'x.log')));
          const { files, notBound } = bound(line);
          count += 1;
          if (!files.includes('tools/x.log') && !notBound.some(({ kind }) => kind !== 'script')) wrong.push(line);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(6_000);
  });

  it('H-41: is seen through where each part is', () => {
    const telling = new Set(AROUND.slice(14));
    const wrong = SEEN.flatMap((form) => AROUND.filter((around) => !telling.has(around)).flatMap((around) => {
      const line = around(lineOf(form, 'x.log'));
      const { files, notBound } = bound(line);
      return files.includes('tools/x.log') && notBound.every(({ kind }) => kind === 'script') ? [] : [line];
    }));
    expect(wrong).toEqual([]);
  });
});
