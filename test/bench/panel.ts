import type { ModelServer } from '../support/model-server/index.js';
import { promptedScript, startModelServer } from '../support/model-server/index.js';
import { App } from '../e2e/app.js';
import type { Chat } from '../e2e/chat.js';
import { bareSdkTime } from './bare-sdk.js';
import type { Figure } from './figure.js';
import { median, medianFigure } from './figure.js';

const WARM_UP = 3;
const RUNS = 10;
const DELTAS = 20_000;

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
    settings: { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5', 'gnomon.thinkingEffort': 'off' },
  });
  try {
    const bench = new PanelBench(await app.openChat(), server);
    return [...(await bench.shortAnswers()), ...(await bench.longAnswers())];
  } finally {
    await app.stop();
    await server.close();
  }
}

class PanelBench {
  private readonly chat: Chat;
  private readonly server: ModelServer;

  constructor(chat: Chat, server: ModelServer) {
    this.chat = chat;
    this.server = server;
  }

  async shortAnswers(): Promise<readonly Figure[]> {
    const all: Moments[] = [];
    for (let run = 0; run < WARM_UP + RUNS; run++) {
      const moments = await this.time('Say hello', 'I am the scripted model.');
      if (run >= WARM_UP) all.push(moments);
    }
    return [
      medianFigure('send_to_request_ms', all.map(({ enter, request }) => request - enter), { unit: 'ms', goal: 25 }),
      medianFigure('first_text_visible_ms', all.map(({ enter, visible }) => visible - enter), { unit: 'ms', goal: 80 }),
    ];
  }

  async longAnswers(): Promise<readonly Figure[]> {
    const times: number[] = [];
    const ratios: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      await this.chat.button('New session').click();
      const bare = await bareSdkTime(this.server.url, `bulk ${DELTAS}`);
      const { enter, visible } = await this.time(`bulk ${DELTAS}`, `word ${String(DELTAS - 1).padStart(5, '0')}.`);
      if (run === 0) continue;
      times.push(visible - enter);
      ratios.push((visible - enter) / bare);
    }
    return [
      medianFigure('stream_20k_ms', times, { unit: 'ms', goal: 1500 }),
      { ...medianFigure('stream_20k_ratio', ratios, { unit: '×', goal: 3 }), value: median(ratios) },
    ];
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
