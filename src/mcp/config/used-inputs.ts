import type { McpConfig, McpEntry, McpFileFormat, McpInput } from '../../domain/mcp/config.js';
import { shownName } from './key-path.js';
import { type Variable, variablesIn } from './template.js';

/** Every value of a configuration in which variables are replaced, with the keys that lead to it. */
export function valuesOf(config: McpConfig): readonly { readonly path: readonly (string | number)[]; readonly value: string }[] {
  const inRecord = (key: string, record: Readonly<Record<string, string>>): { path: (string | number)[]; value: string }[] => Object.entries(record).map(([name, value]) => ({ path: [key, name], value }));
  const single = (path: (string | number)[], value: string | undefined): { path: (string | number)[]; value: string }[] => (value === undefined ? [] : [{ path, value }]);
  switch (config.type) {
    case 'stdio':
      return [
        ...single(['command'], config.command),
        ...config.args.map((value, index) => ({ path: ['args', index], value })),
        ...inRecord('env', config.env),
        ...single(['cwd'], config.cwd),
        ...single(['envFile'], config.envFile),
      ];
    case 'http':
    case 'sse':
      return [
        ...single(['url'], config.url),
        ...inRecord('headers', config.headers),
        ...single(['oauth', 'clientId'], config.oauth?.clientId),
        ...single(['oauth', 'clientSecret'], config.oauth?.clientSecret),
      ];
    case 'sdk':
      return [];
  }
}

/** The variables of an entry, as often as they are in it. */
export function variablesOf({ config, source }: Pick<McpEntry, 'config' | 'source'>): readonly Variable[] {
  return valuesOf(config).flatMap(({ value }) => variablesIn(value, source.format));
}

/** The inputs that an entry uses, or one that its file does not declare. Gnomon’s setting need not: there, all are secret. */
export function usedInputs(entry: McpEntry, declared: readonly McpInput[]): { readonly inputs: readonly McpInput[] } | { readonly undeclared: string } {
  const ids = new Set(variablesOf(entry).flatMap((variable) => (variable.kind === 'input' ? [variable.id] : [])));
  const inputs: McpInput[] = [];
  for (const id of ids) {
    const input = declared.find((each) => each.id === id) ?? undeclaredInput(id, entry.source.format);
    if (input === undefined) return { undeclared: shownName(id) };
    inputs.push(input);
  }
  return { inputs };
}

function undeclaredInput(id: string, format: McpFileFormat): McpInput | undefined {
  return format === 'gnomon' ? { id, description: id, password: true } : undefined;
}
