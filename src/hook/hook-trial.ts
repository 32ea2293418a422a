import type { HookDefinition } from '../domain/hook/definition.js';
import type { HookDecision, HookEnd, HookOutcome, HookRun } from '../domain/hook/outcome.js';
import { formatNumber, t } from '../domain/l10n.js';
import { headOf } from '../text/show.js';

/** A hook that was run to see what it does. */
export interface HookTrial {
  readonly hook: HookDefinition;
  /** Whether its matcher and condition fit what it was run against; otherwise, it would not have run. */
  readonly matches: boolean;
  /** Input, as JSON. */
  readonly input: string;
  readonly run: HookRun;
  /** Outcome that it would have had as the only hook. */
  readonly outcome: HookOutcome;
}

/** Result of a trial for the author of the hook. */
export interface TrialFacts {
  readonly matches: boolean;
  /** Exit of the hook, in words. */
  readonly ended: string;
  readonly exitCode?: string;
  readonly durationMs: number;
  /** Effects that it would have had, a line for each, its decision first. */
  readonly consequences: readonly string[];
  /** The beginnings of what it printed, and of what it got, as JSON. */
  readonly stdout: string;
  readonly stderr: string;
  readonly input: string;
}

/** Characters of the input and of each output that are shown. */
const MAX_SHOWN = 20_000;

/** All of a trial in words. Its texts are those of the hook, with whatever is in them. */
export function trialFacts({ matches, input, run, outcome }: HookTrial): TrialFacts {
  const decision = `${t('Decision:')} ${decisionWords(run.decision)}${run.reason === undefined ? '' : `: ${run.reason}`}`;
  return {
    matches,
    ended: endWords(run.end),
    ...(run.exitCode === undefined ? {} : { exitCode: String(run.exitCode) }),
    durationMs: Math.round(run.durationMs),
    consequences: [decision, ...consequencesOf(outcome)].map(shortened),
    stdout: shortened(run.stdout.trimEnd()),
    stderr: shortened(run.stderr.trimEnd()),
    input: shortened(JSON.stringify(JSON.parse(input), undefined, 2)),
  };
}

function consequencesOf({ block, rewritten, context, messages, stop }: HookOutcome): readonly string[] {
  return [
    ...(block?.kind === 'unanswered' ? [t('It would block, because it was to decide and did not answer.')] : []),
    ...(block?.kind === 'denied' ? [t('It would block.')] : []),
    ...(rewritten === undefined ? [] : [`${t('It would change the call to:')} ${JSON.stringify(rewritten.input)}`]),
    ...(stop === undefined ? [] : [`${t('It would end the turn:')} ${stop.reason}`]),
    ...context.map(({ text }) => `${t('The model would be told:')} ${text}`),
    ...messages.map(({ text }) => `${t('You would be told:')} ${text}`),
  ];
}

function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${headOf(text, MAX_SHOWN)}\n${t('… ({0} more characters)', formatNumber(text.length - MAX_SHOWN))}`;
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
