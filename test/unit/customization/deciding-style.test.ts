import { describe, expect, it } from 'vitest';
import type { OutputStyle } from '../../../src/domain/config/skill.js';
import { decidingStyle, wantsNone } from '../../../src/customization/deciding-style.js';

const styles = ['Brief', 'Long'].map((name) => ({ name }) as OutputStyle);
/** The file that decides and the style, where settings name these, the strongest first. */
const decided = (...names: readonly string[]): readonly unknown[] => {
  const found = decidingStyle(
    names.map((name, index) => ({ name, file: String(index) })),
    styles,
  );
  return [found?.by.file, found?.style?.name];
};

describe('S-01: the output style that counts', () => {
  it.each([
    ['that of the strongest setting, in any case of letters', [' brief', 'Long'], ['0', 'Brief']],
    ['that of the next one where there is none of that name', ['Explanatory', 'Long'], ['1', 'Long']],
    ['none where the strongest wants none', ['', 'Long'], ['0', undefined]],
    ['none where the strongest wants none as in Claude Code', ['default', 'Long'], ['0', undefined]],
    ['none where no setting names one that there is', ['Explanatory'], [undefined, undefined]],
    ['none where no setting names one', [], [undefined, undefined]],
  ])('is %s', (_what, names, expected) => {
    expect(decided(...names)).toEqual(expected);
  });

  it('needs no files where nobody wants one', () => {
    expect([wantsNone([]), wantsNone([{ name: ' ' }]), wantsNone([{ name: 'Brief' }])]).toEqual([true, true, false]);
  });
});
