/** Whether a rule about tools is about the one with a name; a `*` at the end of the rule stands for anything. */
export function isToolNamed(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}
