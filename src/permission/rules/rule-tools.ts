/** What a name at the beginning of a rule stands for. */
export type RuleTool =
  | { readonly about: 'command' | 'edit' | 'web' }
  /** With `tool`, a rule without a pattern is about this tool alone. */
  | { readonly about: 'read'; readonly tool?: string }
  | { readonly about: 'tool'; readonly tool: string };

/** By name in lower case: the names of Gnomon's tools, and those that people know from elsewhere. */
const TOOLS: Readonly<Record<string, RuleTool>> = {
  bash: { about: 'command' },
  read: { about: 'read' },
  notebookread: { about: 'read' },
  grep: { about: 'read', tool: 'grep' },
  glob: { about: 'read', tool: 'glob' },
  ls: { about: 'read', tool: 'glob' },
  edit: { about: 'edit' },
  write: { about: 'edit' },
  multiedit: { about: 'edit' },
  notebookedit: { about: 'edit' },
  webfetch: { about: 'web' },
  fetch: { about: 'web' },
  jobs: { about: 'tool', tool: 'jobs' },
  diagnostics: { about: 'tool', tool: 'diagnostics' },
  symbols: { about: 'tool', tool: 'symbols' },
  todo: { about: 'tool', tool: 'todo' },
  todowrite: { about: 'tool', tool: 'todo' },
  ask: { about: 'tool', tool: 'ask' },
};

/** The names that are told to a person whose rule begins with another. */
export const KNOWN_TOOLS = 'Bash, Read, Edit, Write, Grep, Glob, WebFetch, jobs, diagnostics, symbols, todo, ask';

/** `mcp__server` (all its tools), `mcp__server__*` or `mcp__server__tool`; tools of other extensions begin with `ext`. */
const FOREIGN = /^(?:mcp|ext)__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*(?:__(?:\*|[\w-]+))?$/;

/** What a name stands for; `undefined` when no tool has it. */
export function ruleToolOf(name: string): RuleTool | undefined {
  if (FOREIGN.test(name)) return { about: 'tool', tool: /^(?:mcp|ext)__.*?__/.test(name) ? name : `${name}__*` };
  const known = name.toLowerCase();
  return Object.hasOwn(TOOLS, known) ? TOOLS[known] : undefined;
}
