import type { McpConfig, McpEntry, McpInput } from '../../domain/mcp/config.js';
import { type Variable, variablesIn } from './template.js';

/** Every value of a configuration in which variables are replaced, with the keys that lead to it. */
export function valuesOf(config: McpConfig): readonly { readonly path: readonly (string | number)[]; readonly value: string }[] {
  const inRecord = (key: string, record: Readonly<Record<string, string>>): { path: (string | number)[]; value: string }[] =>
    Object.entries(record).map(([name, value]) => ({ path: [key, name], value }));
  const single = (path: (string | number)[], value: string | undefined): { path: (string | number)[]; value: string }[] =>
    value === undefined ? [] : [{ path, value }];
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

/** Ids of the inputs that an entry uses, each once. */
export function inputIdsOf(entry: McpEntry): readonly string[] {
  return [...new Set(variablesOf(entry).flatMap((variable) => (variable.kind === 'input' ? [variable.id] : [])))];
}

/** The inputs that an entry uses. Those of Gnomon’s setting are declared nowhere; all of them are secret. */
export function inputsOf(entry: McpEntry, declared: readonly McpInput[]): readonly McpInput[] {
  const isSetting = entry.source.format === 'gnomon';
  return inputIdsOf(entry).flatMap((id): readonly McpInput[] => {
    const input = declared.find((each) => each.id === id);
    if (input !== undefined) return [input];
    return isSetting ? [{ id, description: id, password: true }] : [];
  });
}
