import { relative } from 'node:path';
import { assertNever } from '../domain/assert-never.js';
import type { AskedPermission } from '../domain/tool/asks.js';
import { useLabel } from '../domain/tool/model-use.js';
import type { Question, QuestionAnswer } from '../domain/tool/interaction.js';
import type { ApprovalAnswer } from '../domain/tool/permission.js';
import type { Preview } from '../domain/tool/tool.js';
import { isWithin } from '../node/files/within.js';
import { count, showName } from '../text/show.js';
import { shown, shownExactly, shownLine } from './shown.js';
import type { Look, Terminal } from './terminal.js';
import { rowsOf } from './word-wrap.js';

/** How a text looks that is shown to the user. */
type Style = (look: Look, text: string) => string;

/** The terminal of a user who works in a folder, by its absolute path. */
interface Asking {
  readonly terminal: Terminal;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Asks a user at a terminal about a call, which is shown as a whole. `undefined` where they stop. */
export async function askPermission(ask: AskedPermission, { terminal, folder, signal }: Asking): Promise<ApprovalAnswer | undefined> {
  const { proposal = [], uses } = ask.judgment;
  if (await terminal.dropKeys()) return undefined;
  terminal.line();
  const { what, why } = askedLines(ask, (look, text) => terminal.look(look, text), folder);
  for (const line of what) terminal.exactLine(line);
  for (const line of why) terminal.line(line);
  const rules = proposal.map(shown).join(', ');
  const always = uses === undefined ? `always allow ${rules} in this session` : shown(useLabel(uses));
  const choices = ['[y] allow', ...(proposal.length === 0 ? [] : [`[a] ${always}`]), '[n] deny', '[d] deny and say why'];
  const rows = [...what, ...why, ...choices].reduce((sum, line) => sum + rowsOf(line, terminal.columns), 0);
  if (terminal.rows !== undefined && rows > terminal.rows)
    terminal.line(terminal.look('yellow', '! This is longer than the terminal. Scroll up to see where it begins.'));
  const inOneLine = choices.join('  ');
  for (const line of inOneLine.length <= terminal.columns ? [inOneLine] : choices) terminal.exactLine(line);
  const answer = await answerFor(await terminal.key(proposal.length === 0 ? 'ynd' : 'aynd', signal), proposal, terminal, signal);
  // Keys leave no trace. A denial is reported with its reason.
  if (answer?.type === 'allow') terminal.line(terminal.look('quiet', 'Allowed.'));
  if (answer?.type === 'always') terminal.line(terminal.look('quiet', uses === undefined ? 'Allowed in this session.' : 'Allowed in this project.'));
  return answer;
}

/** A call that waits to be allowed, in lines. */
export interface AskedLines {
  /** All of what would run or change. */
  readonly what: readonly string[];
  /** What is dangerous in it, and why it is asked about, in sentences. */
  readonly why: readonly string[];
}

/** Shows a call that waits to be allowed. @param folder absolute path of the one whose files are named from there. Left out: none */
export function askedLines({ who, plan, judgment, problem, rewrittenBy, deciding }: AskedPermission, style: Style, folder?: string): AskedLines {
  const risks = (judgment.risks ?? []).map((risk) => {
    const part = judgment.parts?.[risk.part];
    const what = part === undefined ? 'This command' : `“${shown(part)}”`;
    return style(risk.level === 'danger' ? 'red' : 'yellow', `! ${what} ${shown(risk.text)}.`);
  });
  const why = [
    ...risks,
    ...(judgment.plain === true ? [] : judgment.reasons.map((reason) => `  ${shown(reason)}`)),
    ...(judgment.place === undefined ? [] : [`  ${judgment.place}`]),
    ...(rewrittenBy === undefined ? [] : [`  Changed by the hook ${shown(rewrittenBy)}.`]),
    ...(deciding === undefined ? [] : [`  The hook ${shown(deciding)} is asked at the same time. If it denies this, it does not run.`]),
    ...(problem === undefined ? [] : [style('yellow', `  ${shown(problem)}`)]),
  ];
  const { worksFor } = who;
  const by = worksFor === undefined ? [] : [style('cyan', `The agent ${shownLine(worksFor.agent)} (${shownLine(worksFor.task)}) asks:`)];
  return { what: [...by, style('bold', titleOf(plan.preview, plan.subject)), ...previewLines(plan.preview, plan.subject, { style, folder })], why };
}

/** What a key means. */
type Answered = Exclude<ApprovalAnswer, { readonly type: 'revise' }>;

async function answerFor(key: string | undefined, rules: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<Answered | undefined> {
  switch (key) {
    case 'y':
      return { type: 'allow' };
    case 'a':
      return { type: 'always', rules, scope: 'session' };
    case 'n':
      return { type: 'deny' };
    case 'd': {
      const feedback = await terminal.answer('What should be done instead? ', signal);
      if (feedback === undefined) return undefined;
      return { type: 'deny', ...(feedback.trim() === '' ? {} : { feedback: feedback.trim() }) };
    }
    default:
      return undefined;
  }
}

/** Asks a question of the model. */
export async function askQuestion({ question, choices, multiple }: Question, terminal: Terminal, signal: AbortSignal): Promise<QuestionAnswer> {
  if (await terminal.dropKeys()) return { type: 'dismissed' };
  terminal.line();
  terminal.line(terminal.look('bold', shown(question)));
  choices.forEach((choice, index) => terminal.line(`  [${index + 1}] ${shown(choice)}`));
  const how = choices.length === 0 ? '' : multiple ? 'Numbers, or words of your own: ' : 'A number, or words of your own: ';
  const written = (await terminal.answer(how === '' ? '> ' : how, signal))?.trim() ?? '';
  if (written === '') return { type: 'dismissed' };
  const numbers = /^\d(?:[\s,]+\d)*$/.test(written) ? written.split(/[\s,]+/).map((each) => choices[Number(each) - 1]) : [];
  const chosen = numbers.filter((choice) => choice !== undefined);
  return chosen.length > 0 && chosen.length === numbers.length && (multiple || chosen.length === 1)
    ? { type: 'answered', choices: chosen }
    : { type: 'answered', choices: [], text: written };
}

function titleOf(preview: Preview, subject: string): string {
  switch (preview.kind) {
    case 'command':
      return 'Run this command?';
    case 'diff':
      if (preview.deleted === true) return 'Delete this file?';
      if (preview.from !== undefined) return 'Move this file?';
      return preview.created ? 'Create this file?' : 'Change this file?';
    case 'diffs':
      return `Change ${count(preview.files.length, 'file')}?`;
    case 'url':
      return 'Fetch this address?';
    case 'search':
      return 'Search the web?';
    case 'input':
      return `Use ${shown(preview.title ?? subject)}?`;
    case 'none':
    case 'todos':
    case 'question':
      return `Allow ${shown(subject)}?`;
    default:
      return assertNever(preview);
  }
}

/** How what is asked about is shown. */
interface Shown {
  readonly style: Style;
  readonly folder: string | undefined;
}

function previewLines(preview: Preview, subject: string, { style, folder }: Shown): readonly string[] {
  switch (preview.kind) {
    case 'command':
      return [
        ...shownExactly(preview.command)
          .split('\n')
          .map((line) => `  ${line}`),
        style('quiet', `  in ${showName(preview.cwd)}`),
      ];
    case 'diffs':
      return preview.files.flatMap((file) => previewLines(file, subject, { style, folder }));
    case 'diff':
      return [`  ${preview.from === undefined ? '' : `${placed(preview.from, folder)} → `}${placed(preview.path, folder)}`, ...diffLines(preview.diff, style)];
    case 'url':
      return [`  ${shown(preview.url)}`];
    case 'search':
      return [`  ${shown(preview.query)} (${shown(preview.service)})`];
    case 'input':
      return shown(`${preview.input}${preview.changed === undefined ? '' : `\n\nIt describes itself otherwise than before:\n${preview.changed}`}`)
        .split('\n')
        .map((line) => `  ${line}`);
    case 'none':
    case 'todos':
    case 'question':
      return [`  ${shown(subject)}`];
    default:
      return assertNever(preview);
  }
}

/** The name of a file, from a folder that it is in. */
function placed(path: string, folder: string | undefined): string {
  return showName(folder !== undefined && isWithin(folder, path) ? relative(folder, path) : path);
}

/** Colors of the lines of a difference, by how they begin. */
const LINE_COLORS = new Map<string, Look>([
  ['+', 'green'],
  ['-', 'red'],
  ['@', 'cyan'],
]);

/** A difference in color. All of it is shown: what is allowed is what was seen. */
function diffLines(diff: string, style: Style): readonly string[] {
  const lines = shown(diff)
    .split('\n')
    .filter((line) => line !== '');
  // The names of the file stand before the first hunk; below it, a line may begin in the same way.
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(first, 0)).map((line) => {
    const color = LINE_COLORS.get(line.charAt(0));
    return `  ${color === undefined ? line : style(color, line)}`;
  });
}
