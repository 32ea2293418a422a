import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Where a tool's `execute` is called, and why it is no way round hooks, rules, and mode. */
const PLACES: Readonly<Record<string, string>> = {
  'src/engine/tool-call/tool-call.ts': 'the one place: after hooks, the gate, and the user',
  'src/engine/context/session-instructions.ts': 'a tool around another, which only passes on what it is told to run',
  'src/engine/context/session-skills.ts': 'a tool around another, which only passes on what it is told to run',
  'src/mcp/tools/call-tool.ts': 'a tool around another: its plan is that of the other, and was judged',
  'src/tool/calls/define.ts': 'makes the tool',
  'src/api/register-tool.ts': 'makes the tool',
};

async function sources(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name).replaceAll('\\', '/'));
}

test('every tool call passes the one choke point: hooks, rules, mode, and the user', async () => {
  const found: string[] = [];
  for (const file of await sources('src')) if (/\b(?!this\b)\w+\.execute\(/.test(await readFile(file, 'utf8'))) found.push(file);
  expect(found.sort()).toEqual(Object.keys(PLACES).sort());
});

test('in that place, a plan is judged only after hooks have seen it, and run only with a permit', async () => {
  const text = await readFile('src/engine/tool-call/tool-call.ts', 'utf8');
  // What is planned or changed goes through `hooked` before `judge`.
  expect([...text.matchAll(/tool\.(?:plan|amend)\(/g)]).toHaveLength(2);
  expect(text).toMatch(/judge\(tool, await this\.hooked\(tool, await this\.plan\(tool, args\)\)\)/);
  expect(text).toMatch(/const changed = tool\.amend\([^;]*\);\s*return this\.hooked\(tool, await abortable\(changed, signal\)\);/);
  expect(text).toMatch(/amendment\.type === 'input'\) return this\.hooked\(tool, await this\.plan\(tool, amendment\.input\)\);/);
  expect([...text.matchAll(/tool\.execute\(/g)]).toHaveLength(1);
});
