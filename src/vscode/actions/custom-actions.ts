import * as z from 'zod/mini';
import { type CodePlace, placeMention, problemMention } from './action-prompt.js';

/** An action of the user's own. */
export interface CustomAction {
  readonly name: string;
  /** What is asked, with `{selection}`, `{file}`, `{problems}` and `{language}` where those go. */
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

/** What an action asks about a place. */
export function customPrompt({ prompt }: CustomAction, place: CodePlace | undefined, language: string): string {
  if (place === undefined) return prompt;
  const file = placeMention({ path: place.path });
  const problems = problemMention({ path: place.path });
  const parts: Readonly<Record<string, string>> = { selection: placeMention(place), file, problems, language };
  return prompt.replace(/\{(selection|file|problems|language)\}/g, (whole, name: string) => parts[name] ?? whole);
}
