import { serverId } from '../domain/mcp/tool-name.js';

/** Program whose tool names a list uses, where one name has different meanings. */
export type ToolDialect = 'claude' | 'vscode';

/** Meaning of a name in a list of tools. */
export type ToolMeaning =
  /** Names of tools of Gnomon, of servers, or of extensions; `*` at the end of one, and alone, for any that begin so. */
  | { readonly type: 'tools'; readonly tools: readonly string[] }
  /** A tool that is limited to some arguments there, such as `Bash(git:*)`. Lists of tools have no such limits here. */
  | { readonly type: 'limited'; readonly name: string }
  /** A tool that Gnomon has nothing like. */
  | { readonly type: 'none' }
  | { readonly type: 'unknown' };

/** Names of tools in other programs and in Gnomon; in lower case, without hyphens and underscores. */
const NAMES: readonly (readonly [names: string, tools: readonly string[]])[] = [
  ['read readfile view viewfile notebookread', ['read']],
  ['write writefile writetofile create createfile', ['write']],
  [
    'edit multiedit editfile notebookedit strreplace replacestringinfile multireplacestringinfile searchreplace searchandreplace inserteditintofile applydiff',
    ['edit', 'apply_patch'],
  ],
  ['editfiles editnotebook', ['edit', 'apply_patch', 'write']],
  ['applypatch', ['apply_patch']],
  ['grep grepsearch textsearch findtextinfiles searchfiles ripgrep', ['grep']],
  ['glob filesearch findfiles', ['glob']],
  ['list ls listdir listdirectory listfiles', ['list']],
  ['bash shell terminal powershell runinterminal runterminalcmd runterminalcommand runcommands executecommand', ['bash', 'jobs']],
  ['jobs bashoutput killbash killshell taskoutput taskstop getterminaloutput awaitterminal killterminal', ['jobs']],
  ['fetch webfetch fetchwebpage', ['fetch']],
  ['websearch', ['web_search']],
  ['todo todos todowrite todoread taskcreate taskupdate tasklist taskget managetodolist updatetodolist', ['todo']],
  ['ask askuser askuserquestion askquestion askquestions askfollowupquestion', ['ask']],
  ['diagnostics problems geterrors readlints mcpidegetdiagnostics', ['diagnostics']],
  ['symbols usages listcodeusages', ['symbols']],
  ['lsp', ['symbols', 'diagnostics']],
  ['skill activateskill', ['skill']],
  ['agent task runsubagent customagent newtask', ['agent']],
  ['codebase codebasesearch semanticsearch', ['grep', 'glob', 'symbols']],
];

/**
 * Sets of tools of VS Code and Copilot (code.visualstudio.com/docs/agents/reference/tools-reference; docs.github.com, "Custom agents
 * configuration"). They are more than the tools that others have by those names.
 */
const SETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['read', 'diagnostics']],
  ['edit', ['edit', 'apply_patch', 'write']],
  ['search', ['grep', 'glob', 'list', 'symbols']],
  ['execute', ['bash', 'jobs']],
  ['web', ['fetch', 'web_search']],
]);
/** Prefixes before the `/` in the names of VS Code's own tools. Before that of others, there is a server or an extension. */
const SET_NAMES: ReadonlySet<string> = new Set([...SETS.keys(), 'agent', 'browser', 'new', 'runcommands', 'runnotebooks', 'runtasks', 'todo', 'vscode']);

/**
 * Tools that Gnomon has nothing like: of Claude Code (code.claude.com/docs/en/tools-reference), of VS Code (see {@link SETS}). Tools that
 * find deferred tools come with those.
 */
const WITHOUT_COUNTERPART: ReadonlySet<string> = new Set(
  [
    'slashcommand sendmessage enterplanmode exitplanmode enterworktree exitworktree croncreate crondelete cronlist teamcreate teamdelete',
    'toolsearch monitor listmcpresources readmcpresource',
    'extensions vscodeapi memory resolvememoryfileuri installextension newworkspace new getprojectsetupinfo opensimplebrowser',
    'openbrowserpage browser vscode runcommand',
    'runtask runtasks createandruntask gettaskoutput runtests runtest testfailure findtestfiles changes githubrepo searchresults terminallastcommand',
    'terminalselection sendtoterminal createdirectory rename',
    'runnotebooks runnotebookcell createjupyternotebook getnotebooksummary readnotebookcelloutput readcelloutput updateuserpreferences',
  ].flatMap((names) => names.split(' ')),
);

const TOOLS: ReadonlyMap<string, readonly string[]> = new Map(NAMES.flatMap(([names, tools]) => names.split(' ').map((name) => [name, tools] as const)));

/** Characters of a name with what is in parentheses behind it. */
const MAX_NAME = 1_000;
/** Names of tools as they can be in a session, with a star at the end of a beginning of such names. */
const OWN_NAME = /^(?:mcp__[\w.@/:-]+|ext__[\w.-]+)\*?$/;

/**
 * Resolves a name in a list of tools, such as the `tools` of an agent. Case does not matter. A name never stands for more than it
 * does in the program that it is from.
 */
export function toolMeaning(written: string, dialect: ToolDialect): ToolMeaning {
  if (written.length > MAX_NAME) return { type: 'unknown' };
  const [, name = written, args] = /^([^()\s]+)\s*\((.*)\)$/s.exec(written.trim()) ?? [];
  if (name.trim() === '*') return { type: 'tools', tools: ['*'] };
  const meaning = meaningOf(name.trim(), dialect);
  const isLimited = args !== undefined && args.trim() !== '' && args.trim() !== '*';
  return isLimited && meaning.type === 'tools' ? { type: 'limited', name } : meaning;
}

function meaningOf(name: string, dialect: ToolDialect): ToolMeaning {
  const own = ownName(name);
  if (own !== undefined) return { type: 'tools', tools: [own] };
  const [, before, last = name] = /^(.+)\/([^/]+)$/.exec(name) ?? [];
  if (before !== undefined && !SET_NAMES.has(plain(before))) return toolOfServer(before, last);
  const key = plain(last);
  const set = SETS.get(key);
  // Within a set, there is no other set.
  const tools = before === undefined && dialect === 'vscode' ? (set ?? TOOLS.get(key)) : (TOOLS.get(key) ?? set);
  if (tools !== undefined) return { type: 'tools', tools };
  return { type: WITHOUT_COUNTERPART.has(key) ? 'none' : 'unknown' };
}

/** A name as sessions have it; `mcp__server` alone stands for all tools of the server. */
function ownName(name: string): string | undefined {
  if (plain(name) === 'mcpidegetdiagnostics') return undefined;
  if (name === 'mcp__*' || name === 'ext__*') return name;
  if (!OWN_NAME.test(name)) return undefined;
  return name.endsWith('*') || name.indexOf('__', 'mcp__'.length) !== -1 ? name : `${name}__*`;
}

/** `server/tool` and `server/*` of VS Code. An extension is named `publisher.extension` there. */
function toolOfServer(server: string, tool: string): ToolMeaning {
  const id = serverId(server);
  if (id === '' || !/^(?:\*|[\w.-]{1,256})$/.test(tool)) return { type: 'unknown' };
  return { type: 'tools', tools: [`mcp__${id}__${tool}`] };
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
