import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureVsCode } from '../vscode/install.mjs';

/**
 * The loop of a program that uses nothing but the SDK, in the Node version of VS Code's extension host.
 * Three answers warm it up, so that its code is as well optimised as that of a host that has been running.
 */
const PROGRAM = `
import Anthropic from '@anthropic-ai/sdk';
const [baseURL, prompt] = process.argv.slice(1);
const client = new Anthropic({ baseURL, apiKey: 'sk-bench' });
const ask = async (content) => {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const messages = [{ role: 'user', content }];
  const stream = await client.messages.create({ model: 'claude-sonnet-5-5', max_tokens: 64000, stream: true, messages });
  let characters = 0;
  for await (const event of stream) if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') characters += event.delta.text.length;
  const { user, system } = process.cpuUsage(used);
  return { timeMs: performance.now() - start, processorMs: (user + system) / 1000, characters };
};
for (let run = 0; run < 3; run++) await ask(prompt);
console.log(JSON.stringify(await ask(prompt)));
`;

/** What an answer costs a program that uses nothing but the SDK, warmed up: from the call to the last event, in milliseconds. */
export interface BareSdk {
  readonly timeMs: number;
  /** Of all threads of the program. */
  readonly processorMs: number;
}

/** Asks a server for an answer of more than 12,000 characters. */
export async function bareSdk(url: string, prompt: string): Promise<BareSdk> {
  const { node } = await ensureVsCode();
  const { stdout } = await promisify(execFile)(node, ['--input-type=module', '-e', PROGRAM, url, prompt], { cwd: process.cwd() });
  const { characters, ...bare } = JSON.parse(stdout) as BareSdk & { characters: number };
  if (characters < 12_000) throw new Error(`The bare SDK got only ${characters} characters.`);
  return bare;
}
