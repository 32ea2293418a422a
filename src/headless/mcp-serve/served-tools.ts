import type { Tool as WireTool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { PermissionRule } from '../../domain/tool/permission.js';
import type { Tool } from '../../domain/tool/tool.js';
import { isRule, parseRule, type Rule } from '../../permission/rules/rule.js';

/** What a client learns about a tool besides its schema. */
interface ServedTool {
  readonly title: string;
  readonly hints: Required<Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>>;
  /** What a deny rule without a pattern has to be about so that no call of the tool can run. */
  readonly needs: readonly Exclude<Rule['about'], 'tool' | 'nothing'>[];
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

/** The tools that another program can use. The others are for the chat of a model with its user: what to do next, questions, and skills. */
const SERVED: Readonly<Record<string, ServedTool>> = {
  read: { title: 'Read a file', hints: READS, needs: ['read'] },
  write: { title: 'Write a file', hints: { ...CHANGES, idempotentHint: true }, needs: ['edit'] },
  edit: { title: 'Edit a file', hints: CHANGES, needs: ['read', 'edit'] },
  apply_patch: { title: 'Apply a patch', hints: CHANGES, needs: ['edit'] },
  grep: { title: 'Search in files', hints: READS, needs: ['read'] },
  glob: { title: 'Find files by name', hints: READS, needs: ['read'] },
  list: { title: 'List a folder', hints: READS, needs: ['read'] },
  bash: { title: 'Run a command', hints: { ...CHANGES, openWorldHint: true }, needs: ['command'] },
  jobs: { title: 'Look after background commands', hints: CHANGES, needs: [] },
  fetch: { title: 'Fetch a web page', hints: { ...READS, openWorldHint: true }, needs: ['web'] },
};

/** Of the tools of a session, those that are served. Of those that change parts of files, one: which form a client’s model has learned is not known. */
export function servedOf(tools: readonly Tool[]): readonly Tool[] {
  const served = tools.filter(({ spec }) => Object.hasOwn(SERVED, spec.name));
  return served.some(({ editing }) => editing === 'replacements') ? served.filter(({ editing }) => editing !== 'patches') : served;
}

/** Of the tools that are served, those of which a call can run. @param rules all that are in effect */
export function allowedOf(tools: readonly Tool[], rules: readonly PermissionRule[]): readonly Tool[] {
  const whole = rules.flatMap(({ effect, text }) => {
    const rule = effect === 'deny' ? parseRule(text) : undefined;
    return rule !== undefined && isRule(rule) && isWhole(rule) ? [rule] : [];
  });
  return tools.filter(({ spec: { name } }) => !whole.some((rule) => (rule.about === 'tool' ? rule.name === name : needsOf(name).includes(rule.about))));
}

/** Whether a rule is about every call, and not about some files, commands, or addresses. */
function isWhole(rule: Rule): boolean {
  if (rule.about === 'tool') return rule.subject === undefined;
  return rule.about !== 'nothing' && rule.pattern === undefined && !('shell' in rule);
}

function needsOf(name: string): readonly Rule['about'][] {
  return SERVED[name]?.needs ?? [];
}

/** A tool as the protocol has it. */
export function wireTool({ spec: { name, description, parameters } }: Tool): WireTool {
  const { title, hints } = SERVED[name] ?? { title: name, hints: CHANGES };
  return { name, title, description, inputSchema: { ...parameters, type: 'object' }, annotations: { title, ...hints } };
}
