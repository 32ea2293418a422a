import type { RuleProblem } from './rule-labels.js';
import { t } from '../../domain/l10n.js';
import { fitsPattern, meaningsOfName } from '../../domain/mcp/tool-name.js';
import { type CommandPattern, parseCommandPattern } from './command-pattern.js';
import { type HostPattern, parseHostPattern } from './host-pattern.js';
import { programWithTool } from './foreign-tools.js';
import { pathPatternProblem } from './path-pattern.js';

/** Parsed rule; docs/permissions.md describes how each is written. */
export type Rule =
  /** Command lines; without a pattern all of them. `other`: only where commands run in a shell that is not like bash. */
  | { readonly about: 'command'; readonly pattern?: CommandPattern; readonly shell?: 'other' }
  /** Files that are read or changed, by whatever tool or command; without a pattern all of them. */
  | { readonly about: 'read' | 'edit'; readonly pattern?: string }
  /** Web pages; without a pattern all of them. */
  | { readonly about: 'web'; readonly pattern?: HostPattern }
  /**
   * Every call of the tools with this name; a trailing `*` matches any ending. `also` is what else it can mean, which only denies and asks;
   * `subject`: only calls about this, such as one skill.
   */
  | { readonly about: 'tool'; readonly name: string; readonly also?: readonly string[]; readonly subject?: string }
  /** No call, as only this program has such a tool. */
  | { readonly about: 'nothing'; readonly program: string };

/** Characters of a rule, at most. */
export const MAX_RULE_CHARACTERS = 2_000;

/** Reads a rule as it is written, such as `Bash(npm test:*)`. Never guesses: what is not clear is a problem. */
export function parseRule(text: string): Rule | RuleProblem {
  const rule = text.trim();
  if (rule === '') return { problem: t('The rule is empty.') };
  if (rule.length > MAX_RULE_CHARACTERS) return { problem: t('The rule is longer than {0} characters.', MAX_RULE_CHARACTERS) };
  if (/[\p{Cc}\u2028\u2029]/u.test(rule)) return { problem: t('A rule must be a single line without control characters.') };
  const name = /^(?:mcp__[\w.@/-]+|[\w-]+)\*?/.exec(rule)?.[0] ?? '';
  const tool = ruleToolOf(name) ?? toolOfOther(name);
  if (tool === undefined)
    return { problem: t('The rule does not start with a tool name. Valid names are {0}, mcp__server__tool, and ext__extension__tool.', KNOWN_TOOLS) };
  const rest = rule.slice(name.length);
  if (rest === '') return wholeTool(tool);
  if (rest.startsWith(':'))
    return { problem: t('Write {0} alone for all calls, or put what it is about in parentheses: {1}.', name, exampleOf(name, tool, rest.slice(1))) };
  if (!rest.startsWith('(') || !rest.endsWith(')')) return { problem: t('{0} can only be followed by a pattern in parentheses: {1}(…).', name, name) };
  const pattern = rest.slice(1, -1).trim();
  if (!isBalanced(pattern)) return { problem: t('The parentheses are unbalanced.') };
  if (pattern === '') return { problem: t('The parentheses are empty. To match all calls, use {0} alone.', name) };
  return pattern === '*' ? wholeTool(tool) : withPattern(tool, { name, pattern });
}

/** Whether {@link parseRule} could read a rule. */
export function isRule(parsed: Rule | RuleProblem): parsed is Rule {
  return 'about' in parsed;
}

function wholeTool(named: RuleTool): Rule {
  if ('tool' in named) return { about: 'tool', name: named.tool, ...('also' in named && named.also.length > 0 ? { also: named.also } : {}) };
  return named;
}

/** Example of a valid rule for a tool, with the given pattern where possible. */
function exampleOf(name: string, { about }: RuleTool, pattern: string): string {
  const given = /^[^()*]+$/.test(pattern.trim()) ? pattern.trim() : undefined;
  if (about === 'command') return `${name}(${given ?? 'npm test'}:*)`;
  return about === 'web' ? `${name}(domain:${given ?? 'example.com'})` : `${name}(${given ?? 'src/**'})`;
}

