import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../e2e/app.js';
import { waitFor } from '../vscode/wait.mjs';

/** Folder of the extension that tells what the extension host knows of itself; it goes among `others` of a server. */
export const PROBE = 'test/fixtures/probe-extension';

/** What it tells. */
export interface HostFacts {
  /** Of the extension host's process. */
  readonly pid: number;
  /** Bytes of objects and buffers that are still used. */
  readonly usedBytes: number;
  /** VS Code's own marks by name, in milliseconds. */
  readonly marks: Readonly<Record<string, number>>;
}

/** Asks the extension host of a window. */
export async function askHost(app: App): Promise<HostFacts> {
  const path = join(app.workspace, 'probe.json');
  await rm(path, { force: true });
  await app.workbench.runCommand('Probe: Write');
  const read = (): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
  return JSON.parse(await waitFor(read, { what: 'what the extension host tells', timeoutMs: 30_000 })) as HostFacts;
}

/** Milliseconds that VS Code took to load an extension's code and to activate it. */
export function activationTime({ marks }: HostFacts, id: string): number {
  const at = (name: string): number => {
    const mark = marks[`code/extHost/${name}/${id}`];
    if (mark === undefined) throw new Error(`VS Code has no mark ${name} of ${id}.`);
    return mark;
  };
  return at('didLoadExtensionCode') - at('willLoadExtensionCode') + at('didActivateExtension') - at('willActivateExtension');
}
