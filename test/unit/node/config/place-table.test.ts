import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as table from '../../../../src/node/config/place-table.js';

const PAGES: readonly (readonly [page: string, places: readonly table.Place[]])[] = [
  ['agents-and-skills.md', [...table.AGENT_FOLDERS, ...table.AGENT_LISTS, ...table.SKILL_FOLDERS, ...table.STYLE_FOLDERS]],
  ['commands.md', table.COMMAND_FOLDERS],
  ['configuration.md', table.LAYER_FILES.filter(({ form }) => form === 'settings')],
  ['hooks.md', [...table.LAYER_FILES.filter(({ form }) => form === 'cursor'), ...table.HOOK_FOLDERS]],
  ['mcp.md', table.SERVER_FILES],
  ['context.md', [...table.RULE_FOLDERS, ...table.INSTRUCTION_FILES]],
];

it.each(PAGES)('%s names every place where something is looked for', async (page, places) => {
  const text = await readFile(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
  const named = places.map(({ at, of }) => `${of.includes('user') && of.length === 1 ? '~/' : ''}${at}`);
  expect(named.filter((name) => !text.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(1);
});
