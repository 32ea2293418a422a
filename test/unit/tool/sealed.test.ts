import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defineTool, textResult } from '../../../src/tool/calls/define.js';
import { type RunContext, Sealed } from '../../../src/tool/calls/sealed.js';
import { toolContext } from '../../support/memory-workspace/index.js';

const port = new Sealed({ text: () => 'in the file' });
const spec = { name: 'probe', description: '', parameters: { type: 'object', properties: {} } };
const EMPTY = { subject: 'probe', accesses: [] };
const base = { spec, schema: z.strictObject({}), execute: (text: string) => Promise.resolve(textResult(text)) };

test('a tool that opens a port while it plans fails, though it gets round the types', async () => {
  const forged = { ...toolContext(), permit: JSON.parse('{"granted":true}') as RunContext['permit'] };
  const tool = defineTool<object, string>({ ...base, plan: () => Promise.resolve({ ...EMPTY, state: port.for(forged).text() }) });
  await expect(Promise.resolve().then(() => tool.plan({}, toolContext()))).rejects.toThrow(TypeError);
});

test('a plan that is unopened runs only once it is opened', async () => {
  const tool = defineTool<object, string>({
    ...base,
    plan: () => Promise.resolve({ ...EMPTY, reads: [], open: (context) => Promise.resolve({ ...EMPTY, state: port.for(context).text() }) }),
  });
  const plan = await tool.plan({}, toolContext());
  expect(plan.unopened).toEqual({ reads: [], runsBlind: false });
  await expect(tool.execute(plan, toolContext())).rejects.toThrow('has to be opened first');
  const opened = await tool.open?.(plan, toolContext());
  expect(opened?.unopened).toBeUndefined();
  expect(opened && (await tool.execute(opened, toolContext()))).toEqual(textResult('in the file'));
});

/** What lets a call open ports, seals them, and opens plans, by where it stands. */
const PLACES: readonly (readonly [words: RegExp, files: readonly string[]])[] = [
  [/\bpermitted\(context\)/, ['src/tool/calls/define.ts']],
  [/\bnew Sealed\(/, ['src/tool/index.ts']],
  [/\btool\.open\(/, ['src/engine/tool-call/tool-call.ts']],
];

test('only what knows that a call may read or run opens ports and plans', async () => {
  const names = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.ts')).map((name) => join('src', name).replaceAll('\\', '/'));
  const found = PLACES.map((): string[] => []);
  for (const name of names) {
    const text = await readFile(name, 'utf8');
    PLACES.forEach(([words], index) => words.test(text) && found[index]?.push(name));
  }
  expect(found).toEqual(PLACES.map(([, files]) => files));
});
