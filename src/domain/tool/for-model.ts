import { denialForModel } from './denial.js';
import type { CallOutcome, Failure, FileFailure, SearchFailure } from './outcome.js';

/** An outcome that is converted to text for the model: for success, the result of the tool is the text. */
export type ToldOutcome = Exclude<CallOutcome, { kind: 'done' | 'created' | 'found' | 'found_tools' | 'answered' | 'not_answered' | 'ran' }>;

type Sentences<Outcome extends { readonly kind: string }> = {
  readonly [Kind in Outcome['kind']]: (outcome: Extract<Outcome, { readonly kind: Kind }>, detail: string) => string;
};

const CANNOT_FIND = 'Use list or glob to see what is there.';
const NOTICED = {
  planning: 'since it was read. Read it again, then change it.',
  writing: 'since it was read; nothing was written. Read it again.',
  editing: 'since it was read; nothing was changed. Read it again.',
  replacing: 'meanwhile; nothing was written. Read it again.',
};
const NOT_TEXT = { edit: ' and cannot be edited.', replace: ' and cannot be replaced by text.', write: '; nothing was written.' };

const OF_FILES: Sentences<FileFailure> = {
  not_found: ({ file, why }, advice) =>
    why === 'in_file'
      ? `${file} does not exist: a part of its path is a file, not a folder.`
      : `${file} does not exist. ${advice === '' ? CANNOT_FIND : advice}`,
  is_folder: ({ file, wanted }) => (wanted === 'file' ? `${file} is a folder, not a file.` : `${file} is a folder. Use list to see what is in it.`),
  changed_meanwhile: ({ file, noticed }, how) => `${file} has changed ${NOTICED[noticed]}${how === '' ? '' : ` ${how}`}`,
  not_read: ({ file, why }) => {
    if (why === 'partly') return `Only a part of ${file} has been read. Change it with edit, or read the rest before you replace all of it.`;
    if (why === 'outside') return `${file} is outside the workspace and has not been read. Read it first.`;
    return `${file} exists and has not been read. Read it first, or choose another name.`;
  },
  binary: ({ file, type, extension }, size) => {
    const what = type ?? extension;
    const advice = type === undefined ? '' : ` ${type.includes('image') ? 'Make a png of it' : 'Look into it'} with a command.`;
    return `${file} is a binary file${what === undefined ? '' : ` (${what})`} of ${size}, not text.${advice}`;
  },
  not_text: ({ file, wanted }) => `${file} is not a text file${NOT_TEXT[wanted]}`,
  too_large: ({ file, wanted }, sizes) =>
    wanted === 'edit'
      ? `${file} is too large: ${sizes}. Change it with a command, such as sed -i.`
      : `${file} is too large to change: ${sizes}. Read parts of it with read or grep, and change it with a command.`,
  read_only: ({ file, wanted = 'written' }) => `${file} is read-only; nothing was ${wanted}.`,
  inaccessible: ({ file, wanted }) =>
    wanted === 'access' ? `${file} may not be accessed: the system denies permission.` : `${file} may not be changed: the system does not permit it.`,
  text_left_out: ({ file, line }, written) =>
    line === undefined
      ? `“${written}” stands for text left out, and would be written to ${file} as it is; nothing was changed. ` +
        'Write what is to be there. What an edit does not replace stays.'
      : `Line ${line} of the content stands for text left out: ${written}. ${file} would lose it, so nothing was written. ` +
        'Use edit to change a part, or send the whole text.',
  text_not_found: ({ file, edit }, hints) => `${editLabel(edit)}old_string was not found in ${file}; nothing was changed.${hints}`,
  ambiguous: ({ file, edit, found, expected }, places) =>
    `${editLabel(edit)}old_string occurs ${found === 1 ? 'once' : `${found} times`} in ${file}` +
    `${expected === undefined ? UNIQUE : otherCount(expected)}\n${places}`,
  unchanged: ({ file, by }) =>
    by === 'edit' ? `The edit would change nothing in ${file}: old and new are the same.` : `${file} has exactly this content already; nothing to write.`,
};

const UNIQUE = '; nothing was changed. Add surrounding lines until it is unique, or set replace_all.';

function otherCount(expected: number): string {
  return `, not ${expected} as expected_replacements says; nothing was changed. Give the right number, or add lines until only the places that are meant fit.`;
}

/** Label for one of several edits of a call, for the model, with a trailing space; empty for the only one. */
export function editLabel(edit: { readonly number: number; readonly of: number } | undefined): string {
  return edit === undefined ? '' : `Edit ${edit.number} of ${edit.of}: `;
}

