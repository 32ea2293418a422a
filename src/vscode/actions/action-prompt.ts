import * as z from 'zod/mini';
import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import { pathMention } from '../../protocol/mention-syntax.js';
import type { CodeAction } from '../command-ids.js';

/** Code that something is asked about. */
export interface CodePlace {
  /** Display path. */
  readonly path: string;
  /** First and last line, counted from 1; absent for the whole file. */
  readonly lines?: readonly [first: number, last: number];
}

/** A place as it is mentioned in a message. */
export function placeMention({ path, lines }: CodePlace): string {
  if (lines === undefined) return pathMention(path);
  const [first, last] = lines;
  return `${pathMention(path)}:${first === last ? String(first) : `${first}-${last}`}`;
}

/** The problems at a place as they are mentioned in a message. A path in quotation marks cannot be named there: then it is the problems of all files. */
export function problemMention(place: CodePlace): string {
  const where = placeMention(place);
  return where.startsWith('@"') ? '@problems' : `@problems:${where.slice(1)}`;
}

/** Prompt for the model of a built-in action. @param problem whether what is wrong there goes with it. */
export function actionPrompt(action: CodeAction, place: CodePlace, problem = false): string {
  const where = placeMention(place);
  switch (action) {
    case 'explain':
      return t('Explain {0}.', where);
    case 'document':
      return t('Add the missing documentation comments to {0}. Do not change anything else.', where);
    case 'writeTests':
      return t('Write tests for {0}, following this project’s conventions, and run them.', where);
    case 'refactor':
      return t('Improve the structure of {0} without changing its behavior, and run the tests to verify that.', where);
    case 'reviewSelection':
      return t('Review {0} for bugs, unclear code, and missing cases. Do not change anything; list your findings with line numbers.', where);
    case 'fix':
      return problem ? t('Fix the attached problem in {0}.', where) : t('Find and fix the problem in {0}.', where);
    default:
      return assertNever(action);
  }
}

/** An action of the user's own. */
export interface CustomAction {
  readonly name: string;
  /** Prompt template. Placeholders: `{selection}`, `{file}`, `{problems}`, and `{language}`. */
  readonly prompt: string;
}

const action = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  prompt: z.string().check(z.trim(), z.minLength(1), z.maxLength(10_000)),
});

/** The actions of the setting that are whole; others are left out. */
export function customActions(setting: unknown): readonly CustomAction[] {
  return Array.isArray(setting) ? setting.flatMap((each: unknown) => action.safeParse(each).data ?? []) : [];
}

/** Whether a prompt is about a place in an editor. */
export function needsPlace({ prompt }: CustomAction): boolean {
  return /\{(?:selection|file|problems|language)\}/.test(prompt);
}

/** Fills in the prompt of a custom action for a place in code. */
export function customPrompt({ prompt }: CustomAction, place: CodePlace | undefined, language: string): string {
  if (place === undefined) return prompt;
  const file = placeMention({ path: place.path });
  const problems = problemMention({ path: place.path });
  const parts: Readonly<Record<string, string>> = { selection: placeMention(place), file, problems, language };
  return prompt.replace(/\{(selection|file|problems|language)\}/g, (whole, name: string) => parts[name] ?? whole);
}
