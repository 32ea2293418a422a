import { mount } from 'svelte';
import { parseTexts, useTexts } from '../src/protocol/l10n.js';
import App from './components/panel/App.svelte';
import { loadEngine } from './markdown/load-engine.js';
import { isFromHost } from './state/connection/connection.js';
import { loadExtras } from './state/extras.svelte.js';
import { acquireHost } from './state/connection/host.js';
import { Panel } from './state/connection/panel.svelte.js';
import './style/tokens.css';
import './style/reset.css';
import './style/code-colors.css';
import './style/global.css';
import './style/parts.css';
import './style/choice.css';
import './style/markdown.css';
import './style/pane.css';
import { loadToolkit } from './ui/load-toolkit.js';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no place for the chat.');
useTexts(parseTexts(textsOf(target)), document.documentElement.lang);

const rest = afterFirstPaint().then(loadTheRest);
const panel = new Panel(acquireHost(), rest);

window.addEventListener('error', (event) => panel.fail(event.error ?? event.message));
window.addEventListener('unhandledrejection', (event) => panel.fail(event.reason));
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (isFromHost(event, window)) panel.connection.receive(event.data);
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') panel.connection.catchUp();
});

mount(App, { target, props: { panel } });
panel.connection.start();

/** The translations that the host put into the page. The chat is there without them too, in English. */
function textsOf({ dataset }: HTMLElement): unknown {
  try {
    return JSON.parse(dataset['texts'] ?? '{}');
  } catch {
    return {};
  }
}

/** Loads the parts that the first paint does not need. Without them, the chat still works, with plain text. */
async function loadTheRest(): Promise<void> {
  const engine = loadEngine();
  engine.then(loadToolkit).catch((error: unknown) => panel.report(error));
  await Promise.allSettled([engine, loadExtras().catch((error: unknown) => panel.fail(error))]);
}

function afterFirstPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
