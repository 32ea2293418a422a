import { measureAgents } from './agents.js';
import { measureCommandMemory } from './command-memory.js';
import { measureCommands } from './commands.js';
import { measureDecisions } from './decisions.js';
import { measureEngine } from './engine.js';
import { type Figure, toJson, toTable } from './figure.js';
import { measureConfiguration } from './configuration.js';
import { measureHooks } from './hooks.js';
import { measureIdle } from './idle.js';
import { measureLongSession } from './long-session.js';
import { measureMcp } from './mcp.js';
import { measureMemory } from './memory.js';
import { measurePanel } from './panel.js';
import { measurePanelAlone } from './panel-alone.js';
import { measurePanelWorstCases } from './panel-worst-cases.js';
import { measureProgram } from './program.js';
import { measureRouting } from './routing.js';
import { measureSandbox } from './sandbox.js';
import { measureSearch } from './search.js';
import { measureSessions } from './sessions.js';
import { measureSizes } from './sizes.js';
import { measureEdit } from './edit.js';
import { measureEditPrompt } from './edit-prompt.js';
import { measureEditor } from './editor.js';
import { measureInlineEdit } from './inline-edit.js';
import { measureStartUp } from './start-up.js';
import { measureSuggestions } from './suggestions.js';
import { measureSurface } from './surface.js';
import { measureTokens } from './tokens.js';
import { measureWaits } from './waits.js';
import { measureWorstCases } from './worst-cases.js';

const GROUPS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  agents: measureAgents,
  sizes: measureSizes,
  'start-up': measureStartUp,
  program: measureProgram,
  panel: measurePanel,
  'panel-alone': measurePanelAlone,
  'panel-worst-cases': measurePanelWorstCases,
  idle: measureIdle,
  memory: measureMemory,
  hooks: measureHooks,
  configuration: measureConfiguration,
  mcp: measureMcp,
  'long-session': measureLongSession,
  search: measureSearch,
  engine: measureEngine,
  tokens: measureTokens,
  suggestions: measureSuggestions,
  edit: measureEdit,
  'edit-prompt': measureEditPrompt,
  'inline-edit': measureInlineEdit,
  editor: measureEditor,
  surface: measureSurface,
  commands: measureCommands,
  'command-memory': measureCommandMemory,
  decisions: measureDecisions,
  routing: measureRouting,
  sandbox: measureSandbox,
  sessions: measureSessions,
  'worst-cases': measureWorstCases,
  waits: measureWaits,
};

/**
 * Measures and prints. Arguments: `--json`, and names of groups to limit it to.
 * @returns the exit code: 0 when every goal holds, 1 when one is missed, 2 for unusable arguments
 */
export async function main(args: readonly string[]): Promise<number> {
  const wanted = args.filter((arg) => arg !== '--json');
  const unknown = wanted.filter((name) => !(name in GROUPS));
  if (unknown.length > 0) {
    console.error(`There is no group ${unknown.join(', ')}. The groups are ${Object.keys(GROUPS).join(', ')}.`);
    return 2;
  }
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(GROUPS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`measuring: ${name}`);
    figures.push(...(await measure()));
  }
  console.log(args.includes('--json') ? toJson(figures) : toTable(figures));
  return figures.every(({ value, goal }) => value <= goal) ? 0 : 1;
}