function withPattern(tool: RuleTool, { name, pattern }: { name: string; pattern: string }): Rule | RuleProblem {
  const { about } = tool;
  switch (about) {
    case 'nothing':
      return tool;
    case 'command': {
      const parsed = parseCommandPattern(pattern);
      return 'problem' in parsed ? parsed : { ...tool, pattern: parsed };
    }
    case 'read':
    case 'edit': {
      const problem = pathPatternProblem(pattern);
      return problem === undefined ? { about, pattern } : { problem };
    }
    case 'web': {
      const parsed = parseHostPattern(pattern);
      return 'problem' in parsed ? parsed : { about, pattern: parsed };
    }
    case 'tool':
      // Claude Code writes a skill with any arguments as `Skill(name:*)` or `Skill(name *)`.
      if (tool.tool === 'skill') return { about, name: tool.tool, subject: pattern.replace(/(?::| )\*$/, '') };
      if (tool.tool === 'agent') return { about, name: tool.tool, subject: pattern };
      return { problem: t('{0} rules do not take a pattern. Use {1} alone.', name, name) };
  }
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Tool that the name at the beginning of a rule refers to. */
type RuleTool =
  | { readonly about: 'edit' | 'web' }
  | { readonly about: 'command'; readonly shell?: 'other' }
  | { readonly about: 'nothing'; readonly program: string }
  /** With `tool`, a rule without a pattern is about this tool alone. */
  | { readonly about: 'read'; readonly tool?: string }
  | { readonly about: 'tool'; readonly tool: string; readonly also?: readonly string[] };

/** By name in lower case: the names of Gnomon's tools, and those that users know from other agents. */
const TOOLS: Readonly<Record<string, RuleTool>> = {
  bash: { about: 'command' },
  powershell: { about: 'command', shell: 'other' },
  read: { about: 'read' },
  notebookread: { about: 'read' },
  grep: { about: 'read', tool: 'grep' },
  glob: { about: 'read', tool: 'glob' },
  list: { about: 'read', tool: 'list' },
  ls: { about: 'read', tool: 'list' },
  edit: { about: 'edit' },
  write: { about: 'edit' },
  multiedit: { about: 'edit' },
  apply_patch: { about: 'edit' },
  notebookedit: { about: 'edit' },
  webfetch: { about: 'web' },
  fetch: { about: 'web' },
  websearch: { about: 'tool', tool: 'web_search' },
  web_search: { about: 'tool', tool: 'web_search' },
  jobs: { about: 'tool', tool: 'jobs' },
  diagnostics: { about: 'tool', tool: 'diagnostics' },
  symbols: { about: 'tool', tool: 'symbols' },
  todo: { about: 'tool', tool: 'todo' },
  todowrite: { about: 'tool', tool: 'todo' },
  ask: { about: 'tool', tool: 'ask' },
  askuserquestion: { about: 'tool', tool: 'ask' },
  skill: { about: 'tool', tool: 'skill' },
  agent: { about: 'tool', tool: 'agent' },
  task: { about: 'tool', tool: 'agent' },
  find_tools: { about: 'tool', tool: 'find_tools' },
};

/** The names suggested to a user whose rule begins with an unknown one. */
const KNOWN_TOOLS = 'Bash, Read, Edit, Write, Grep, Glob, LS, WebFetch, WebSearch, jobs, diagnostics, symbols, todo, ask, Agent';

/** `mcp__server` (all its tools), `mcp__server__*`, `mcp__server__get_*`, or `mcp__server__tool`, with the names of both as files write them. */
const OF_SERVER = /^mcp__[\w.@/-]+\*?$/;
/** The same for tools of other extensions. */
const OF_EXTENSION = /^ext__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)(?:__([\w-]*\*|[\w-]+))?$/;
/** All tools of all servers, or of all extensions. */
const ALL_FOREIGN = /^(?:mcp|ext)__\*$/;

/** Resolves a tool name; `undefined` when no tool has it. */
function ruleToolOf(name: string): RuleTool | undefined {
  if (ALL_FOREIGN.test(name)) return { about: 'tool', tool: name };
  const [meaning, ...also] = OF_SERVER.test(name) ? meaningsOfName(name) : [];
  if (meaning !== undefined) return { about: 'tool', tool: meaning, also };
  const [, extension, own = '*'] = OF_EXTENSION.exec(name) ?? [];
  if (extension !== undefined) return { about: 'tool', tool: `ext__${extension}__${own}` };
  const known = name.toLowerCase();
  return Object.hasOwn(TOOLS, known) ? TOOLS[known] : undefined;
}

function toolOfOther(name: string): RuleTool | undefined {
  const program = programWithTool(name);
  return program === undefined ? undefined : { about: 'nothing', program };
}

/** Whether a rule is about all tools of all servers or extensions, which a user cannot know when they allow them. */
export function isForAllForeign(rule: Rule): boolean {
  return rule.about === 'tool' && ALL_FOREIGN.test(rule.name);
}

/** Whether a rule about commands is about those of a shell: the names of other shells are no names of bash. */
export function isForShell({ shell }: Extract<Rule, { readonly about: 'command' }>, actual: 'bash' | 'other'): boolean {
  return shell === undefined || shell === actual;
}

/** Whether a rule about tools that allows is about a call of a tool. @param subject what the call is about, such as the name of a skill */
export function isToolCalled(rule: Extract<Rule, { readonly about: 'tool' }>, tool: string, subject: string): boolean {
  return isToolNamed(rule.name, tool) && isSubject(rule, subject);
}

/** The same for one that denies or asks, by anything that its name can mean. */
export function mayBeCalled(rule: Extract<Rule, { readonly about: 'tool' }>, tool: string, subject: string): boolean {
  return mayBeAbout(rule, tool) && isSubject(rule, subject);
}

function isSubject(rule: Extract<Rule, { readonly about: 'tool' }>, subject: string): boolean {
  if (rule.subject === undefined) return true;
  // What an agent is to do stands behind its name. Which is meant does not depend on case.
  if (rule.name === 'agent') return rule.subject.toLowerCase() === subject.replace(/: .*$/s, '').toLowerCase();
  return rule.subject === subject;
}

/** Whether a pattern of a rule about tools matches the name of a tool; a trailing `*` in the pattern matches any ending. */
export function isToolNamed(pattern: string, tool: string): boolean {
  return fitsPattern(pattern, tool);
}

/** Whether a rule about tools that denies or asks is about a tool, by anything that it can mean. */
export function mayBeAbout({ name, also = [] }: Extract<Rule, { about: 'tool' }>, tool: string): boolean {
  return [name, ...also].some((pattern) => isToolNamed(pattern, tool));
}
