import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SkillReading, readSkill } from '../../../../src/config/skills/read-skill.js';

const CORPUS = resolve('test/fixtures/config-corpus/skills');

interface Recorded {
  readonly program: string;
  readonly version: string;
  readonly verdicts: Readonly<Record<string, { readonly valid: boolean; readonly errors: readonly string[] }>>;
}
const { program, version, verdicts } = JSON.parse(readFileSync(join(CORPUS, 'verdicts.json'), 'utf8')) as Recorded;

/** Where Gnomon says something else than the reference, by what it says, and why. */
const DIFFERENCES: Readonly<Record<string, { readonly conforms: boolean; readonly why: string }>> = {
  'byte-order-mark/release-notes': {
    conforms: true,
    why: 'The reference takes a byte order mark for text before the front matter; editors on Windows write it.',
  },
  'flow-list/release-notes': { conforms: true, why: 'The reference reads StrictYAML, which has no lists in brackets; the standard says YAML.' },
  'flow-map/release-notes': { conforms: true, why: 'The same, for objects in braces.' },
  'other-letters/änderungen': { conforms: false, why: 'The specification has a-z; the reference takes all lower-case letters. Two names could look the same.' },
};

function readingOf(skill: string): SkillReading | undefined {
  const folder = join(CORPUS, skill);
  const file = ['SKILL.md', 'skill.md'].map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) return undefined;
  return readSkill(readFileSync(file, 'utf8'), { origin: { layer: 'project', file, display: skill }, folder });
}

describe('skills and the reference validator of the standard', () => {
  it('S-30: the verdicts are those of skills-ref on at least 40 skills, of both kinds', () => {
    const all = Object.values(verdicts);
    expect([program, /^\d+\.\d+\.\d+/.test(version)]).toEqual(['skills-ref', true]);
    expect(all.length).toBeGreaterThanOrEqual(40);
    expect(all.filter(({ valid }) => valid).length).toBeGreaterThanOrEqual(15);
    expect(all.filter(({ valid }) => !valid).length).toBeGreaterThanOrEqual(15);
  });

  it.each(Object.keys(verdicts))('S-30: %s is valid or not for both', (skill) => {
    const expected = DIFFERENCES[skill]?.conforms ?? verdicts[skill]?.valid;
    expect(readingOf(skill)?.conforms ?? false).toBe(expected);
  });

  it('S-30: what differs is listed, and nothing else', () => {
    const different = Object.entries(verdicts).filter(([skill, { valid }]) => (readingOf(skill)?.conforms ?? false) !== valid);
    expect(different.map(([skill]) => skill).sort()).toEqual(Object.keys(DIFFERENCES).sort());
  });

  it('S-30: what the reference takes can be used here', () => {
    const lost = Object.entries(verdicts).filter(([skill, { valid }]) => valid && readingOf(skill)?.skill === undefined);
    expect(lost).toEqual([]);
  });

  it('S-30: what is skipped says why, with its line', () => {
    for (const skill of Object.keys(verdicts)) {
      const reading = readingOf(skill);
      if (reading === undefined || reading.skill !== undefined) continue;
      expect(reading.problems.find(({ message }) => message === reading.skipped)?.line, skill).toBeGreaterThan(0);
    }
  });
});
