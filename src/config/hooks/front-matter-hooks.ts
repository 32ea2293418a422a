import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { HookDefinition, HookOwner } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { FrontMatterFields } from '../front-matter/front-matter-fields.js';
import type { FrontMatter } from '../../text/front-matter/read-front-matter.js';
import { readFrontMatterHooks } from './claude-hooks.js';
import { readVsCodeAgentHooks } from './copilot-hooks.js';

/** Whose hooks are read, and from where. */
interface HooksFieldSource {
  readonly origin: ConfigOrigin;
  readonly owner: HookOwner;
  readonly lineAt: FrontMatter['lineAt'];
  /** Whether they have the form of VS Code, in which each stands in the list of its event; default: that of Claude Code. */
  readonly ofVsCode?: boolean;
  /** What is said of hooks that are used. */
  readonly note: string | undefined;
}

/** Reads the field `hooks` of an agent, a skill, or a command. A mistake in it is reported, and never keeps the file from being used. */
export function readHooks(fields: FrontMatterFields, { origin, owner, lineAt, note, ofVsCode = false }: HooksFieldSource): readonly HookDefinition[] {
  const field = fields.take('hooks');
  if (field === undefined) return [];
  const {
    definitions,
    problems,
    fields: reports,
  } = (ofVsCode ? readVsCodeAgentHooks : readFrontMatterHooks)(field.value, lineAt, { origin: { ...origin, line: field.line }, platform: process.platform });
  // Problems are listed beside the fields there.
  fields.include({ problems, reports: reports.filter(({ field: path, note }) => !problems.some(({ key, message }) => key === path && message === note)) });
  if (definitions.length === 0) fields.report(field, 'refused', t('There is no hook in it that Gnomon can run.'));
  else fields.report(field, 'used', note);
  return definitions.map((hook) => ({ ...hook, owner }));
}
