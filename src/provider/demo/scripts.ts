import type { Call, Seen } from './seen.js';

/** One answer of the demo: what it says, and the calls that it makes if the task continues. */
interface Step {
  /** When it is the next answer. */
  readonly when: (seen: Seen) => boolean;
  /** Shown only when the request asks for thinking. */
  readonly thinking?: string;
  readonly say: string | ((seen: Seen) => string);
  readonly calls?: readonly Call[];
  /** Calls that depend on what those so far have shown. */
  readonly more?: (seen: Seen) => readonly Call[];
}

/** A task of the sample workspace. The first step that fits what the calls so far have shown is the next answer. */
export interface Script {
  /** Phrases that ask for it, as the chat suggests them and users vary them. */
  readonly asked: readonly RegExp[];
  readonly steps: readonly Step[];
  /** What is said where no step fits. */
  readonly otherwise: Step['say'];
}

const HOW_TO_CONNECT = [
  'To work with a real model:',
  '',
  '1. Set an environment variable such as `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` before you start VS Code or `gnomon`. In VS Code, you can also run ' +
    '**Gnomon: Set API Key** from the command palette. A running Ollama and the models of VS Code need no key.',
  '2. Choose the model with `--model` in a terminal; in VS Code, in the chat or with **Gnomon: Select Model**.',
  '3. Endpoints of your own go into the settings `gnomon.providers` and `gnomon.anthropic.baseUrl`.',
].join('\n');

/** The introduction of every task. */
export const INTRODUCTION =
  'I am the offline demo: a script, not a language model. No model is contacted and nothing leaves this machine. ' +
  'The tools are the real ones, so what I do to your files is real too, and you are asked first.';

/** The answer to everything that no script is about. */
export const EXPLANATION = [
  'I am the offline demo: a script, not a language model, so I cannot answer that. No model was contacted.',
  '',
  'What I can do is play three tasks with the real tools in Gnomon’s sample workspace: “Fix the failing test”, “Explain how this project is structured”, ' +
    'and “Have agents look at this project”.',
  '',
  HOW_TO_CONNECT,
].join('\n');

/** Ends a task after a call that was denied. */
export function denied({ would }: Call, by: 'user' | 'rule'): string {
  const what = by === 'user' ? 'You denied that' : 'That was denied';
  return `${what}, so I’ll stop here. I would have ${would}\n\nSend the message again when you want me to try once more. No model was contacted.`;
}

/** Ends a task that cannot be finished: why, then what would help. */
export function giveUp(why: string): string {
  return `${why}\n\nI am only a script for the sample workspace, and no model was contacted. ${HOW_TO_CONNECT}`;
}

const SOURCE = 'src/slot.js';
const BUG = '  return a.start <= b.end && b.start < a.end;';
const REPAIR = '  return a.start < b.end && b.start < a.end;';
const DIFF = ['```diff', `-${BUG}`, `+${REPAIR}`, '```'].join('\n');
const TITLE = 'can be booked back to back, since meetings that only touch do not overlap';

const READ_MANIFEST = read('package.json');
const READ_README = read('README.md');
const READ_TEST = read('test/room.test.js');
const READ_SOURCE = read(SOURCE);
const RUN: Call = { name: 'bash', args: { command: 'npm test', description: 'Run the tests' }, would: 'run `npm test` to see which tests fail.' };
const RUN_AGAIN: Call = {
  ...RUN,
  would: `run \`npm test\` again. What I proposed for \`${SOURCE}\` is in the file, and not confirmed by a test run:\n\n${DIFF}`,
};
const EDIT: Call = {
  name: 'edit',
  args: { file_path: SOURCE, old_string: BUG, new_string: REPAIR },
  would: `changed \`${SOURCE}\` like this, and run the tests again:\n\n${DIFF}`,
};

function read(path: string): Call {
  return { name: 'read', args: { file_path: path }, would: `read \`${path}\`.` };
}

