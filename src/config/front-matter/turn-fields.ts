import { formatNumber, t } from '../../domain/l10n.js';
import { THINKING_EFFORTS, type ThinkingEffort, parseThinkingEffort } from '../../domain/model/effort.js';
import { shownName } from '../../text/key-path.js';
import { type FrontMatterFields, textOf } from './front-matter-fields.js';

/** Characters of the name of an agent, and of a list of models. */
const MAX_NAME = 500;
/** Names of VS Code's built-in agents (code.visualstudio.com/docs/copilot/customization/prompt-files): here, permission modes have their role. */
const AGENTS_OF_VSCODE: readonly string[] = ['agent', 'ask', 'edit'];

/** A model as it is written; several are put together with commas (`modelWish` takes them apart). */
export function readModel(fields: FrontMatterFields, used?: string): string | undefined {
  const field = fields.take('model');
  if (field === undefined) return undefined;
  const items = Array.isArray(field.value) ? fields.items(field) : [{ text: textOf(field)?.trim() ?? '' }];
  const model = items?.map(({ text }) => text).join(', ') ?? '';
  if (items === undefined) return undefined;
  if (model === '' || model.length > MAX_NAME) {
    const tooLong = t('“{0}” has {1} characters, and at most {2} are read.', 'model', formatNumber(model.length), formatNumber(MAX_NAME));
    fields.refuse(field, model === '' ? t('“{0}” must be the name of a model, or a list of such names.', 'model') : tooLong);
    return undefined;
  }
  fields.report(field, 'used', used);
  return model;
}

/** Reads the thinking effort. */
export function readEffort(fields: FrontMatterFields, used?: string): ThinkingEffort | undefined {
  const field = fields.take('effort');
  if (field === undefined) return undefined;
  const effort = parseThinkingEffort(textOf(field)?.trim().toLowerCase());
  if (effort === undefined) fields.refuse(field, t('“{0}” must be one of these: {1}.', 'effort', THINKING_EFFORTS.join(', ')));
  else fields.report(field, 'used', used);
  return effort;
}

/** The name of an agent; prompts of VS Code have it as `mode`, too. */
export function readAgent(fields: FrontMatterFields, used: string): string | undefined {
  const field = fields.take('agent', 'mode');
  if (field === undefined) return undefined;
  const name = textOf(field)?.trim() ?? '';
  if (name === '' || name.length > MAX_NAME) {
    fields.refuse(field, t('“{0}” must be a text.', shownName(field.name)));
    return undefined;
  }
  const isOfVsCode = AGENTS_OF_VSCODE.includes(name.toLowerCase());
  fields.report(
    field,
    isOfVsCode ? 'ignored' : 'used',
    isOfVsCode ? t('It means an agent of VS Code itself. In Gnomon, the permission mode of the chat says what may be done.') : used,
  );
  return isOfVsCode ? undefined : name;
}
