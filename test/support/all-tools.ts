import type { Diagnostics, Symbols } from '../../src/domain/workspace/code-intelligence.js';
import type { Jobs } from '../../src/domain/workspace/jobs.js';
import type { Questions } from '../../src/domain/tool/interaction.js';
import type { Tool } from '../../src/domain/tool/tool.js';
import type { WebPages } from '../../src/domain/workspace/web-pages.js';
import type { WebSearch } from '../../src/domain/workspace/web-search.js';
import { createSearchTool, createTools } from '../../src/tool/index.js';
import { type MemoryWorkspaceOptions, createMemoryWorkspace } from './memory-workspace/index.js';

/** All built-in tools, as in a window that has every port. The ports that only VS Code or the network have fail when used. */
export function allTools(options: MemoryWorkspaceOptions = {}): readonly Tool[] {
  const unused = (): never => {
    throw new Error('This port is not to be used.');
  };
  const diagnostics: Diagnostics = { current: unused, settled: unused };
  const symbols: Symbols = { definitions: unused, references: unused, search: unused, outline: unused };
  const questions: Questions = { ask: unused };
  const webPages: WebPages = { get: unused };
  const jobs: Jobs = { start: unused, list: unused, output: unused, kill: unused, close: unused, settled: unused, news: () => [] };
  const webSearch: WebSearch = { name: 'Some Search', address: 'https://search.example', search: unused };
  return [...createTools({ ...createMemoryWorkspace(options), diagnostics, symbols, questions, webPages, jobs }), createSearchTool(webSearch)];
}