/** How each task begins: in a workspace that the scripts were not written for nothing is done. */
const FIND_PROJECT: readonly Step[] = [
  {
    when: (seen) => seen.textOf(READ_MANIFEST) === undefined,
    thinking: 'Scripted step: find out whether this is the sample workspace.',
    say: 'I’ll check `package.json` to see which project this is.',
    calls: [READ_MANIFEST],
  },
  {
    when: (seen) => !seen.shows(READ_MANIFEST, '"name": "roomkeeper"'),
    say: giveUp(
      'My script is about Gnomon’s sample workspace, the project `roomkeeper`. There is no `package.json` of it here, so I ran nothing and changed nothing.',
    ),
  },
];

const FIX_TEST: Script = {
  asked: [
    /\b(fix|repair|solve|resolve|correct|debug)\b[^]*\b(tests?|specs?|test suite|bug|failures?)\b/i,
    /\b(make|get|let)\b[^]*\b(tests?|specs?|suite)\b[^]*\b(pass(es|ing)?|green|succeed|work(s|ing)?)\b/i,
    /\b(behebe?n?|repariere?n?|korrigiere?n?|löse?n?)\b[^]*\b(tests?|fehler)\b|\b(tests?|fehler)\b[^]*\b(beheben|reparieren|korrigieren|lösen)(?![\wäöüß])/i,
  ],
  steps: [
    ...FIND_PROJECT,
    { when: (seen) => isRepaired(seen) && testRun(seen) === undefined, say: 'Now I run `npm test` again.', calls: [RUN_AGAIN] },
    {
      when: (seen) => testRun(seen) === undefined,
      thinking: 'Scripted step: run the tests.',
      say: 'First I run the tests with `npm test` to see what fails.',
      calls: [RUN],
    },
    {
      when: (seen) => isRepaired(seen) && passCount(seen) !== undefined,
      say: (seen) =>
        `All ${passCount(seen)} tests pass now. What I proposed for \`${SOURCE}\`:\n\n${DIFF}\n\n` +
        `This was the scripted demo at work: no model was contacted. ${HOW_TO_CONNECT}`,
    },
    {
      when: (seen) => passCount(seen) !== undefined,
      say: (seen) =>
        `All ${passCount(seen)} tests pass already, so there is nothing to fix and I changed nothing. No model was contacted.\n\n${HOW_TO_CONNECT}`,
    },
    {
      when: isRepaired,
      say: (seen) =>
        giveUp(
          `The tests still do not pass:\n\n${lastLines(seen)}\n\nMy script ends here. ` +
            `What I proposed for \`${SOURCE}\` is in the file; undo it if you do not want it:\n\n${DIFF}`,
        ),
    },
    {
      when: (seen) => !seen.shows(RUN, `✖ ${TITLE}`),
      say: (seen) => giveUp(`This is not the failure that my script knows, so I cannot fix it and changed nothing:\n\n${lastLines(seen)}`),
    },
    {
      when: (seen) => seen.textOf(READ_TEST) === undefined,
      thinking: 'Scripted step: read the test that fails.',
      say: `The test “${TITLE}” fails. I read it.`,
      calls: [READ_TEST],
    },
    { when: (seen) => !seen.shows(READ_TEST, TITLE), say: giveUp('I do not find that test in `test/room.test.js`, so I cannot fix it and changed nothing.') },
    { when: (seen) => seen.failures(EDIT) > 1, say: giveUp(`My edit of \`${SOURCE}\` failed twice, so I cannot fix it.`) },
    {
      when: (seen) => source(seen) === undefined,
      thinking: 'Scripted step: read the function that the test is about.',
      say: `The test books a room from the minute in which a meeting ends. \`${SOURCE}\` decides whether the two overlap, so I read that.`,
      calls: [READ_SOURCE],
    },
    {
      when: (seen) => source(seen)?.includes(BUG) === true,
      thinking: 'Scripted step: the file holds the line that the script knows.',
      say: `Because of its \`<=\`, \`overlaps\` also counts slots that only touch. It has to be \`<\`:\n\n${DIFF}`,
      calls: [EDIT],
    },
  ],
  otherwise: giveUp(`\`${SOURCE}\` does not hold the line that my script knows, so I cannot fix it and changed nothing.`),
};