const SETUPS = {
  no_json:
    'SearXNG does not answer with JSON. The user has to add "json" to search.formats in the server\'s ' +
    'settings.yml and restart it, or correct the setting gnomon.webSearch.searxngUrl.',
  no_server:
    'No SearXNG server is set. The user has to set gnomon.webSearch.searxngUrl to its address without a name and password, such as http://localhost:8888.',
  bad_server:
    'The address of the SearXNG server is invalid. ' +
    'The user has to set gnomon.webSearch.searxngUrl to its address without a name and password, such as http://localhost:8888.',
  no_key: 'No API key is set for Brave Search. The user has to run “Gnomon: Set Brave Search API Key”.',
  bad_key: 'Brave Search rejected the API key. The user has to run “Gnomon: Set Brave Search API Key”.',
};

const OF_SEARCHES: Sentences<SearchFailure> = {
  search_setup: ({ wrong }) => SETUPS[wrong],
  search_unsupported: ({ service, model }, problem) =>
    `${service} did not search the web with the model ${model}: ${problem} The user can choose another model, enable web search for the account, ` +
    'or choose another search in the setting gnomon.webSearch.provider.',
  rate_limited: ({ service, of, seconds }) =>
    `${service} is asked ${of === 'model' ? 'to search ' : ''}too often. ` +
    (seconds === undefined ? 'Try again in a minute.' : `Try again in ${Math.max(1, seconds)} s.`),
  no_pages: () => 'No pages were found. Search for other or fewer words.',
};

const ARGUMENTS = {
  json: (tool: string, problem: string) => `The arguments of ${tool} cannot be read: ${problem}. Nothing was run. Send the call again.`,
  list: (tool: string) => `The arguments of ${tool} must be a JSON object, not a list; nothing was done.`,
  schema: (tool: string, problems: string) => `The arguments of ${tool} do not fit its schema; nothing was done.\n${problems}`,
};

const NOT_RUN = {
  length: 'Not executed: the answer reached its length limit before it was finished. Send the call again, in smaller parts.',
  error: 'Not executed: the answer broke off.',
  no_stop: 'Not executed: the answer did not stop for tool use. Send the call again if it is still needed.',
};

const SENTENCES: Sentences<Exclude<ToldOutcome, FileFailure | SearchFailure>> = {
  unreadable_pdf: ({ why, seconds = 0 }, problem) => {
    if (why === 'password') return 'The PDF document is protected with a password. Ask the user for a copy without one.';
    if (why === 'memory') return 'The PDF document takes too much memory to read. Read fewer pages with limit.';
    if (why === 'time') return `The PDF document takes longer than ${seconds} seconds to read. Read fewer pages with limit.`;
    return why === 'broken' ? `The PDF document is broken: ${problem}` : 'The PDF document cannot be read: its reader ended.';
  },
  invalid_arguments: ({ tool, wrong }, problem) => ARGUMENTS[wrong](tool, problem),
  unknown_tool: ({ tool, calledBy }, help) =>
    calledBy === undefined
      ? `There is no tool named “${tool}”. The tools are: ${help}.`
      : `There is no tool named “${tool}” to be called with ${calledBy}; nothing was done. ${help}`,
  agent_lacks_tool: ({ agent }, names) => `${denialForModel({ kind: 'agent', agent, cannot: 'use' })} The tools are: ${names}.`,
  agent_limit: ({ limit, started }) => {
    const why =
      limit === 'agents' ? `this chat has started ${started} agents, the most that it may` : 'the agents of this chat have used what they may use together';
    return `Not started: ${why}. Do the rest yourself, or tell the user, who can raise the limit.`;
  },
  rejected: ({ problem }, advice) => problem + advice,
  failed: (_, result) => result,
  crashed: ({ tool, problem }, whole) => `The tool ${tool} failed: ${whole === '' ? problem : whole}`,
  unusable: ({ problem }) => `The tool returned something that cannot be used: ${problem}.`,
  exited: (_, report) => report,
  killed: (_, report) => report,
  timed_out: (_, report) => report,
  interrupted: () => 'Interrupted before it finished; not run again.',
  not_run: ({ why }) => NOT_RUN[why],
  cancelled: ({ unstarted }, left) =>
    unstarted === true ? 'Not executed: the user stopped the answer.' : `Cancelled by the user.${left === '' ? '' : ` ${left}`}`,
  denied: ({ denial }) => {
    if (denial.kind === 'told') return denial.reason;
    if (denial.kind === 'user') return `The user denied this call; nothing was done.${denial.said === undefined ? '' : ` They said: ${denial.said}`}`;
    return `Permission denied. ${denialForModel(denial)} Nothing was done.`;
  },
};

/**
 * Text for the model about the outcome of a call: the only place with these sentences, and nothing parses them.
 * @param detail details for the model only, which are not stored: the lines that come near, the names that there are, the report
 * of a command
 */
export function forModel(outcome: ToldOutcome | Failure, detail = ''): string {
  // One table for all kinds would be loaded with whatever knows of errors: what is spread cannot be left out of a bundle.
  const all = { ...OF_FILES, ...OF_SEARCHES, ...SENTENCES };
  // It has a sentence for each kind, made for that kind.
  const sentence = all[outcome.kind] as (outcome: ToldOutcome | Failure, detail: string) => string;
  return sentence(outcome, detail);
}
