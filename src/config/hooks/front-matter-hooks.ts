import type { HookDefinition, HookOwner } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { FileReading } from '../front-matter/read-file.js';
import { readFrontMatterHooks } from './claude-hooks.js';
import { readVsCodeAgentHooks } from './copilot-hooks.js';

/** Options for reading the hooks of a file. */
interface HooksField {
  readonly owner: HookOwner;
  /** Whether they have the form of VS Code, in which each stands in the list of its event; default: that of Claude Code. */
  readonly ofVsCode?: boolean;
  /** Note about hooks that are used. */
  readonly note: string | undefined;
}

/** Reads the field `hooks` of an agent, a skill, or a command. A mistake in it is reported, and never keeps the file from being used. */
export function readHooks({ fields, frontMatter, origin }: FileReading, { owner, note, ofVsCode = false }: HooksField): readonly HookDefinition[] {
  const field = fields.take('hooks');
  if (field === undefined) return [];
  const read = ofVsCode ? readVsCodeAgentHooks : readFrontMatterHooks;
  const found = read(field.value, frontMatter.lineAt, { origin: { ...origin, line: field.line }, platform: process.platform });
  const { definitions, problems } = found;
  // Problems are listed beside the fields there.
  const reports = found.fields.filter(({ field: path, note: said }) => !problems.some(({ key, message }) => key === path && message === said));
  fields.include({ problems, reports });
  if (definitions.length === 0) fields.report(field, 'refused', t('There is no hook in it that Gnomon can run.'));
  else fields.report(field, 'used', note);
  return definitions.map((hook) => ({ ...hook, owner }));
}
