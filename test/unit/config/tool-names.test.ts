import { describe, expect, it } from 'vitest';
import { type ToolDialect, toolMeaning } from '../../../src/config/tool-names.js';

const toolsOf = (name: string, dialect: ToolDialect = 'claude'): unknown => {
  const meaning = toolMeaning(name, dialect);
  return meaning.type === 'tools' ? meaning.tools.join(' ') : meaning.type;
};

describe('names of tools of other programs', () => {
  it.each([
    ['Bash', 'bash jobs'],
    ['Read', 'read'],
    ['Edit', 'edit apply_patch'],
    ['MultiEdit', 'edit apply_patch'],
    ['Write', 'write'],
    ['Grep', 'grep'],
    ['Glob', 'glob'],
    ['LS', 'list'],
    ['WebFetch', 'fetch'],
    ['WebSearch', 'web_search'],
    ['TodoWrite', 'todo'],
    ['AskUserQuestion', 'ask'],
    ['NotebookEdit', 'edit apply_patch'],
    ['NotebookRead', 'read'],
    ['BashOutput', 'jobs'],
    ['KillShell', 'jobs'],
    ['KillBash', 'jobs'],
    ['Task', 'agent'],
    ['Agent', 'agent'],
    ['Agent(a, b)', 'limited'],
    ['SendMessage', 'none'],
    ['SendMessage(a, b)', 'none'],
    ['Skill', 'skill'],
    ['Skill(x *)', 'limited'],
    ['Bash(*)', 'bash jobs'],
    ['Bash()', 'bash jobs'],
    ['Bash(git:*)', 'limited'],
    ['Read(./src/**)', 'limited'],
    ['WebFetch(domain:x.y)', 'limited'],
    ['Foo(x)', 'unknown'],
    ['*', '*'],
    ['mcp__*', 'mcp__*'],
    ['mcp__db', 'mcp__db__*'],
    ['mcp__db__*', 'mcp__db__*'],
    ['mcp__db__query', 'mcp__db__query'],
    ['mcp__db__get_*', 'mcp__db__get_*'],
    ['mcp__ide__getDiagnostics', 'diagnostics'],
    ['bash', 'bash jobs'],
    ['apply_patch', 'apply_patch'],
    ['web_search', 'web_search'],
    ['execute', 'bash jobs'],
    ['', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
    ['Read Write', 'unknown'],
    ['mcp__a*b', 'unknown'],
    ['R*', 'unknown'],
    ['x'.repeat(2_000), 'unknown'],
  ])('%s is %s', (name, tools) => {
    expect(toolsOf(name)).toBe(tools);
  });

  it.each([
    ['read', 'read diagnostics'],
    ['edit', 'edit apply_patch write'],
    ['search', 'grep glob list symbols'],
    ['web', 'fetch web_search'],
    ['execute', 'bash jobs'],
    ['todo', 'todo'],
    ['agent', 'agent'],
    ['edit/editFiles', 'edit apply_patch write'],
    ['editFiles', 'edit apply_patch write'],
    ['edit/createFile', 'write'],
    ['execute/runInTerminal', 'bash jobs'],
    ['execute/runTests', 'none'],
    ['read/readFile', 'read'],
    ['read/problems', 'diagnostics'],
    ['search/codebase', 'grep glob symbols'],
    ['search/usages', 'symbols'],
    ['web/fetch', 'fetch'],
    ['vscode/askQuestions', 'ask'],
    ['vscode/memory', 'none'],
    ['vscode/whatever', 'unknown'],
    ['github/*', 'mcp__github__*'],
    ['github/create_issue', 'mcp__github__create_issue'],
    ['io.example/docs/*', 'mcp__io_example_docs__*'],
    ['/x', 'unknown'],
    ['a/', 'unknown'],
    ['a/b c', 'unknown'],
  ])('of VS Code: %s is %s', (name, tools) => {
    expect(toolsOf(name, 'vscode')).toBe(tools);
  });
});
