import type { Tool } from '../../domain/tool/tool.js';

/** Prefixes that some models put before tool names, from their training: `functions.read`, `default_api.read`. */
const NAMESPACE = /^(?:functions|default_api|tools)[.:]/i;

/**
 * The tool that a call means: the one of exactly that name, else the one of that name in other letter case or between
 * blanks, else the one that says that it is also called so. If two fit a name equally well, neither is found.
 */
export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  const exact = tools.find((tool) => tool.spec.name === name);
  if (exact !== undefined) return exact;
  const wanted = name.trim().replace(NAMESPACE, '').toLowerCase();
  const [same, ...others] = tools.filter((tool) => tool.spec.name.toLowerCase() === wanted);
  if (same !== undefined) return others.length === 0 ? same : undefined;
  const plain = wanted.replace(/[^\p{L}\p{N}]/gu, '');
  return tools.find(({ otherNames }) => otherNames?.includes(plain) === true);
}
