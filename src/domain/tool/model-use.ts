import { escapeHidden } from '../hidden-characters.js';
import { t } from '../l10n.js';

/** An agent that works with a certain model: what a lasting approval of a model that costs more, or that somebody else runs, binds to. */
export interface ModelUse {
  /** Name of the agent. */
  readonly agent: string;
  /** SHA-256 of the agent as its file has it, or {@link BUILT_IN}. */
  readonly content: string;
  /** `provider/model`. */
  readonly model: string;
  /** Display name of the model. */
  readonly label: string;
}

/** Content of an agent that no file defines. */
export const BUILT_IN = 'built-in';

/** The approval as answers name it, in the form of a rule. No rule of settings means the same. */
export function ruleOfUse({ agent, content, model }: ModelUse): string {
  return `Agent(${agent}, ${model}, ${content})`;
}

/** What the user approves for good, as a label. */
export function useLabel({ agent, content, label }: ModelUse): string {
  const [model, name] = [escapeHidden(label), escapeHidden(agent)];
  return content === BUILT_IN
    ? t('Always use {0} for {1} in this project', model, name)
    : t('Always use {0} for {1} in this project, until its file changes', model, name);
}
