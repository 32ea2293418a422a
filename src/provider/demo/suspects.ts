import type { AnyNode, Node } from 'acorn';
import { fullAncestor } from 'acorn-walk';
import type { ParsedModule } from './parsed-module.js';
import { namesIn } from './parsed-module.js';
import type { Failure, Place } from './test-run.js';
import { sameFile } from './test-run.js';
import type { Definition, Look } from './resolve-name.js';
import { resolveName } from './resolve-name.js';

/** Code that a failing test reaches. */
export interface Suspect extends Definition {
  /** Calls between the failing statement and this code; 0 when the statement names it. */
  readonly distance: number;
}

/** Where a failing test leads. With `wanted`, a file has to be read before more can be said. */
export type Trail =
  | { readonly type: 'wanted'; readonly path: string; readonly why: 'test' | 'import' }
  | { readonly type: 'found'; readonly testPath: string; readonly suspects: readonly Suspect[] };

/** A name to follow, as a module sees it. */
type Lead = Readonly<{ module: ParsedModule; name: string; distance: number }>;

/** Calls that are followed away from the failing statement. */
const FARTHEST = 4;

/** Follows the imports and calls of a failing test, nearest first. */
export function followFailure(failure: Failure, look: Look): Trail {
  const testPath = testFileOf(failure.places);
  const test = look(testPath);
  if (test === 'unread') return { type: 'wanted', path: testPath, why: 'test' };
  const suspects = new Map<string, Suspect>();
  const queue: Lead[] = test === 'unusable' ? [] : [...leadsOfTest(test, failure.places)];
  for (let lead = queue.shift(); lead !== undefined; lead = queue.shift()) {
    const reached = resolveName(lead, look);
    if ('wanted' in reached) return { type: 'wanted', path: reached.wanted, why: 'import' };
    for (const definition of reached.definitions) {
      const suspect = { ...definition, distance: lead.distance };
      const key = `${suspect.module.path}\n${suspect.name}`;
      if (suspect.module === test || suspects.has(key)) continue;
      suspects.set(key, suspect);
      queue.push(...leadsOfStack(suspect, failure.places), ...leadsOf(suspect.module, suspect.node, suspect.distance + 1));
      queue.sort((a, b) => a.distance - b.distance);
    }
  }
  return { type: 'found', testPath, suspects: [...suspects.values()] };
}

/** The file of the test: Node's runner names it first, in other formats its name has to tell. */
function testFileOf(places: readonly Place[]): string {
  const named = places.find(({ file }) => /(^|[/._-])(test|spec)s?[/._-]/.test(file));
  return (named ?? places.at(-1))?.file ?? '';
}

/** The names that a failing test uses: in the failing statement, elsewhere in the test, and in helpers of its file. */
function leadsOfTest(test: ParsedModule, places: readonly Place[]): readonly Lead[] {
  const lines = places.filter((place) => sameFile(place.file, test.path)).map((place) => place.line);
  const { statement, block } = whereIn(test, lines);
  const near = leadsOf(test, statement, 0);
  const around = leadsOf(test, block, 1);
  const helpers = [...namesIn(block)].flatMap((name) => test.definitions.get(name) ?? []);
  return [...near, ...around, ...helpers.flatMap((helper) => leadsOf(test, helper, 2))];
}

/** The names in the statements of a function that the stack of the failure goes through; as near as the test itself. */
function leadsOfStack({ module, node }: Suspect, places: readonly Place[]): readonly Lead[] {
  const lines = places.filter((place) => sameFile(place.file, module.path)).map((place) => place.line);
  return lines.filter((line) => onLine(node, line)).flatMap((line) => leadsOf(module, whereIn(module, [line]).statement, 0));
}

/** The innermost statement and the whole test (a call with a title) at the first of some lines that lies in a test. */
function whereIn(test: ParsedModule, lines: readonly number[]): { statement: Node; block: Node } {
  let statement: Node = test.tree;
  let block: Node = test.tree;
  // The place where the test is written comes first in a report, the place that failed is inside of it.
  for (const line of lines) {
    fullAncestor(test.tree, (node) => {
      if (!onLine(node, line)) return;
      if (isTitledCall(node) && size(node) < size(block)) block = node;
      if (isTelling(node) && size(node) < size(statement)) statement = node;
    });
  }
  return { statement, block };
}

/** Whether a piece of code reaches over a line. */
export function onLine({ loc }: Node, line: number): boolean {
  return loc !== undefined && loc !== null && loc.start.line <= line && line <= loc.end.line;
}

/** A statement that says more than a block or a `throw`, whose reason is in the statement around it. */
function isTelling({ type }: AnyNode): boolean {
  return /(Statement|Declaration)$/.test(type) && type !== 'BlockStatement' && type !== 'ThrowStatement';
}

function isTitledCall(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.arguments.length < 2) return false;
  const title = node.arguments[0];
  const code = node.arguments.at(-1)?.type;
  return (title?.type === 'Literal' || title?.type === 'TemplateLiteral') && /Function/.test(code ?? '');
}

function size(node: Node): number {
  return node.end - node.start;
}

function leadsOf(module: ParsedModule, node: Node, distance: number): readonly Lead[] {
  if (distance > FARTHEST) return [];
  return [...namesIn(node)].map((name) => ({ module, name, distance }));
}

