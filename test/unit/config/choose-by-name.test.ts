import { describe, expect, it } from 'vitest';
import { chooseByName } from '../../../src/config/choose-by-name.js';
import type { ConfigOrigin } from '../../../src/domain/config/origin.js';

/** A definition in a folder below (`web/`) or above (`../`) a workspace folder, or in it (empty). */
function definition(prefix: string, name = 'x'): { readonly name: string; readonly origin: ConfigOrigin } {
  const distance = prefix.split('/').length - 1;
  const display = `${prefix}.claude/skills/${name}/SKILL.md`;
  return { name, origin: { layer: 'project', folder: '/ws', file: `/ws/${display}`, display, ...(distance === 0 ? {} : { distance }) } };
}

function chosen(...all: readonly ReturnType<typeof definition>[]): readonly string[] {
  const rivals = chooseByName(all, (name) => name.toLowerCase()).find(({ key }) => key === 'x');
  const [{ first, below, others } = { first: undefined, below: [], others: [] }] = rivals?.layers ?? [];
  return [first?.origin.display ?? '', ...below.map(({ qualifiedName }) => qualifiedName), ...others.map(({ origin }) => `lost ${origin.display}`)];
}

// code.claude.com/docs/en/skills: of skills of one name, that of a folder below is reached with its path.
describe('definitions of one name around a workspace folder', () => {
  it('are that of the folder itself, and those below by their paths', () => {
    expect(chosen(definition('web/'), definition('apps/api/'), definition(''))).toEqual(['.claude/skills/x/SKILL.md', 'web:x', 'apps:api:x']);
  });

  it('are the nearest one where the folder itself has none', () => {
    expect(chosen(definition('apps/api/'), definition('web/'), definition('../../'))).toEqual(['../../.claude/skills/x/SKILL.md', 'web:x', 'apps:api:x']);
  });

  it.each(['user/', 'Project/', 'local/a/', 'with space/', 'a;b/'])('are lost where %s would mean something else, or cannot be typed', (prefix) => {
    expect(chosen(definition(''), definition(prefix))).toEqual(['.claude/skills/x/SKILL.md', `lost ${prefix}.claude/skills/x/SKILL.md`]);
  });

  it('are lost where something else has that name, and where they are above', () => {
    expect(chosen(definition(''), definition('web/'), definition('', 'web:x'))).toEqual(['.claude/skills/x/SKILL.md', 'lost web/.claude/skills/x/SKILL.md']);
    expect(chosen(definition(''), definition('../../'))).toEqual(['.claude/skills/x/SKILL.md', 'lost ../../.claude/skills/x/SKILL.md']);
  });
});
