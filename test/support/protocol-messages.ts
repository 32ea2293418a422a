/** A message of the protocol. */
export type Message = Readonly<Record<string, unknown>>;

/** A message of the user. */
export function user(content: string, more: object = {}): object {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '', ...more };
}

/** A list in a message; empty where there is none. */
export function listIn(message: Message | undefined, field: string): readonly Message[] {
  const list = message?.[field];
  return Array.isArray(list) ? (list as readonly Message[]) : [];
}
