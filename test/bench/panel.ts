import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelServer, promptedScript, reply, startModelServer } from '../support/model-server/index.js';
import { App } from '../e2e/app.js';
import { agentFrames, AGENTS_AT_ONCE } from './agents-in-panel.js';
import type { Chat } from '../e2e/chat.js';
import { bareSdkCpu } from './bare-sdk.js';
import { type Figure, median, medianFigure } from './figure.js';
import { askHost, PROBE } from './host-probe.js';
import { processorMsOf } from './processor-time.js';

const WARM_UP = 3;
const RUNS = 10;
const DELTAS = 20_000;
/** Files that are read for a long conversation: 6 MB, as much as is read of each. They differ at their ends only, as versions of one do. */
const FILES = 80;
const LINES = 1_300;
const LINE = 'A line of a “source file”, as long as programs write them.\n';

/** Moments of one message, in milliseconds of the machine's clock. */
interface Moments {
  readonly enter: number;
  readonly request: number;
  readonly visible: number;
}

/** What a person waits for after Enter, and how fast a long answer gets through. */
export async function measurePanel(): Promise<readonly Figure[]> {
  const server = await startModelServer({ script: promptedScript });
  const app = await App.start({
    own: { others: [PROBE] },
    settings: {
      'gnomon.anthropic.baseUrl': server.url,
      'gnomon.model': 'anthropic/claude-sonnet-5-5',
      'gnomon.thinkingEffort': 'off',
      'gnomon.autoCompactThreshold': 0,
      'gnomon.agents.maxAtOnce': AGENTS_AT_ONCE,
    },
  });
  try {
    const { pid } = await askHost(app);
    const chat = await app.openChat();
    const bench = new PanelBench(chat, server, pid);
    const figures = [...(await bench.shortAnswers()), ...(await bench.longAnswers()), await bench.longConversation(app.workspace)];
    return [...figures, await agentFrames(app, chat, server)];
  } finally {
    await app.stop();
    await server.close();
  }
}

class PanelBench {
  constructor(
    private readonly chat: Chat,
    private readonly server: ModelServer,
    /** Of the extension host's process. */ private readonly host: number,
  ) {}

  async shortAnswers(): Promise<readonly Figure[]> {
    const all: Moments[] = [];
    for (let run = 0; run < WARM_UP + RUNS; run++) {
      const moments = await this.time('Say hello', 'I am the scripted model.');
      if (run >= WARM_UP) all.push(moments);
    }
    return [
      medianFigure(
        'send_to_request_ms',
        all.map(({ enter, request }) => request - enter),
        { unit: 'ms', goal: 25 },
      ),
      medianFigure(
        'first_text_visible_ms',
        all.map(({ enter, visible }) => visible - enter),
        { unit: 'ms', goal: 80 },
      ),
    ];
  }

  /** An answer of many deltas, beside what it costs a program that uses nothing but the SDK. */
  async longAnswers(): Promise<readonly Figure[]> {
    const times: number[] = [];
    const ratios: number[] = [];
    const notes: string[] = [];
    for (let run = 0; run <= RUNS; run++) {
      await this.chat.act('New Chat');
      const bare = await bareSdkCpu(this.server.url, `bulk ${DELTAS}`);
      const used = await processorMsOf(this.host);
      const { enter, visible } = await this.time(`bulk ${DELTAS}`, `word ${String(DELTAS - 1).padStart(5, '0')}.`);
      const host = (await processorMsOf(this.host)) - used;
      if (run === 0) continue;
      times.push(visible - enter);
      ratios.push(host / bare);
      notes.push(`${host}/${Math.round(bare)}`);
    }
    return [
      medianFigure('stream_20k_ms', times, { unit: 'ms', goal: 1500 }),
      {
        name: 'stream_20k_ratio',
        value: median(ratios),
        unit: '×',
        goal: 2,
        note: `processor time of the host over that of the bare SDK, in ms: ${notes.join(', ')}`,
      },
    ];
  }

  /** In a conversation of which every request holds 6 MB. */
  async longConversation(folder: string): Promise<Figure> {
    const names = Array.from({ length: FILES }, (_, index) => `long-${index + 10}.txt`);
    for (const name of names) await writeFile(join(folder, name), `${LINE.repeat(LINES)}${name}\n`);
    this.server.setScript(({ body }) => {
      const name = names[JSON.stringify(body).split('"type":"tool_result"').length - 1];
      return name === undefined ? reply().text('All of them are read.') : reply().toolCall('read', { file_path: name });
    });
    await this.chat.newSession();
    await this.chat.send('Read all files');
    await this.chat.waitForText('All of them are read.');
    await this.chat.waitForIdle();
    this.server.setScript(promptedScript);
    const times: number[] = [];
    for (let run = 0; run < WARM_UP + RUNS; run++) {
      const { enter, request } = await this.time('Say hello', 'I am the scripted model.');
      if (run >= WARM_UP) times.push(request - enter);
    }
    const bytes = JSON.stringify(this.server.requests.at(-1)?.body).length;
    return { ...medianFigure('send_to_request_6mb_ms', times, { unit: 'ms', goal: 30 }), note: `${(bytes / 1e6).toFixed(1)} MB` };
  }

  private async time(prompt: string, last: string): Promise<Moments> {
    await this.chat.message.fill(prompt);
    await this.chat.log.evaluate(watch, last);
    const before = this.server.requests.length;
    await this.chat.message.press('Enter');
    const request = await this.server.request(before);
    const { enter, visible } = await this.chat.log.evaluate(() => globalThis.gnomonMoments);
    await this.chat.waitForIdle();
    return { enter, visible, request: request.preciseTime };
  }
}

declare global {
  /** In the page: the moments that {@link watch} waits for. */
  var gnomonMoments: Promise<{ enter: number; visible: number }>;
}

/** Runs in the page: notes when Enter goes down and when a text is in the newest answer, so that no round trip counts. */
function watch(log: Element, wanted: string): void {
  const now = (): number => performance.timeOrigin + performance.now();
  const known = log.querySelectorAll('article').length;
  const moments = new Promise<{ enter: number; visible: number }>((resolve) => {
    let enter = 0;
    document.addEventListener('keydown', () => (enter = now()), { capture: true, once: true });
    const observer = new MutationObserver(() => {
      const articles = log.querySelectorAll('article');
      const answer = articles.item(articles.length - 1);
      if (articles.length < known + 2 || !answer.textContent.slice(-3000).includes(wanted)) return;
      observer.disconnect();
      resolve({ enter, visible: now() });
    });
    observer.observe(log, { childList: true, subtree: true, characterData: true });
  });
  globalThis.gnomonMoments = moments;
}
