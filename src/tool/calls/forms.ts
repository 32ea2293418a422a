import type { OtherForms } from './fields.js';
import { reshapeAsk, reshapeBash, reshapeDiagnostics, reshapeEdit, reshapeFetch, reshapeJobs } from './reshape.js';
import { reshapeGrep, reshapeRead } from './reshape-reading.js';
import { TODO_FORMS } from './todo-items.js';

/** Other names of the file that a call is about. */
const FILE = names(
  'file_path',
  'filepath path file filename targetfile absolutepath absolutefilepath notebookpath paths files filepaths filenames targetfiles',
);
/** Other names of the folder to look in. */
const FOLDER = names(
  'path',
  'filepath dir dirpath directory directorypath folder folderpath targetdirectory relativeworkspacepath searchpath searchdirectory absolutepath',
);

/**
 * How models write the arguments of the built-in tools, by tool, as the tools of other harnesses have taught them:
 * Claude Code, Codex, Cursor, Cline and Roo Code, Gemini CLI, Copilot, opencode, Windsurf. Only what means the same is
 * renamed; what a tool cannot do is left for its schema to refuse.
 */
export const OTHER_FORMS = {
  read: {
    names: {
      ...FILE,
      ...names('offset', 'startline startlineoneindexed linestart'),
      ...names('limit', 'maxlines numlines linecount numberoflines'),
      ...names('end_line', 'endline endlineoneindexedinclusive lineend'),
      ...names('view_range', 'viewrange linerange'),
    },
    idle: { encoding: ['utf-8', 'utf8'], shouldreadentirefile: [false], mode: ['slice'] },
    paths: ['file_path'],
    bare: 'file_path',
    reshape: reshapeRead,
  },
  write: {
    names: { ...FILE, ...names('content', 'contents filecontent filetext text codecontent') },
    idle: { overwrite: [true], append: [false], encoding: ['utf-8', 'utf8'], createdirs: [true], createdirectories: [true] },
    ignored: ['linecount', 'complexity'],
    texts: ['content'],
    paths: ['file_path'],
  },
  edit: {
    names: { ...FILE, ...names('edits', 'operations'), ...names('diff', 'blocks') },
    idle: { dryrun: [false] },
    paths: ['file_path'],
    reshape: reshapeEdit,
  },
  apply_patch: { names: names('patch', 'input diff patchtext patchcontent'), texts: ['patch'], bare: 'patch' },
  grep: {
    names: {
      ...FOLDER,
      ...names('path', 'file paths files filepaths'),
      ...names('pattern', 'query regex regexp searchpattern searchterm searchquery'),
      ...names('glob', 'include includepattern includes filepattern fileglob globpattern'),
      ...names('exclude', 'excludepattern excludes'),
      ...names('type', 'filetype'),
      ...names('-i', 'i ignorecase caseinsensitive'),
      ...names('-w', 'w word words wholeword matchwholeword'),
      ...names('-F', 'fixedstrings fixedstring literal'),
      ...names('-A', 'after aftercontext linesafter'),
      ...names('-B', 'before beforecontext linesbefore'),
      ...names('-C', 'context contextlines'),
      ...names('head_limit', 'limit maxresults totalmaxmatches maxmatches'),
      ...names('no_ignore', 'includeignored includeignoredfiles'),
      ...names('multiline', 'u'),
    },
    idle: {
      n: [true, false],
      shownumbers: [true],
      linenumbers: [true],
      r: [true],
      recursive: [true],
      hidden: [true],
      casesensitive: [true],
      isregexp: [true],
      isregex: [true],
      regexenabled: [true],
      respectgitignore: [true],
      namesonly: [false],
      filesonly: [false],
      l: [false],
    },
    limits: { '-A': [0, 50], '-B': [0, 50], '-C': [0, 50], head_limit: [1, 1_000], offset: [0, 10_000] },
    paths: ['path'],
    reshape: reshapeGrep,
  },
  glob: {
    names: { ...FOLDER, ...names('pattern', 'globpattern query filepattern glob searchpattern patterns'), ...names('path', 'paths') },
    idle: { casesensitive: [true], respectgitignore: [true], recursive: [true] },
    ignored: ['maxresults', 'limit', 'headlimit', 'respectgeminiignore'],
    paths: ['path', 'pattern'],
    bare: 'pattern',
  },
  list: {
    names: { ...FOLDER, ...names('path', 'file paths files directories folders') },
    idle: { recursive: [false], r: [false], depth: [1], maxdepth: [1], all: [true], showhidden: [true], includehidden: [true] },
    ignored: ['limit', 'maxresults', 'ignore', 'ignoreglobs', 'filefilteringoptions', 'respectgitignore', 'explanation'],
    paths: ['path'],
    bare: 'path',
  },
  bash: {
    names: {
      ...names('command', 'cmd commandline shellcommand script'),
      ...names('cwd', 'workdir workingdirectory workingdir directory dirpath'),
      ...names('background', 'runinbackground isbackground'),
      ...names('unsandboxed', 'dangerouslydisablesandbox withescalatedpermissions'),
      ...names('timeout_s', 'timeoutseconds timeoutsecs timeoutsec timeouts'),
    },
    idle: {
      tty: [false],
      interactive: [false],
      mode: ['sync'],
      sandboxpermissions: ['use_default', 'default'],
      shell: ['bash', '/bin/bash'],
      stream: [true, false],
      restart: [false],
    },
    ignored: [
      'login',
      'maxoutputtokens',
      'maxoutputlength',
      'yieldtimems',
      'prefixrule',
      'blockuntilms',
      'requireuserapproval',
      'safetoautorun',
      'suggestedtimeout',
    ],
    paths: ['cwd'],
    bare: 'command',
    bareList: 'command',
    reshape: reshapeBash,
  },
  jobs: {
    names: names('id', 'jobid bashid shellid taskid terminalid sessionid'),
    ignored: ['filter', 'block', 'wait', 'timeout', 'timeoutms', 'waitupto'],
    reshape: reshapeJobs,
  },
  todo: TODO_FORMS,
  ask: {
    names: { ...names('question', 'prompt message'), ...names('choices', 'options suggestions followup'), ...names('multiple', 'multiselect allowmultiple') },
    ignored: ['header', 'type', 'placeholder', 'metadata'],
    reshape: reshapeAsk,
  },
  diagnostics: {
    names: { ...FOLDER, ...names('path', 'file filename'), ...names('paths', 'filepaths files') },
    paths: ['path'],
    bare: 'path',
    reshape: reshapeDiagnostics,
  },
  symbols: {
    names: {
      ...names('path', 'filepath file filename absolutepath paths files filepaths'),
      ...names('name', 'symbol symbolname query identifier'),
      ...names('line', 'linenumber startline'),
      ...names('action', 'operation'),
    },
    ignored: ['character', 'column'],
    paths: ['path'],
  },
  fetch: {
    names: { ...names('url', 'uri link pageurl'), ...names('offset', 'startindex') },
    idle: { format: ['markdown'], raw: [false] },
    ignored: ['prompt', 'query', 'timeout', 'timeoutms', 'maxlength', 'maxchars', 'format'],
    limits: { offset: [0, Number.MAX_SAFE_INTEGER] },
    bare: 'url',
    reshape: reshapeFetch,
  },
  skill: { names: names('skill', 'name skillname skillid command'), ignored: ['args', 'arguments', 'input'], bare: 'skill' },
  web_search: {
    names: names('query', 'q searchterm searchquery searchterms queries'),
    bare: 'query',
    ignored: ['explanation', 'count', 'limit', 'numresults', 'maxresults', 'prompt'],
  },
} as const satisfies Readonly<Record<string, OtherForms>>;

/** The other forms of a tool's arguments by its name; none for tools that are not built in. */
export function formsOf(tool: string): OtherForms {
  return Object.hasOwn(OTHER_FORMS, tool) ? ((OTHER_FORMS as Readonly<Record<string, OtherForms>>)[tool] ?? {}) : {};
}

function names(field: string, others: string): Readonly<Record<string, string>> {
  return Object.fromEntries(others.split(' ').map((other) => [other, field]));
}