const EXPLAIN_PROJECT: Script = {
  asked: [/\bexplain\b[^.!?]*\bproject\b/i, /\berklären?\b[^.!?]*\bprojekt\b/i],
  steps: [
    ...FIND_PROJECT,
    { when: (seen) => seen.textOf(READ_README) === undefined, say: 'This is the sample workspace. I read what its `README.md` says.', calls: [READ_README] },
    { when: (seen) => filesInReadme(seen) === '', say: giveUp('`README.md` does not list the files as my script expects, so I cannot explain the project.') },
  ],
  otherwise: (seen) =>
    `This is what \`README.md\` says about the files of \`roomkeeper\`:\n\n${filesInReadme(seen)}\n\n` +
    `I only quote it: I am a script, and no model was contacted. ${HOW_TO_CONNECT}`,
};

/** What agents of the demo are told. Each is a task of its own, so that an agent plays it like a user’s. */
const PARTS = {
  files: 'Demo part: list what each file in src is for.',
  tests: 'Demo part: list what the tests of rooms expect.',
  overlap: 'Demo part: find out when two slots overlap.',
  change: 'Demo part: have slots that only touch not overlap.',
} as const;

const NO_FILE = 'I cannot read that file, or it is not the one of the sample workspace, so I found nothing.';

/** The tasks of agents that only look at a file. */
function looksAt(prompt: string, file: Call, says: (text: string) => string): Script {
  return {
    asked: [exactly(prompt)],
    steps: [
      { when: (seen) => seen.at(file) < 0, say: 'I read the file.', calls: [file] },
      { when: (seen) => seen.succeeded(file), say: (seen) => says(seen.textOf(file) ?? '') },
    ],
    otherwise: NO_FILE,
  };
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll('.', String.raw`\.`)}$`);
}

const PART_SCRIPTS: readonly Script[] = [
  looksAt(PARTS.files, READ_README, (text) => filesIn(text) || NO_FILE),
  looksAt(PARTS.tests, READ_TEST, (text) => [...text.matchAll(/\bit\('([^']+)'/g)].map(([, title]) => `- a room ${title}`).join('\n') || NO_FILE),
  looksAt(PARTS.overlap, READ_SOURCE, (text) =>
    text.includes(BUG)
      ? `\`${SOURCE}\` compares with \`<=\`: slots that only touch overlap.`
      : `\`${SOURCE}\` does not compare with \`<=\`: slots that only touch do not overlap.`,
  ),
  {
    asked: [exactly(PARTS.change)],
    steps: [
      { when: (seen) => seen.at(READ_SOURCE) < 0, say: `I read \`${SOURCE}\`.`, calls: [READ_SOURCE] },
      { when: (seen) => seen.succeeded(EDIT), say: `\`overlaps\` compares with \`<\` now:\n\n${DIFF}` },
      { when: (seen) => seen.shows(READ_SOURCE, BUG) && seen.at(EDIT) < 0, say: 'I change the comparison.', calls: [EDIT] },
    ],
    otherwise: `\`${SOURCE}\` does not hold the line that my script knows, so I changed nothing.`,
  },
];

function agentFor(description: string, prompt: string, more: Readonly<Record<string, string>>): Call {
  return { name: 'agent', args: { description, prompt, ...more }, would: `had an agent do this: ${description}.` };
}

const LOOKING = [
  agentFor('List the files', PARTS.files, { agent_type: 'explore' }),
  agentFor('List what the tests expect', PARTS.tests, { agent_type: 'explore' }),
  agentFor('Find out when slots overlap', PARTS.overlap, { agent_type: 'explore' }),
];
const CHANGING = agentFor('Have touching slots not overlap', PARTS.change, { agent_type: 'general', isolation: 'worktree' });
const TEAM = [...LOOKING, CHANGING];

