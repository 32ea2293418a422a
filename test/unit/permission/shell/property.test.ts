import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isHarmless, loadAnalyzer, PLACE, programsOf } from './rig.js';
import { anyCharacter } from '../../../support/any-character.js';
import { runs } from '../../../support/runs.js';

const analyzer = await loadAnalyzer();

const word = fc.constantFrom(
  'a',
  "'b c'",
  '"d e"',
  'f\\ g',
  "$'h\\ti'",
  '"j\'k"',
  'l\'m\'"n"',
  '-',
  '""',
  '"\\$(touch PWN)"',
  "'$(touch PWN)'",
  '"; touch PWN"',
  "'\n touch PWN'",
  '\\;',
  '"#"',
  'o#p',
);
const name = fc.constantFrom('a', './b', 'c/d.ts', "'e f'", '"g"', '*.ts', 'h*/i');
const quoted = (program: string): fc.Arbitrary<string> =>
  fc.constantFrom(program, `"${program}"`, `${program.slice(0, 1)}''${program.slice(1)}`, `${program.slice(0, 1)}\\\n${program.slice(1)}`);

/** A command of the kind that only reads, with safe words. */
const reading = fc.oneof(
  fc.tuple(quoted('echo'), fc.array(word, { maxLength: 3 })).map(([program, words]) => [program, ...words].join(' ')),
  fc
    .tuple(fc.constantFrom('cat', 'ls', 'wc', 'head', 'tail'), fc.constantFrom('-n 3', '', '--'), fc.array(name, { minLength: 1, maxLength: 2 }))
    .map(([program, option, names]) => [program, program === 'head' || program === 'tail' ? option : '', '--', ...names].join(' ')),
  fc
    .tuple(quoted('grep'), fc.constantFrom('-n', '-rn', '-i -e'), fc.constantFrom('x', "'a|b'", '"$(x)"'.replace('$', '\\$')), name)
    .map((parts) => parts.join(' ')),
  fc.constantFrom(
    'pwd',
    'true',
    'git status',
    'git log --oneline -5',
    "find . -name '*.ts' -print",
    "sed -n '1,5p' a",
    "awk '{print $1}' a",
    'sort -u a',
    'test -f a',
    '[ -d b ]',
    '[[ -n $x && a == b* ]]',
    'echo "$x" ${y} $((1+2))',
    'jq .a b',
  ),
);

const separator = fc.constantFrom('; ', ' ;', ' && ', ' || ', ' | ', '|', '\n', ' & ', '\n\n', ' # c\n', ' |& ', ' &&\n', ' \\\n| ', ' ; # touch PWN\n');

/** Puts lines together in ways that change nothing about what they are. */
const combine = (leaf: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.letrec<{ line: string; part: string }>((tie) => ({
    line: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('part'),
      fc.tuple(tie('part'), separator, tie('line')).map((parts) => parts.join('')),
    ),
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('line').map((line) => `( ${line} )`),
      tie('line').map((line) => `{ ${line}; }`),
      tie('line').map((line) => `echo "$( ${line} )"`),
      tie('line').map((line) => `echo $( ${line} ) a`),
      tie('line').map((line) => `if ${line}; then ${line}\nfi`),
      tie('line').map((line) => `for i in a b; do ${line}; done`),
      tie('line').map((line) => `while ${line}\ndo ${line}\ndone`),
      tie('line').map((line) => `case a in a|'b') ${line};; esac`),
      leaf.map((command) => `! ${command}`),
      leaf.map((command) => `${command} 2>/dev/null`),
      leaf.map((command) => `${command} < 'a; touch PWN'`),
    ),
  })).line;

