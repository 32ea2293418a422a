import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CATALOG_TOKENS, MAX_ENTRY_TOKENS, planCatalog } from '../../../../src/config/skills/catalog.js';
import { type ChosenSkill, chooseSkills } from '../../../../src/config/skills/choose.js';
import type { ConfigLayer } from '../../../../src/domain/config/origin.js';
import type { Skill } from '../../../../src/domain/config/skill.js';
import { textTokens } from '../../../../src/text/text-tokens.js';
import { runs } from '../../../support/runs.js';

function skill(
  name: string,
  description = `Does what ${name} says. Use when the user asks for it in one of many ways.`,
  more: Partial<Skill> & { readonly layer?: ConfigLayer } = {},
): Skill {
  const { layer = 'user', ...rest } = more;
  return {
    name,
    description,
    origin: { layer, file: `/x/${name}/SKILL.md`, display: name },
    folder: `/x/${name}`,
    allowedTools: [],
    modelInvocable: true,
    userInvocable: true,
    argumentNames: [],
    hooks: [],
    fields: [],
    ...rest,
  };
}

const many = (count: number, layer: ConfigLayer = 'user'): readonly Skill[] =>
  Array.from({ length: count }, (_, index) => skill(`skill-${String(index).padStart(4, '0')}`, undefined, { layer }));
const chosen = (...skills: readonly Skill[]): readonly ChosenSkill[] => chooseSkills(skills).skills;
const plan = (skills: readonly ChosenSkill[], ...pinned: readonly string[]) => planCatalog(skills, new Set(pinned));
const textOf = ({ entries }: ReturnType<typeof plan>): string =>
  entries.map(({ name, description }) => `- ${name}${description === undefined ? '' : `: ${description}`}`).join('\n');

describe('the list of skills', () => {
  it('S-31: has a skill on one line, in at most 100 tokens, whatever its description', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 2_000, unit: 'grapheme' }),
          fc.constantFrom('word '.repeat(400), '語'.repeat(1_024), 'x'.repeat(1_024), '!?'.repeat(512), '\n- other: spoofed\n'.repeat(50)),
        ),
        (description) => {
          const text = textOf(plan(chosen(skill('a', description))));
          expect(text).not.toContain('\n');
          expect(textTokens(text)).toBeLessThanOrEqual(MAX_ENTRY_TOKENS);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('S-32: of 300 skills keeps the budget, names those that it does not describe, and describes pinned ones', () => {
    const made = plan(chosen(...many(300)), 'user:skill-0299');
    expect(textTokens(textOf(made))).toBeLessThanOrEqual(MAX_CATALOG_TOKENS);
    expect([made.entries.length, made.unlisted]).toEqual([300, 0]);
    expect(made.entries[0]).toMatchObject({ name: 'skill-0299', description: expect.stringContaining('Does what') as string });
    const states = [...made.showing.values()];
    expect(states.filter((state) => state === 'described').length).toBeGreaterThan(20);
    expect(states.filter((state) => state === 'named').length).toBeGreaterThan(100);
  });

  it('S-32: of thousands says how many are not in it, and each of them is known', () => {
    const made = plan(chosen(...many(3_000)));
    expect(textTokens(textOf(made))).toBeLessThanOrEqual(MAX_CATALOG_TOKENS);
    expect(made.entries.length + made.unlisted).toBe(3_000);
    expect([...made.showing.values()].filter((state) => state === 'unlisted')).toHaveLength(made.unlisted);
    expect(made.unlisted).toBeGreaterThan(1_000);
  });

  it('S-32: begins with those of the project, and has none that only the user may activate', () => {
    const made = plan(
      chosen(
        skill('a'),
        skill('z', 'Of the project.', { layer: 'project' }),
        skill('secret', 'x', { modelInvocable: false }),
        skill('a', 'Of the project.', { layer: 'project' }),
      ),
    );
    expect(made.entries.map(({ name }) => name)).toEqual(['a', 'z', 'user:a']);
    expect(made.showing.get('user:secret')).toBe('never');
  });

  it('says for which mode of Roo Code a skill is, within the limit', () => {
    const [short, long] = plan(chosen(skill('a', 'Writes code.', { mode: 'code' }), skill('b', 'word '.repeat(400), { mode: 'm'.repeat(2_000) }))).entries;
    expect(short?.description).toBe('Only for work in the mode “code” of Roo Code: Writes code.');
    expect(textTokens(`- b: ${long?.description ?? ''}`)).toBeLessThanOrEqual(MAX_ENTRY_TOKENS);
  });

  it('has nothing in it that cannot be seen', () => {
    expect(plan(chosen(skill('a', 'One\u202E\u200B\ntwo'))).entries).toEqual([{ name: 'a', description: 'One two' }]);
  });
});