/** Takes over what the agent has changed in its worktree; none where it has changed nothing, or has no worktree. */
function applying(seen: Seen): readonly Call[] {
  const id = /\[(agent-\d+) has changed 1 file in its worktree/.exec(seen.textOf(CHANGING) ?? '')?.[1];
  return id === undefined ? [] : [{ name: 'agents', args: { action: 'apply', id }, would: `written into your files what ${id} has changed in its worktree.` }];
}

const HAVE_AGENTS: Script = {
  asked: [/\bagents\b[^.!?]*\b(project|code|repository|repo)\b/i, /\bagenten\b[^.!?]*\bprojekt\b/i],
  steps: [
    ...FIND_PROJECT,
    {
      when: (seen) => TEAM.some((call) => seen.textOf(call) === undefined),
      thinking: 'Scripted step: give parts of the task to agents.',
      say:
        'I have four agents work at the same time: three look at the project, and one changes a line in a worktree, which is a copy of your files. ' +
        'You see them above the message box.',
      calls: TEAM,
    },
    {
      when: (seen) => applying(seen).some((call) => seen.textOf(call) === undefined),
      say: 'All are done. The change is only in the worktree so far. I take it over into your files, where you keep or undo it.',
      calls: [],
      more: applying,
    },
  ],
  otherwise: (seen) => {
    const found = LOOKING.map((call) => `**${call.args['description'] ?? ''}**\n\n${seen.textOf(call) ?? ''}`).join('\n\n');
    const [applied] = applying(seen);
    const change =
      applied === undefined || !seen.succeeded(applied)
        ? `Nothing was taken over: ${seen.textOf(applied ?? CHANGING) ?? 'the agent has changed nothing.'}`
        : `The change is in \`${SOURCE}\` now, for you to keep or undo.`;
    return `This is what the agents found:\n\n${found}\n\n${change}\n\nThis was the scripted demo at work: no model was contacted. ${HOW_TO_CONNECT}`;
  },
};

/** All that the demo can do. */
export const SCRIPTS: readonly Script[] = [...PART_SCRIPTS, FIX_TEST, EXPLAIN_PROJECT, HAVE_AGENTS];

/** The source file, unless an edit may have changed it since it was read. */
function source(seen: Seen): string | undefined {
  return seen.at(READ_SOURCE) > seen.at(EDIT) ? seen.textOf(READ_SOURCE) : undefined;
}

/** Whether the edit was made. If it was interrupted, the file shows it. */
function isRepaired(seen: Seen): boolean {
  const text = source(seen);
  return seen.succeeded(EDIT) || (seen.at(EDIT) >= 0 && text?.includes(REPAIR) === true && !text.includes(BUG));
}

/** The output of the tests, unless the edit was made since. */
function testRun(seen: Seen): string | undefined {
  return isRepaired(seen) && seen.at(EDIT) > seen.at(RUN) ? undefined : seen.textOf(RUN);
}

/** The number of tests, if all of them passed and the output says so. */
function passCount(seen: Seen): string | undefined {
  const output = testRun(seen) ?? '';
  return /ℹ fail 0\b/.test(output) ? /ℹ pass ([1-9]\d*)/.exec(output)?.[1] : undefined;
}

function lastLines(seen: Seen): string {
  return ['```', ...(testRun(seen) ?? '').trimEnd().split('\n').slice(-12), '```'].join('\n');
}

function filesInReadme(seen: Seen): string {
  return filesIn(seen.textOf(READ_README) ?? '');
}

function filesIn(readme: string): string {
  const rows = readme.matchAll(/\| (`src\/\S+`) \| (.+) \|$/gm);
  return [...rows].map(([, file, purpose]) => `- ${file}: ${purpose}`).join('\n');
}
