import { mkdirSync, readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubEnvironment } from '../../support/entries/program-here.js';
import { TestWindow } from '../../support/entries/window.js';
import { type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/**
 * What every file uses, what has the place of the adapters of a window here, and what is called by the watch of the session’s own files, which tells of
 * the recorded message before or after the request, and of folders, which the files of other programs are in as well.
 */
const NOT_COUNTED = /^src\/(?:(?:domain|text|concurrency|headless|node\/host)\/|(?:session\/lock\/lock-file|node\/files\/folder-watches)\.ts)/;
/** Messages that are measured at most: what runs beside only some of them has other reasons, such as a timer. */
const MEASURED = 12;
/** What vitest makes of a name that a file exports: whoever uses the name calls it. */
const EXPORT = /^\(\) => \{ try \{ return \w+ \} catch \{\} \}$/;

let server: ModelServer;
let inspector: Session;

beforeEach(async () => {
  server = await startModelServer();
  inspector = new Session();
  inspector.connect();
  // It has the sources.
  inspector.post('Debugger.enable');
  inspector.post('Profiler.enable');
  inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterEach(async () => {
  inspector.post('Profiler.stopPreciseCoverage');
  inspector.disconnect();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  await server.close();
});

/** The files in which a function was called since the last look. The order of their first calls is not known. */
function filesThatRan(): readonly string[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  inspector.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error !== null) throw error;
    scripts = taken.result;
  });
  return scripts.flatMap((script) => {
    const { url } = script;
    const path = relative('.', url.startsWith('file:') ? fileURLToPath(url) : url).replaceAll('\\', '/');
    return path.startsWith('src/') && !NOT_COUNTED.test(path) && functionsThatRan(script).some((text) => !EXPORT.test(text)) ? [path] : [];
  });
}

/** Their texts. */
function functionsThatRan({ scriptId, functions }: Profiler.ScriptCoverage): readonly string[] {
  // What begins where the script begins is the script itself, which runs when it is loaded.
  const ran = functions.flatMap(({ ranges: [all] }) => (all !== undefined && all.count > 0 && all.startOffset > 0 ? [all] : []));
  let source = '';
  inspector.post('Debugger.getScriptSource', { scriptId }, (error, { scriptSource }) => {
    if (error !== null) throw error;
    source = scriptSource;
  });
  return ran.map(({ startOffset, endOffset }) => source.slice(startOffset, endOffset));
}

/** The files that the document names for this way; some names are those of several files of one folder, in braces. */
function documented(): readonly string[] {
  const [, way = ''] = /From there to the provider(.*?)\nThe response comes back/s.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
  return [...way.matchAll(/`(src\/[\w./-]*)(?:\{([\w,-]+)\}\.ts)?`/g)].flatMap(([, path = '', names]) =>
    names === undefined ? [path] : names.split(',').map((name) => `${path}${name}.ts`),
  );
}

test('docs/architecture.md names the files that a message passes from the port of the panel to fetch', async () => {
  // The folder that they are in is watched, too, and that of all temporary files changes all the time.
  const place = temporaryFolder();
  const [home, folder] = ['home', 'workspace'].map((name) => join(place, name)) as [string, string];
  mkdirSync(home);
  mkdirSync(folder);
  const environment = stubEnvironment(home, server.url);
  server.setScript(() => reply().text('Ahoy.'));
  /** For each request. */
  const ran: (readonly string[])[] = [];
  const send = fetch;
  vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) => {
    ran.push(filesThatRan());
    return send(...request);
  });
  const window = await TestWindow.open({ folder, environment });
  const { pane } = window;
  const port = pane.connect({ postMessage: () => Promise.resolve(true) });
  port.receive({ type: 'ready' });

  const wayOf = async (words: string): Promise<readonly string[]> => {
    const over = new Promise<void>((resolve) => {
      const stop = pane.current.session.onEvent(({ type }) => {
        if (type !== 'turn_ended') return;
        stop();
        resolve();
      });
    });
    // What is still done for the message before comes to its end.
    await expect.poll(filesThatRan).toEqual([]);
    const before = ran.length;
    port.receive({ type: 'send', sendId: words, text: words, attachments: [], now: false });
    await over;
    expect(server.requests.at(-1)?.raw).toContain(words);
    return ran[before] ?? [];
  };

  // What is done once in a session is done for it.
  await wayOf('first');
  const wanted = documented();
  const ways = [await wayOf('second')];
  const differences = (): Record<'namedOnly' | 'ranOnly', readonly string[]> => ({
    namedOnly: wanted.filter((path) => !ways.some((way) => way.includes(path))),
    ranOnly: (ways[0] ?? []).filter((path) => !wanted.includes(path) && ways.every((way) => way.includes(path))),
  });
  while (ways.length < MEASURED && Object.values(differences()).flat().length > 0) ways.push(await wayOf(`again ${ways.length}`));
  port.dispose();
  await window.close();
  expect(differences()).toEqual({ namedOnly: [], ranOnly: [] });
});
