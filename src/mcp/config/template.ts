import { present } from '../../domain/present.js';
import { t } from '../../domain/l10n.js';
import type { McpFileFormat } from '../../domain/mcp/config.js';
import { shownName } from '../../text/key-path.js';

/** The places that a variable can stand for. `/` in a file is short for `pathSeparator`. */
const PLACES = ['workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator'] as const;
/** One of {@link PLACES}. */
export type Place = (typeof PLACES)[number];

/** A variable in a value of a configuration file. */
export type Variable =
  /** Of the environment. */
  | { readonly kind: 'environment'; readonly name: string; readonly fallback?: string }
  /** Value of an input that the user fills in. */
  | { readonly kind: 'input'; readonly id: string }
  /** @property folder the name of a workspace folder, where it says which */
  | { readonly kind: 'place'; readonly place: Place; readonly folder?: string };

/** A value of a configuration file, parsed: texts and variables. */
export type Template = readonly (string | Variable)[];

/**
 * Parses a value with the syntax of the program that the file is for.
 *
 * - `claude`: `${VAR}` and `${VAR:-default}` (code.claude.com/docs/en/mcp, "Environment variable expansion in .mcp.json").
 * - `vscode`: `${env:VAR}`, `${input:id}`, and places (code.visualstudio.com/docs/reference/variables-reference).
 * - `cursor`: `${env:VAR}` and places (cursor.com/docs/mcp, "Config interpolation").
 * - `gnomon`: all of these.
 *
 * A variable in a variable is a problem, an expression of GitHub such as `${{ secrets.X }}` (docs.github.com, “Custom agents configuration”) is one, and so is
 * one that the format does not have: other programs leave it as it is, and the server would get an unintended text.
 */
export function parseTemplate(value: string, format: McpFileFormat): Template | { readonly problem: string } {
  const parts: (string | Variable)[] = [];
  let at = 0;
  for (let start = value.indexOf('${'); start !== -1; start = value.indexOf('${', at)) {
    const [expression] = /^\$\{\{[^]*?\}\}/.exec(value.slice(start)) ?? [];
    if (expression !== undefined)
      return {
        problem: t(
          '“{0}” is an expression of GitHub, which has a value on its servers only. {1} takes a variable of your environment in its place.',
          shownName(expression),
          format === 'claude' ? '${NAME}' : '${env:NAME}',
        ),
      };
    const end = value.indexOf('}', start);
    if (end === -1) return { problem: t('A variable begins here with a dollar sign and a brace, and does not end: the closing brace is missing.') };
    const body = value.slice(start + 2, end);
    if (body.includes('${')) return { problem: t('A variable contains another one. Write the value itself instead of the inner variable.') };
    const variable = variableOf(body, format);
    if (variable === undefined) return { problem: unknownVariable(body, format) };
    if (start > at) parts.push(value.slice(at, start));
    parts.push(variable);
    at = end + 1;
  }
  if (at < value.length) parts.push(value.slice(at));
  return parts;
}

/** The variables of a value; none where it cannot be parsed. */
export function variablesIn(value: string, format: McpFileFormat): readonly Variable[] {
  const template = parseTemplate(value, format);
  return 'problem' in template ? [] : template.filter((part) => typeof part !== 'string');
}

function variableOf(body: string, format: McpFileFormat): Variable | undefined {
  const hasColons = format !== 'claude';
  const [, environment] = (hasColons ? /^env:(.+)$/s.exec(body) : null) ?? [];
  if (environment !== undefined) return { kind: 'environment', name: environment };
  const [, id] = (format === 'vscode' || format === 'gnomon' ? /^input:(.+)$/s.exec(body) : null) ?? [];
  if (id !== undefined) return { kind: 'input', id };
  const place = hasColons ? placeOf(body) : undefined;
  if (place !== undefined) return place;
  const [, name, fallback] = (format === 'claude' || format === 'gnomon' ? /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(body) : null) ?? [];
  if (name === undefined) return undefined;
  return { kind: 'environment', name, ...present({ fallback }) };
}

function placeOf(body: string): Variable | undefined {
  const [name = '', ...rest] = body.split(':');
  const place = PLACES.find((each) => each === (name === '/' ? 'pathSeparator' : name));
  if (place === undefined) return undefined;
  if (rest.length === 0) return { kind: 'place', place };
  return place === 'workspaceFolder' || place === 'workspaceFolderBasename' ? { kind: 'place', place, folder: rest.join(':') } : undefined;
}

function unknownVariable(body: string, format: McpFileFormat): string {
  const shown = `\${${shownName(body)}}`;
  switch (format) {
    case 'claude':
      return t('Gnomon does not know the variable {0}. In this file, {1} and {2} are possible.', shown, '${NAME}', '${NAME:-default}');
    case 'vscode':
      return t(
        'Gnomon does not know the variable {0}. In this file, {1}, {2}, and {3} are possible.',
        shown,
        '${env:NAME}',
        '${input:id}',
        '${workspaceFolder}',
      );
    case 'cursor':
      return t(
        'Gnomon does not know the variable {0}. In this file, {1}, {2}, and {3} are possible.',
        shown,
        '${env:NAME}',
        '${workspaceFolder}',
        '${userHome}',
      );
    case 'gnomon':
      return t(
        'Gnomon does not know the variable {0}. In this setting, {1}, {2}, and {3} are possible.',
        shown,
        '${NAME}',
        '${input:id}',
        '${workspaceFolder}',
      );
  }
}