/** Leaves out what is no line, such as `a &; b`, and what the grammar does not know: a pipe right behind `esac`. */
const isLine = (line: string): boolean => !/esac\|/.test(line) && !/&\s*;|;\s*;|(?:^|[({;&|])\s*[;&|]/.test(line.replace(/'[^']*'|"[^"]*"|\\./g, ''));

/** The ways in which `touch PWN` is run although it does not stand at the beginning. */
const hidden = fc.constantFrom(
  ...['touch PWN', 'to\\uch PWN', "t''ouch PWN", '"touch" PWN', "$'\\x74ouch' PWN", '{touch,PWN}', '/usr/bin/touch PWN', '\\touch PWN', 'tou\\\nch PWN'],
  ...[
    'echo $(touch PWN)',
    'echo `touch PWN`',
    'echo "`touch PWN`"',
    'echo "a$(touch PWN)b"',
    'echo ${x:-$(touch PWN)}',
    'echo ${x:=$(touch PWN)}',
    'echo $((1+$(touch PWN)1))',
    'echo $[a[$(touch PWN)]]',
  ],
  ...[
    'cat <(touch PWN)',
    'ls > >(touch PWN)',
    'cat <<EOF\n$(touch PWN)\nEOF\n',
    'cat <<EOF\n`touch PWN`\nEOF\n',
    'cat <<< "$(touch PWN)"',
    'cat <<EOF | sh\ntouch PWN\nEOF\n',
    "cat <<'EOF' && touch PWN\na\nEOF\n",
  ],
  ...[
    'env touch PWN',
    'timeout 5 touch PWN',
    'nice touch PWN',
    'command touch PWN',
    'builtin eval "touch PWN"',
    'xargs touch PWN',
    'echo PWN | xargs touch',
    'exec touch PWN',
    'eval touch PWN',
    "sh -c 'touch PWN'",
    "bash -c 'echo a; touch PWN'",
    'find . -exec touch PWN \\;',
    'find . -fprint PWN',
    'time touch PWN',
    'nohup touch PWN',
    'sudo touch PWN',
    'busybox touch PWN',
    'coproc touch PWN',
  ],
  ...[
    'echo a > PWN',
    'echo a >> PWN',
    'ls >| PWN',
    'ls &> PWN',
    'ls 2> PWN',
    'ls >& PWN',
    '> PWN',
    '{ ls; } > PWN',
    '(ls) > PWN',
    'ls | tee PWN',
    'sort -o PWN a',
    "sed -n 'w PWN' a",
    "sed 's/a/b/w PWN' a",
    'awk \'{print > "PWN"}\' a',
    'awk \'BEGIN{system("touch PWN")}\'',
    'git log --output=PWN',
    'uniq a PWN',
    'tree -o PWN',
    'xxd a PWN',
  ],
  ...[
    'A=$(touch PWN)',
    'A=1 touch PWN',
    'a=($(touch PWN))',
    "export PS4='$(touch PWN)'",
    'trap "touch PWN" EXIT',
    'f() { touch PWN; }; f',
    'for i in $(touch PWN); do ls; done',
    'case $(touch PWN) in a) ls;; esac',
    '[ "$(touch PWN)" ]',
    '[[ $(touch PWN) ]]',
    "[[ 'a[$(touch PWN)]' -eq 0 ]]",
    '((a[$(touch PWN)0]))',
    'if touch PWN; then ls; fi',
    'until touch PWN; do ls; done',
    'source ./PWN',
    '$x PWN',
    'a=touch; $a PWN',
    'echo a 2>"$(touch PWN)"',
    'ls &touch PWN',
    'ls #a\ntouch PWN',
  ],
);

describe('properties', () => {
  test('any combination of commands that read is harmless', () => {
    fc.assert(
      fc.property(combine(reading).filter(isLine), (line) => {
        const analysis = analyzer.analyze(line, PLACE);
        // Git is trusted in the folder in which the line starts only, so no line here changes it.
        if (!isHarmless(analysis)) throw new Error(`${line}\n${JSON.stringify(analysis)}`);
      }),
      { numRuns: runs(400) },
    );
  });

  test('no combination with a forbidden part is harmless, wherever it stands', () => {
    fc.assert(
      fc.property(combine(fc.oneof({ weight: 2, arbitrary: reading }, { weight: 1, arbitrary: hidden })), hidden, separator, (line, part, between) => {
        for (const whole of [`${line}${between}${part}`, `${part}${between}${line}`, `( ${part}${between}${line}\n)`, `echo "$(${part}\n)"${between}${line}`]) {
          expect(isHarmless(analyzer.analyze(whole, PLACE))).toBe(false);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test('any text at all gives an answer, and the same one each time', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.array(fc.constantFrom(...Array.from('ls a;&|()<>{}[]$`"\'\\#!*?~=\n\t\r-0')), { maxLength: 40 }).map((chars) => chars.join('')),
    );
    fc.assert(
      fc.property(text, (line) => {
        expect(analyzer.analyze(line, PLACE)).toEqual(analyzer.analyze(line, PLACE));
      }),
      { numRuns: runs(500) },
    );
  });

  test('quoting changes nothing about which program is known to run', () => {
    fc.assert(
      fc.property(quoted('curl'), word, (program, argument) => {
        expect(programsOf(analyzer.analyze(`${program} ${argument}`, PLACE))).toEqual(['curl']);
      }),
      { numRuns: runs(200) },
    );
  });

  test('an option that is not in the table is never harmless', () => {
    const programs = fc.constantFrom('ls', 'cat', 'head', 'grep', 'rg', 'sort', 'find', 'git diff', 'git log', 'sed', 'jq', 'date', 'wc');
    fc.assert(
      fc.property(programs, fc.string({ unit: fc.constantFrom('a', 'e', 'l', 'o', 'x', '-'), minLength: 3, maxLength: 20 }), (program, option) => {
        const line = `${program} --zz${option} a`;
        expect(isHarmless(analyzer.analyze(line, PLACE))).toBe(false);
      }),
    );
  });
});
