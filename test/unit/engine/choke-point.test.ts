import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Where a tool's `execute` is taken hold of, how often, and why it is no way round hooks, rules, and mode. */
const PLACES: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'src/engine/tool-call/tool-call.ts': [1, 'the one place: after hooks, the gate, and the user'],
  'src/engine/context/session-instructions.ts': [1, 'a tool around another, which only passes on what it is told to run'],
  'src/engine/context/session-skills.ts': [1, 'a tool around another, which only passes on what it is told to run'],
  'src/mcp/tools/call-tool.ts': [1, 'a tool around another: its plan is that of the other, and was judged'],
  'src/tool/calls/define.ts': [1, 'makes the tool'],
  'src/tool/calls/foreign.ts': [1, 'makes the tool'],
  'src/api/register-tool.ts': [3, 'makes the tool'],
};

/** The files that may import what makes the built-in tools, makes a session, or makes a call, by what they import. */
const IMPORTERS: Readonly<Record<string, readonly string[]>> = {
  // Nobody else has a tool in hand.
  'src/tool/index.ts': ['src/agent-host/session-factory.ts', 'src/agent-host/toolbox.ts'],
  // Whoever begins a session has one of the factory, with the gate of its ground.
  'src/engine/live-session.ts': ['src/agent-host/session-factory.ts'],
  'src/engine/tool-call/scheduler.ts': ['src/engine/turn/script-run.ts', 'src/engine/turn/turn-calls.ts'],
  'src/engine/tool-call/tool-call.ts': ['src/engine/tool-call/scheduler.ts', 'src/engine/turn/program-calls.ts'],
};

/** Where a kind of session puts something before the gate of its ground, and what that allows or denies beside it. */
const GATES: Readonly<Record<string, string>> = {
  'src/agent-host/session-factory.ts': 'a chat: the gate as it is',
  'src/api/api-sessions.ts': 'the gate as it is',
  'src/headless/session-setup.ts': 'denies what would be asked about',
  'src/vscode/inline-edit/edit-session.ts': 'allows the edit that the user has asked for where the mode that accepts edits would',
  'src/vscode/code-review/change-review.ts': 'allows reporting a finding, which touches nothing',
};

/** All sources, by their paths. */
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name).replaceAll('\\', '/'))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);

/** How often something named `execute` is taken out of an object, called or not: by a dot, by a text in brackets, or by its name in braces. */
function reaches(file: string, text: string): number {
  let found = 0;
  const visit = (node: ts.Node): void => {
    // What a class calls so of itself is no tool’s.
    if (ts.isPropertyAccessExpression(node)) found += node.name.text === 'execute' && node.expression.kind !== ts.SyntaxKind.ThisKeyword ? 1 : 0;
    if (ts.isElementAccessExpression(node)) found += ts.isStringLiteralLike(node.argumentExpression) && node.argumentExpression.text === 'execute' ? 1 : 0;
    if (ts.isBindingElement(node)) found += (node.propertyName ?? node.name).getText() === 'execute' ? 1 : 0;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

test('every tool call passes the one choke point: hooks, rules, mode, and the user', () => {
  const found = [...sources].filter(([, text]) => /\bexecute\b/.test(text)).map(([file, text]) => [file, reaches(file, text)] as const);
  expect(Object.fromEntries(found.filter(([, count]) => count > 0))).toEqual(
    Object.fromEntries(Object.entries(PLACES).map(([file, [count]]) => [file, count])),
  );
});

test('whatever form it is written in, taking hold of a tool is noticed', () => {
  const ways = ['tool.execute(plan)', 'tool?.execute.call(tool)', 'tool["execute"](plan)', 'const { execute } = tool', '({ execute: run }) => run()'];
  expect(ways.map((way) => reaches('a.ts', way))).toEqual(ways.map(() => 1));
  expect(reaches('a.ts', 'class A { execute() { this.execute(); } } const a = { execute: () => 1 };')).toBe(0);
});

test.each(Object.entries(IMPORTERS))('%s is for few', (file, importers) => {
  const name = file.split('/').at(-1)?.replace('.ts', '.js') ?? '';
  const imports = new RegExp(
    String.raw`^import (?!type)[^;]*?from '(\.{1,2}/[^']*${name.replace('.', String.raw`\.`)})';|\bimport\('(\.{1,2}/[^']*${name})'\)`,
    'gms',
  );
  const found = [...sources].flatMap(([from, text]) =>
    [...text.matchAll(imports)].flatMap((match) => {
      const path = match[1] ?? match[2] ?? '';
      return join(from, '..', path).replaceAll('\\', '/').replace(/\.js$/, '.ts') === file ? [from] : [];
    }),
  );
  expect(found.toSorted()).toEqual(importers);
});

test('what kinds of sessions put before the gate is known', () => {
  // Where the gate of a `SessionShape` is made.
  const found = [...sources].filter(([, text]) => /\bSessionShape\b/.test(text) && /\bgate(?::| =) (?:\(|without)/.test(text)).map(([file]) => file);
  expect(found.toSorted()).toEqual(Object.keys(GATES).toSorted());
});

test('in the one place, a plan is judged only after hooks have seen it, and run only with a permit', () => {
  const text = sources.get('src/engine/tool-call/tool-call.ts') ?? '';
  // What is planned or changed goes through `hooked` before `judge`.
  expect([...text.matchAll(/tool\.(?:plan|amend)\(/g)]).toHaveLength(2);
  expect(text).toMatch(/judge\(tool, await this\.hooked\(tool, await this\.plan\(tool, args\)\)\)/);
  expect(text).toMatch(/const changed = tool\.amend\([^;]*\);\s*return this\.hooked\(tool, await abortable\(changed, signal\)\);/);
  expect(text).toMatch(/amendment\.type === 'input'\) return this\.hooked\(tool, await this\.plan\(tool, amendment\.input\)\);/);
  expect([...text.matchAll(/tool\.execute\(/g)]).toHaveLength(1);
});
