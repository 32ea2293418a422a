import { t } from '../../domain/l10n.js';

/** Schema of a setting in `package.json`, as far as it is checked here. */
export interface SettingShape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** Characters of a wrong value that are shown. */
const MAX_SHOWN = 60;

/**
 * Validates the values of settings; returns messages for the user. VS Code marks wrong values in its editors only, and
 * passes them to extensions unchanged. Entries of lists and objects are validated where they are read.
 */
export function settingProblems(shapes: Readonly<Record<string, SettingShape>>, valueOf: (key: string) => unknown): readonly string[] {
  return Object.entries(shapes).flatMap(([key, shape]) => {
    const value = valueOf(key);
    const problem = value === undefined || value === null ? undefined : problemOf(key, shape, value);
    return problem === undefined ? [] : [problem];
  });
}

function problemOf(key: string, shape: SettingShape, value: unknown): string | undefined {
  const { type, minimum = -Infinity, maximum = Infinity, pattern } = shape;
  if (type !== undefined && !isOfType(value, type)) return t('The value {1} of the setting {0} has the wrong type and is ignored.', key, shown(value));
  if (shape.enum !== undefined && !shape.enum.includes(value))
    return t('The setting {0} is {1}, but must be one of: {2}.', key, shown(value), shape.enum.join(', '));
  if (typeof value === 'number' && value < minimum) return t('The setting {0} is {1}, but must be at least {2}.', key, value, minimum);
  if (typeof value === 'number' && value > maximum) return t('The setting {0} is {1}, but must be at most {2}.', key, value, maximum);
  if (typeof value === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return t('The value {1} of the setting {0} has an invalid format.', key, shown(value));
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  return typeof value === type;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
