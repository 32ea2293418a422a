import { createInterface } from 'node:readline';
import { Client, type ElicitResult, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { Place } from './entry.js';
import { ProgramHere } from './program-here.js';

/** What the user of the client chooses in the form in which a call is asked about. */
const CHOICES = { allow: 'Allow once', deny: 'Deny' } as const;

/** Has another agent, by the official MCP client, call a tool of the server in this process. @returns how often the user was asked */
export async function callServed(tool: string, input: object, { folder, environment, mode, answer = 'allow' }: Place): Promise<number> {
  const program = new ProgramHere({ args: ['mcp', 'serve', ...(mode === undefined ? [] : ['--permission-mode', mode])], folder, environment });
  const client = new Client({ name: 'test-client', version: '1' }, { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'legacy' } });
  let asked = 0;
  client.setRequestHandler('elicitation/create', (): ElicitResult => {
    asked += 1;
    return { action: 'accept', content: { decision: CHOICES[answer] } };
  });
  await client.connect(new StreamTransport(program));
  await client.callTool({ name: tool, arguments: { ...input } });
  await client.close();
  await program.end;
  return asked;
}

/** The streams of a program as a transport: a message a line. */
export class StreamTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;

  constructor(private readonly program: ProgramHere) {}

  start(): Promise<void> {
    const { stdout } = this.program.process;
    createInterface({ input: stdout }).on('line', (line) => this.onmessage?.(JSON.parse(line) as JSONRPCMessage));
    stdout.once('end', () => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.program.process.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.program.process.stdin.end();
    this.onclose?.();
    return Promise.resolve();
  }
}
