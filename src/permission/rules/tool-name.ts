/** Whether a rule about tools matches a tool name; a trailing `*` in the rule matches any ending. */
export function isToolNamed(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}
