import { t } from '../../domain/l10n.js';
import type { Findings } from './findings.js';
import { unusedNote } from './hook-fields.js';
import type { SourceValue } from './source-value.js';

/** The version of the format that Cursor and Copilot CLI have. */
const VERSION = 1;

/**
 * The value of `hooks` of a file that has nothing but hooks; `undefined`, with a note, when there is none.
 * @param hasVersion whether the program insists on a version
 */
export function hooksOfFile(file: SourceValue, findings: Findings, hasVersion: boolean): SourceValue | undefined {
  if (file.type !== 'object') {
    findings.add(file, t('The file must be an object in braces.'));
    return undefined;
  }
  const version = file.fields.find(({ name }) => name === 'version')?.value;
  if (version === undefined && hasVersion)
    findings.add(file, t('The file has no “version”. Other programs may not accept it. It is read as version {0}.', VERSION), true);
  if (version !== undefined && (version.type !== 'plain' || version.value !== VERSION))
    findings.add(version, t('Gnomon knows only version {0} of this file. It is read as if it were that.', VERSION));
  for (const { name, value } of file.fields) {
    if (name === 'version') findings.report(value, 'used');
    else if (name !== 'hooks') findings.report(value, 'ignored', unusedNote(name));
  }
  const found = file.fields.filter(({ name }) => name === 'hooks');
  const [first, second] = found;
  if (second !== undefined) findings.add(second.value, t('This key is there twice. Delete one of them.'));
  if (first === undefined) findings.add(file, t('The file has no “hooks”.'));
  return first?.value;
}
