import { type HookDefinition, hookName } from '../domain/hook/definition.js';
import type { HookDecision, HookEnd, HookOutcome, HookRun } from '../domain/hook/outcome.js';
import { showUnseen } from '../domain/hidden-characters.js';
import { formatNumber, t } from '../domain/l10n.js';

/** A hook that was run to see what it does. */
export interface HookTrial {
  readonly hook: HookDefinition;
  /** Whether its matcher and condition fit what it was run against; otherwise, it would not have run. */
  readonly matches: boolean;
  /** What it got, as JSON. */
  readonly input: string;
  readonly run: HookRun;
  /** What would have come of it, were it the only hook. */
  readonly outcome: HookOutcome;
}

/** Characters of the input that are shown. */
const MAX_INPUT = 20_000;

/** All of a trial as text, for the author of the hook. */
export function trialText({ hook, matches, input, run, outcome }: HookTrial): string {
  const { handler, matcher } = hook;
  const program = handler.type === 'http' ? handler.url : [handler.command, ...(handler.args ?? [])].join(' ');
  return [
    t('Trial of the hook {0}', hookName(hook)),
    '',
    `${t('Runs:')} ${showUnseen(program)}`,
    `${t('Matcher:')} ${matcher === undefined ? t('none, so it is for every event of this kind') : showUnseen(matcher)}`,
    matches ? t('It matches.') : t('It does not match: outside of this trial, it would not have run.'),
    `${t('Ended:')} ${endWords(run.end)}${run.exitCode === undefined ? '' : t(', exit code {0}', run.exitCode)}`,
    t('Took {0} ms.', formatNumber(Math.round(run.durationMs))),
    `${t('Decision:')} ${decisionWords(run.decision)}${run.reason === undefined ? '' : `: ${showUnseen(run.reason)}`}`,
    ...outcomeLines(outcome),
    ...part(t('STANDARD OUTPUT'), run.stdout),
    ...part(t('STANDARD ERROR'), run.stderr),
    ...part(t('INPUT'), formatted(input)),
    '',
  ].join('\n');
}

function outcomeLines({ block, rewritten, context, messages, stop }: HookOutcome): readonly string[] {
  return [
    ...(block?.kind === 'unanswered' ? [t('It would block, because it was to decide and did not answer.')] : []),
    ...(block?.kind === 'denied' ? [t('It would block.')] : []),
    ...(rewritten === undefined ? [] : [`${t('It would change the call to:')} ${showUnseen(JSON.stringify(rewritten.input))}`]),
    ...(stop === undefined ? [] : [`${t('It would end the turn:')} ${showUnseen(stop.reason)}`]),
    ...context.map(({ text }) => `${t('The model would be told:')} ${showUnseen(text)}`),
    ...messages.map(({ text }) => `${t('You would be told:')} ${showUnseen(text)}`),
  ];
}

function part(title: string, text: string): readonly string[] {
  return ['', title, text.trim() === '' ? t('(nothing)') : showUnseen(text.trimEnd())];
}

function formatted(input: string): string {
  const text = JSON.stringify(JSON.parse(input), undefined, 2);
  return text.length <= MAX_INPUT ? text : `${text.slice(0, MAX_INPUT)}\n${t('… ({0} more characters)', formatNumber(text.length - MAX_INPUT))}`;
}

function endWords(end: HookEnd): string {
  return {
    answered: t('it answered'),
    failed: t('it failed'),
    timed_out: t('it took too long and was ended'),
    not_started: t('it could not be started'),
    garbage: t('what it printed is not an answer'),
    killed: t('it was killed'),
  }[end];
}

function decisionWords(decision: HookDecision): string {
  return { allow: t('allow'), ask: t('ask'), deny: t('deny'), block: t('block'), none: t('none') }[decision];
}
