import type { AnyNode, BinaryExpression, CallExpression, Literal } from 'acorn';
import { fullAncestor } from 'acorn-walk';
import type { ParsedModule } from './parsed-module.js';
import { operatorBetween } from './parsed-module.js';

/** Kinds of small mistakes that the script knows how to undo. */
export type RepairKind =
  | 'boundary'
  | 'off_by_one'
  | 'arithmetic'
  | 'logic'
  | 'inverted'
  | 'equality'
  | 'rounding'
  | 'extreme'
  | 'quantifier'
  | 'number';

/** A change of one token or one term, by offsets in the module's text. */
export interface Repair {
  readonly kind: RepairKind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Whether it changes the condition of an `if` that throws. */
  readonly guard: boolean;
}

type Change = Omit<Repair, 'guard'>;

const OPERATORS: Readonly<Record<string, readonly (readonly [string, RepairKind])[]>> = {
  '<': [['<=', 'boundary'], ['>', 'inverted']],
  '<=': [['<', 'boundary'], ['>=', 'inverted']],
  '>': [['>=', 'boundary'], ['<', 'inverted']],
  '>=': [['>', 'boundary'], ['<=', 'inverted']],
  '+': [['-', 'arithmetic']],
  '-': [['+', 'arithmetic']],
  '*': [['/', 'arithmetic']],
  '/': [['*', 'arithmetic'], ['%', 'arithmetic']],
  '%': [['/', 'arithmetic']],
  '===': [['!==', 'equality']],
  '!==': [['===', 'equality']],
  '&&': [['||', 'logic']],
  '||': [['&&', 'logic']],
  '+=': [['-=', 'arithmetic']],
  '-=': [['+=', 'arithmetic']],
};

const METHODS: Readonly<Record<string, readonly (readonly [string, RepairKind])[]>> = {
  'Math.floor': [['ceil', 'rounding'], ['round', 'rounding']],
  'Math.ceil': [['floor', 'rounding'], ['round', 'rounding']],
  'Math.round': [['floor', 'rounding'], ['ceil', 'rounding']],
  'Math.min': [['max', 'extreme']],
  'Math.max': [['min', 'extreme']],
  some: [['every', 'quantifier']],
  every: [['some', 'quantifier']],
};

/** Every repair that the script can think of in a piece of code, in the order of the text. */
export function repairsIn(module: ParsedModule, node: AnyNode): readonly Repair[] {
  const repairs: Repair[] = [];
  fullAncestor(node, (inner, _state, ancestors) => {
    const guard = isGuard(inner, ancestors);
    repairs.push(...changesOf(module, inner).map((change) => ({ ...change, guard })));
  });
  return repairs.sort((a, b) => a.start - b.start);
}

function changesOf(module: ParsedModule, node: AnyNode): readonly Change[] {
  switch (node.type) {
    case 'BinaryExpression':
      return [...operatorChanges(module, node), ...termChanges(node)];
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operatorChanges(module, node);
    case 'CallExpression':
      return methodChanges(node);
    case 'Literal':
      return numberChanges(node);
    default:
      return [];
  }
}

type Operation = Readonly<{ operator: string; left: { end: number }; right: { start: number } }>;

function operatorChanges(module: ParsedModule, { operator, left, right }: Operation): readonly Change[] {
  const start = operatorBetween(module, left.end, right.start, operator);
  if (start === undefined) return [];
  const end = start + operator.length;
  return (OPERATORS[operator] ?? []).map(([replacement, kind]) => ({ kind, start, end, replacement }));
}

/** Leaves out `+ 1` or `- 1`. */
function termChanges({ operator, left, right }: BinaryExpression): readonly Change[] {
  if ((operator !== '+' && operator !== '-') || right.type !== 'Literal' || right.value !== 1) return [];
  return [{ kind: 'off_by_one', start: left.end, end: right.end, replacement: '' }];
}

function methodChanges({ callee }: CallExpression): readonly Change[] {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
  const { name, start, end } = callee.property;
  const ofMath = callee.object.type === 'Identifier' && callee.object.name === 'Math';
  return (METHODS[ofMath ? `Math.${name}` : name] ?? []).map(([replacement, kind]) => ({ kind, start, end, replacement }));
}

/** One more and one less for small whole numbers. */
function numberChanges({ value, start, end }: Literal): readonly Change[] {
  if (typeof value !== 'number' || !Number.isInteger(value) || value > 1_000) return [];
  const others = value === 0 ? [1] : [value - 1, value + 1];
  return others.map((other) => ({ kind: 'number', start, end, replacement: String(other) }));
}

function isGuard(node: AnyNode, ancestors: readonly AnyNode[]): boolean {
  return ancestors.some((ancestor) => {
    if (ancestor.type !== 'IfStatement' || node.start < ancestor.test.start || node.end > ancestor.test.end) return false;
    const { consequent } = ancestor;
    const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
    return last?.type === 'ThrowStatement';
  });
}
