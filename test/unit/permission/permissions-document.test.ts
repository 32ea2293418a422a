import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PERMISSION_MODES } from '../../../src/domain/tool/permission.js';
import { ORDER } from '../../../src/permission/decide.js';
import { isRule, parseRule } from '../../../src/permission/rules/rule.js';

const text = await readFile('docs/permissions.md', 'utf8');

test('docs/permissions.md lists the order of evaluation as the code has it', () => {
  const listed = [...text.matchAll(/^(\d+)\. \*\*([^*]+)\*\*/gm)];
  expect(listed.map(([, number]) => Number(number))).toEqual(ORDER.map((_row, index) => index + 1));
  expect(listed.map(([, , title]) => title)).toEqual(ORDER.map(({ title }) => title));
});

test('docs/permissions.md names every mode, and every rule in its table can be read', () => {
  for (const mode of PERMISSION_MODES) expect(text).toContain(`| \`${mode}\``);
  const table = text.slice(text.indexOf('| rule |'), text.indexOf('Patterns for files'));
  const rules = [...table.matchAll(/^\| ([^|]*) \|/gm)].slice(2).flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, rule = '']) => rule));
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter((rule) => !isRule(parseRule(rule)))).toEqual([]);
});
