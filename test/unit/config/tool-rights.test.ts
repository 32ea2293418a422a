import { describe, expect, it } from 'vitest';
import { type ToolDialect, toolMeaning } from '../../../src/config/tool-names.js';

/** What a tool can do: look at the workspace or the editor, change files, run programs, use the network, ask the user, keep a list, load a skill, have an agent work. */
type Right = 'see' | 'change' | 'run' | 'net' | 'ask' | 'list' | 'skill' | 'spawn';

/** What each tool of Gnomon can do (docs/tools.md). */
const RIGHTS: Readonly<Record<string, Right>> = {
  read: 'see',
  grep: 'see',
  glob: 'see',
  list: 'see',
  symbols: 'see',
  diagnostics: 'see',
  edit: 'change',
  apply_patch: 'change',
  write: 'change',
  bash: 'run',
  jobs: 'run',
  fetch: 'net',
  web_search: 'net',
  ask: 'ask',
  todo: 'list',
  skill: 'skill',
  agent: 'spawn',
};

/** What the tools of a program can do by its documentation: nothing of that for those that only concern the program itself. */
interface Documented {
  readonly program: string;
  readonly source: string;
  readonly dialect: ToolDialect;
  readonly tools: Readonly<Partial<Record<Right | 'itself', string>>>;
}

const DOCUMENTED: readonly Documented[] = [
  {
    program: 'Claude Code',
    source: 'code.claude.com/docs/en/tools-reference',
    dialect: 'claude',
    tools: {
      see: 'Read Grep Glob LS NotebookRead LSP',
      change: 'Edit MultiEdit Write NotebookEdit',
      run: 'Bash PowerShell BashOutput KillShell KillBash TaskOutput TaskStop Monitor',
      net: 'WebFetch WebSearch',
      ask: 'AskUserQuestion',
      list: 'TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet',
      skill: 'Skill',
      spawn: 'Agent Task',
      itself: names(
        'SlashCommand SendMessage EnterPlanMode ExitPlanMode EnterWorktree ExitWorktree CronCreate CronDelete CronList TeamCreate',
        'TeamDelete ToolSearch ListMcpResources ReadMcpResource',
      ),
    },
  },
  {
    program: 'VS Code',
    source: 'code.visualstudio.com/docs/agents/reference/tools-reference',
    dialect: 'vscode',
    tools: {
      see: names(
        'read read/readFile read/problems problems search search/codebase codebase search/fileSearch fileSearch search/listDirectory',
        'listDirectory search/textSearch textSearch search/usages usages search/changes changes testFailure searchResults findTestFiles',
        'terminalLastCommand read/terminalLastCommand terminalSelection read/terminalSelection readNotebookCellOutput getNotebookSummary',
      ),
      change: names(
        'edit edit/createFile createFile edit/createDirectory createDirectory edit/editFiles editFiles edit/editNotebook editNotebook',
        'edit/rename rename newWorkspace new edit/createJupyterNotebook createJupyterNotebook',
      ),
      run: names(
        'execute execute/runInTerminal runInTerminal execute/getTerminalOutput getTerminalOutput execute/awaitTerminal execute/killTerminal',
        'execute/runTests runTests execute/runTask runTask runTasks execute/createAndRunTask createAndRunTask runCommands runNotebooks',
        'execute/runNotebookCell vscode/installExtension execute/testFailure',
      ),
      net: 'web web/fetch fetch web/githubRepo githubRepo browser openSimpleBrowser',
      ask: 'vscode/askQuestions askQuestions',
      list: 'todo todos',
      spawn: 'agent agent/runSubagent runSubagent',
      itself: names(
        'vscode vscode/memory vscode/extensions extensions vscode/vscodeAPI vscodeAPI',
        'vscode/getProjectSetupInfo vscode/runCommand updateUserPreferences',
      ),
    },
  },
  {
    program: 'Copilot CLI and cloud agent',
    source: 'docs.github.com/en/copilot/reference/custom-agents-configuration, “Tool aliases”',
    dialect: 'vscode',
    tools: {
      see: 'read search NotebookRead Grep Glob',
      change: 'edit MultiEdit Write NotebookEdit',
      run: 'execute shell Bash powershell',
      net: 'web WebSearch WebFetch',
      list: 'todo TodoWrite',
      spawn: 'agent custom-agent Task',
    },
  },
  {
    program: 'Cursor',
    source: 'cursor.com/docs/agent/tools',
    dialect: 'claude',
    tools: {
      see: 'read_file list_dir codebase_search grep_search file_search read_lints',
      change: 'edit_file search_replace',
      run: 'run_terminal_cmd',
      net: 'web_search',
    },
  },
  {
    program: 'Roo Code',
    source: 'docs.roocode.com/advanced-usage/available-tools/tool-use-overview',
    dialect: 'claude',
    tools: {
      see: 'read_file search_files list_files codebase_search',
      change: 'apply_diff write_to_file search_and_replace search_replace edit_file apply_patch',
      run: 'execute_command',
      ask: 'ask_followup_question',
      list: 'update_todo_list',
      spawn: 'new_task',
    },
  },
  {
    program: 'Gemini CLI',
    source: 'github.com/google-gemini/gemini-cli, docs/tools',
    dialect: 'claude',
    tools: { see: 'list_directory read_file glob grep_search', change: 'write_file', ask: 'ask_user', skill: 'activate_skill' },
  },
];

const CASES = DOCUMENTED.flatMap(({ program, source, dialect, tools }) =>
  Object.entries(tools).flatMap(([right, all]) => all.split(' ').map((name) => ({ program, source, dialect, right, name }))),
);

/** One text of several. */
function names(...parts: readonly string[]): string {
  return parts.join(' ');
}

/** The same name in other spellings: case, hyphens, and underscores do not tell tools apart. */
function spellings(name: string): readonly string[] {
  return [...new Set([name, name.toLowerCase(), name.toUpperCase(), name.replaceAll('_', '-'), name.replace(/([a-z])([A-Z])/g, '$1_$2'), ` ${name} `])];
}

describe('a name of a tool of another program', () => {
  it.each(CASES)('$program: “$name” stands for tools that can only $right ($source)', ({ name, right, dialect }) => {
    for (const spelled of spellings(name)) {
      const meaning = toolMeaning(spelled, dialect);
      const rights = meaning.type === 'tools' ? meaning.tools.map((tool) => RIGHTS[tool] ?? `whatever ${tool} does`) : [];
      expect(
        rights.filter((each) => each !== right),
        spelled,
      ).toEqual([]);
    }
  });

  it('never stands for a tool that its program does not document for it, whatever is limited or added', () => {
    for (const { name, dialect, right } of CASES) {
      for (const written of [`${name}(*)`, `${name}()`, `${name}(x)`, `${name}(a, b)`, `${name}*`, `*${name}`, `${name} Bash`, `${name},Bash`]) {
        const meaning = toolMeaning(written, dialect);
        // Before a slash, what is no set of VS Code is a server.
        const tools = meaning.type === 'tools' ? meaning.tools.filter((tool) => !tool.startsWith('mcp__')) : [];
        expect(
          tools.filter((tool) => RIGHTS[tool] !== right),
          written,
        ).toEqual([]);
      }
    }
  });

  it('is known for each tool of the two programs whose lists are complete', () => {
    const known = CASES.filter(({ program }) => program === 'Claude Code' || program === 'VS Code');
    expect(known.filter(({ name, dialect }) => toolMeaning(name, dialect).type === 'unknown').map(({ name }) => name)).toEqual([]);
  });
});
