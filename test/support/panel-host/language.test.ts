import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Texts } from '../../../src/domain/l10n.js';
import { plainOutput } from '../../../webview/state/labels.js';
import { visibleText } from '../../../webview/state/approval/visible-text.js';
import { bundleOf, pageTexts } from '../page-texts.js';
import { sampled } from '../runs.js';
import { type OpenOptions, PanelRig, postsOf, showHistory, showServers, sticksOutAt } from './rig.js';
import { form, page as webPage } from './servers-scenes.js';
import { scenarios } from './scenarios.js';
import { englishFinder, spokenTexts } from './spoken-texts.js';
import { richConversation } from './transcript-scenes.js';
import { says } from '../wording.js';

/** What the stand-in host itself says: titles of conversations, what the person asked for, how much a model thinks, and what stands in place of one. */
const OF_THE_HOST = new Set(['Fix the failing test', 'New Chat', 'Off', 'Default']);

/** What the stand-in host says whatever it shows. */
const SAID_ALWAYS = asShown([{ ...scenarios, scenes: [] }, 'Gnomon']);

let rig: PanelRig;
let german: Texts;
let englishOf: (texts: readonly string[]) => readonly string[];

beforeAll(async () => {
  rig = await PanelRig.start();
  german = await bundleOf('de');
  englishOf = englishFinder((await pageTexts()).filter((text) => german[text] !== text && !OF_THE_HOST.has(text)));
});
afterEach(() => rig.closePages());

function open(options: OpenOptions = {}): Promise<Page> {
  return rig.open({ language: 'de', texts: JSON.stringify(german), ...options });
}

/** Unfolds all that can be unfolded, but for lists that open over the page. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('main button[aria-expanded="false"], summary')) button.click();
  });
}

/** The English texts of the page that are left in it. */
async function leftovers(page: Page): Promise<readonly string[]> {
  return englishOf(await spokenTexts(page));
}

/** What a page with marked translations says without a mark, and that the host did not say either. */
async function ownTexts(page: Page): Promise<readonly string[]> {
  const texts = await spokenTexts(page);
  const said = [...SAID_ALWAYS, ...asShown(await page.evaluate(() => globalThis.panelHost.state))];
  const isSaid = (text: string): boolean => said.some((words) => words.includes(text));
  // A name may consist of several things that the host said.
  // How long ago something was comes from the browser.
  const isAgo = (text: string): boolean => /^(?:vor \d+ \p{L}+|(?:vor)?gestern|jetzt)$/u.test(text);
  // A subject stands between the two marks of its sentence, in an element of its own.
  const isTranslated = (text: string): boolean => text.includes('⟦') || text.includes('⟧');
  return texts.filter(
    (text) => !isTranslated(text) && !isSaid(text) && !isAgo(text) && !text.split(/[():·…]/).every((part) => !/\p{L}{2}/u.test(part) || isSaid(part.trim())),
  );
}

/** Every string in a value. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** The strings in a value in the forms in which the page shows them. */
function asShown(value: unknown): readonly string[] {
  return [...new Set(stringsIn(value))].flatMap((text) => [text, visibleText(text), plainOutput(text)]).map((text) => text.replaceAll(/\s+/g, ' '));
}

/** Takes a screenshot, for whoever wants to look. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['GNOMON_SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/german-${name}.png` });
}

/** Notes every text that a screen reader is told. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Reflect.set(globalThis, 'heard', heard);
    for (const region of document.querySelectorAll('main > .screen-reader-only')) {
      new MutationObserver(() => region.textContent !== '' && heard.push(region.textContent)).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    }
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'heard') as string[]);
}

describe('the page in German', () => {
  test('begins in German, and a suggestion is sent in German', async () => {
    const page = await open({ scene: 'empty' });
    await page.getByRole('heading', { name: 'Was bauen wir?' }).waitFor();
    await page.getByRole('log', { name: 'Chat' }).waitFor();
    await page.getByRole('list', { name: 'Vorschläge' }).getByRole('button', { name: 'Einen Test schreiben für…' }).click();
    expect(await page.getByRole('textbox', { name: 'Nachricht', exact: true }).inputValue()).toBe('Einen Test schreiben für: ');
    await page.locator('header').getByText('Bereit').waitFor();
    expect(await leftovers(page)).toEqual([]);
  });

  test('has German names around the composer', async () => {
    const page = await open({ scene: 'queue' });
    const box = page.getByRole('textbox', { name: 'Nachricht', exact: true });
    expect(await box.getAttribute('placeholder')).toBe('Nachricht einreihen');
    for (const name of [/^Modell: /, /^Berechtigungsmodus: /]) await page.getByRole('button', { name }).waitFor();
    for (const name of ['Anfügen', 'Anhalten']) await page.getByRole('button', { name, exact: true }).waitFor();
    const queue = page.getByRole('region', { name: 'In Warteschlange' });
    await queue.getByRole('button', { name: /^3 in der Warteschlange/ }).click();
    await queue.getByText('src/median.js:1-9, Bild 1').waitFor();
    await box.fill('/');
    await page.getByRole('listbox', { name: 'Befehle' }).waitFor();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'attachments', attachments: [{ id: 'x1', name: 'notes.txt', kind: 'file' }] }));
    await page.getByRole('button', { name: 'notes.txt entfernen' }).waitFor();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { context: { used: 158_400, limit: 200_000 } } }));
    await page.getByRole('button', { name: 'Kontext: 79\u00A0% des Kontextfensters belegt, 158.400 von 200.000 Token' }).click();
    await page.getByRole('dialog', { name: 'Kontext' }).getByRole('button', { name: 'Jetzt komprimieren' }).waitFor();
    expect(await leftovers(page)).toEqual([]);
    await page.getByRole('button', { name: /^Modell: / }).click();
    await page.getByRole('dialog', { name: 'Modell' }).getByRole('radiogroup', { name: 'Nachdenken' }).waitFor();
    await page.getByRole('button', { name: /^Berechtigungsmodus: / }).click();
    await page.getByRole('menu', { name: 'Berechtigungsmodus' }).getByText('Wechseln: Umschalt+Tab').waitFor();
    expect(await leftovers(page)).toEqual([]);
  });

  test('asks for permission in German', async () => {
    const page = await open({ scene: 'sequences' });
    const prompt = page.getByRole('group', { name: 'Berechtigung erforderlich', exact: true });
    await prompt.getByText('Diesen Befehl ausführen?').waitFor();
    await prompt.getByRole('group', { name: 'Befehl', exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelector('.prompt button.primary:not([aria-disabled])') !== null);
    for (const name of ['Zulassen', 'Ablehnen', 'Bearbeiten']) await prompt.getByRole('button', { name, exact: true }).waitFor();
    await prompt.getByRole('button', { name: /stattdessen/ }).click();
    await prompt.getByRole('textbox', { name: 'Was Gnomon stattdessen tun soll (wird mit „Ablehnen“ gesendet)' }).waitFor();
    await prompt.getByRole('button', { name: 'Immer zulassen…' }).click();
    const rules = prompt.getByRole('group', { name: 'Zu merkende Regeln' });
    expect(await rules.getByRole('option').allTextContents()).toEqual([
      'Dieser Chat',
      'Dieser Arbeitsbereich, nur für mich',
      'Dieser Arbeitsbereich',
      'Alle Arbeitsbereiche',
    ]);
    await rules.getByText('1 Regel wurde ausgelassen, weil sie einen Zeilenumbruch enthält.').waitFor();
    await rules.getByRole('textbox').fill('');
    await rules.getByText('Mindestens eine Regel eingeben.').waitFor();
    expect(await leftovers(page)).toEqual([]);
    await prompt.getByRole('button', { name: 'Bearbeiten', exact: true }).click();
    await prompt.getByRole('textbox', { name: 'Befehl', exact: true }).fill(' ');
    await prompt.getByText('Zum Zulassen einen Befehl eingeben.').waitFor();
    expect(await leftovers(page)).toEqual([]);
    await prompt.getByRole('button', { name: 'Ablehnen' }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'deny' }]);
  });

  test('tells a conversation with calls in German', async () => {
    const page = await open({ width: 400 });
    await page.setViewportSize({ width: 400, height: 3_000 });
    await page.evaluate((state) => globalThis.panelHost.show(state, 's'), richConversation);
    const answer = page.getByRole('article', { name: 'Gnomon' }).first();
    await page.getByRole('article', { name: 'Eigene Nachricht' }).first().waitFor();
    await answer.getByRole('button', { name: '3 Dateien gelesen, 2-mal gesucht' }).waitFor();
    await answer.getByRole('button', { name: '12 s nachgedacht' }).waitFor();
    await answer
      .getByRole('group', { name: /^npm test / })
      .getByRole('button', { name: /, fehlgeschlagen$/ })
      .waitFor();
    await answer.getByRole('toolbar', { name: 'Aktionen für die Antwort' }).getByRole('button', { name: 'Als Markdown kopieren' }).waitFor();
    await page.getByRole('button', { name: 'Code kopieren' }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Nicht erledigt' }).waitFor();
    await page.getByText('Abgezweigt von „The first try at the median“').waitFor();
    await unfold(page);
    const details = await page.locator('dl').first().innerText();
    for (const words of ['Schritte', 'Dauer\n18 s', 'Eingabetoken\n11.004', 'Aus dem Cache gelesen\n9.800 (89\u00A0%)', 'Kosten\n0,02\u00A0$'])
      expect(details).toContain(words);
    expect(await leftovers(page)).toEqual([]);
    await shoot(page, 'rich');
  });

  test('lists and finds sessions in German', async () => {
    const page = await open({ scene: 'conversation', width: 400 });
    // The first session of the list is the one that is shown.
    await page.evaluate(() => globalThis.panelHost.show(globalThis.panelHost.state, 'h1'));
    await showHistory(page);
    await page.getByRole('heading', { level: 1, name: 'Chatverlauf' }).waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Chats' }).getByRole('heading').allInnerTexts())
      .toEqual(['Angeheftet', 'Heute', 'Gestern', 'Früher']);
    await page.getByText('gerade eben · 8 Nachrichten · Claude Sonnet 4.5 · $0.12 · hier geöffnet').waitFor();
    await page.getByText(/^vor 3 Tagen · 41 Nachrichten · Abzweigung von „Fix the failing test“$/).waitFor();
    await page.evaluate(() => {
      globalThis.panelHost.post({
        type: 'session_states',
        states: [
          { id: 'h2', state: 'waiting' },
          { id: 'h3', state: 'unread' },
          { id: 'h1', state: 'working' },
        ],
      });
      globalThis.panelHost.post({ type: 'session_deleted', id: 'x', title: 'Alt' });
    });
    await page.getByText('„Alt“ gelöscht').waitFor();
    await page.getByText('Papierkorb (1)').click();
    await page.getByText(/^Wird in \d Minuten endgültig gelöscht$/).waitFor();
    expect(await leftovers(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Chats durchsuchen' }).fill('nirgends');
    await page.getByText('Nachrichten werden durchsucht…').waitFor();
    expect(await leftovers(page)).toEqual([]);
    await page.evaluate(() => globalThis.panelHost.post({ type: 'search_hits', query: 'nirgends', hits: [], done: true }));
    await page.getByText('Keine Ergebnisse für „nirgends“.').waitFor();
    expect(await leftovers(page)).toEqual([]);
  });

  test('tells of servers in German, and nothing sticks out', async () => {
    const page = await open({ width: 300, height: 900 });
    const look = async (): Promise<void> => {
      expect(await sticksOutAt(page, [260, 300])).toEqual([]);
      expect(await leftovers(page)).toEqual([]);
    };
    await showServers(page, 'MCP-Server');
    await page.locator('[data-server=postgres]').getByRole('button', { name: 'Zustimmen… postgres' }).waitFor();
    await page.locator('[data-server=linear]').getByText('Anmeldung nötig').waitFor();
    await look();
    await page.getByRole('button', { name: 'Zustimmen… postgres' }).click();
    await page.getByRole('button', { name: 'Zustimmen und starten' }).waitFor();
    await look();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'github', exact: true }).click();
    await page.getByText('Angabe des Servers: liest nur, wirkt nach außen').waitFor();
    await look();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.evaluate((list) => globalThis.panelHost.post({ type: 'elicitations', elicitations: list }), [form]);
    await page.getByRole('button', { name: 'Absenden' }).waitFor();
    await look();
    await page.evaluate((list) => globalThis.panelHost.post({ type: 'elicitations', elicitations: list }), [webPage('http://example.com')]);
    await page.getByRole('button', { name: 'Im Browser öffnen' }).waitFor();
    await look();
  });

  test('has nothing English left in any scene', async () => {
    const page = await open({ width: 400 });
    // The others with all of their texts marked, see below.
    for (const scene of sampled(Object.keys(scenarios.scenes))) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      await unfold(page);
      expect(await leftovers(page), scene).toEqual([]);
    }
  });

  test('says nothing of its own that is not translated, in any scene', async () => {
    const marked = Object.fromEntries((await pageTexts()).map((text) => [text, `⟦${text}⟧`]));
    const page = await open({ width: 400, texts: JSON.stringify(marked) });
    for (const scene of Object.keys(scenarios.scenes)) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      await unfold(page);
      expect(await ownTexts(page), scene).toEqual([]);
    }
    await page.evaluate((state) => globalThis.panelHost.show(state, 's'), richConversation);
    await page.getByRole('article', { name: '⟦You⟧' }).first().waitFor();
    await unfold(page);
    expect(await ownTexts(page)).toEqual([]);
    await showHistory(page);
    await page.getByRole('list', { name: '⟦Chats⟧' }).getByRole('button').first().waitFor();
    expect(await ownTexts(page)).toEqual([]);
  });

  test('says what cannot be done in German', async () => {
    const page = await open({ scene: 'conversation' });
    await page.keyboard.press('Control+f');
    await page.getByRole('search', { name: 'Im Chat suchen' }).waitFor();
    await page.evaluate(() => {
      globalThis.panelHost.post({ type: 'session_busy', id: 'h6', title: 'Anderswo' });
      window.dispatchEvent(new ErrorEvent('error', { message: 'broken' }));
    });
    await page.getByRole('alert').getByText('Ein Teil des Chats konnte nicht angezeigt werden.').waitFor();
    await page.getByRole('heading', { name: 'Dieser Chat ist in einem anderen Fenster geöffnet.' }).waitFor();
    expect(await leftovers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Zurück' }).click();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { elsewhere: true } }));
    await page.getByRole('region', { name: 'In einem anderen Fenster fortgesetzt' }).waitFor();
    expect(await leftovers(page)).toEqual([]);
  });
});

describe('what a screen reader is told', () => {
  test('is German', async () => {
    const page = await open({ scene: 'running' });
    const heard = await listen(page);
    await page.evaluate(() =>
      globalThis.panelHost.events({
        type: 'meta',
        patch: { retry: { reason: 'Der Server ist überlastet.', attempt: 2, maxAttempts: 8, at: Date.now() + 45_000 } },
      }),
    );
    await page.getByRole('group', { name: 'Neuer Versuch…' }).waitFor();
    await page.evaluate(() => globalThis.panelHost.scene('command'));
    await page.getByRole('group', { name: 'Berechtigung erforderlich' }).waitFor();
    await page.evaluate(() => globalThis.panelHost.scene('question'));
    await page.getByRole('group', { name: 'Frage von Gnomon', exact: true }).waitFor();
    await page.evaluate(() => globalThis.panelHost.scene('changes'));
    await page.getByRole('region', { name: 'Geänderte Dateien' }).waitFor();
    await page.evaluate(() => {
      const item = { kind: 'compaction' as const, id: 'c', trigger: 'auto' as const, summary: '', tokensBefore: 0, tokensAfter: 0, status: 'running' as const };
      globalThis.panelHost.events({ type: 'item_added', item });
    });
    await page.getByText('Chat wird zusammengefasst…').waitFor();
    await page.evaluate(() => {
      const item = {
        kind: 'compaction' as const,
        id: 'c',
        trigger: 'auto' as const,
        summary: '',
        tokensBefore: 182_000,
        tokensAfter: 9_400,
        status: 'active' as const,
      };
      globalThis.panelHost.events({ type: 'compaction', item });
    });
    await page.getByRole('group', { name: 'Chat zusammengefasst', exact: true }).waitFor();
    await expect
      .poll(heard)
      .toEqual([
        expect.stringMatching(/^Der Server ist überlastet\. Neuer Versuch in \d\d s \(2\/8\)\.$/),
        expect.stringMatching(/^Berechtigung erforderlich: npm test .*ausführen\?$/),
        expect.stringMatching(/^Frage von Gnomon: Which package manager/),
        'Gnomon ist bereit.',
        '4 geänderte Dateien sind ausstehend. Die Änderungen behalten oder rückgängig machen.',
        'Chat zusammengefasst. Automatisch: Das Kontextfenster war fast voll · 182k → 9,4k Token',
      ]);
  });
});

describe('the texts that the host puts into the page', () => {
  test.each(['{broken', '[]', 'null', '{"Message": 1}'])('that are none leave it English: %s', async (texts) => {
    const page = await rig.open({ texts, scene: 'empty' });
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    await page.getByRole('heading', { name: says('emptyChat') }).waitFor();
    expect(await postsOf(page)).toEqual([]);
  });

  test('that are not complete are English where one is missing', async () => {
    const page = await rig.open({ language: 'de', texts: '{"Message": "Nachricht"}', scene: 'empty' });
    await page.getByRole('textbox', { name: 'Nachricht', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Attach', exact: true }).waitFor();
  });
});

describe('the longer words', () => {
  const SCENES = [
    'empty',
    'conversation',
    'command',
    'hidden',
    'diff',
    'running',
    'trouble',
    'retry',
    'question',
    'answered',
    'plan',
    'planned',
    'compaction',
    'instructions',
    'address',
    'websearch',
    'steps',
    'refused',
    'changed',
    'allowed',
    'changes',
    'queue',
    'queue that waits',
    'auto begins',
    'routed',
  ];

  test('stick out nowhere, at 220 px and at 400 px', async () => {
    const page = await open();
    for (const scene of SCENES) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      await unfold(page);
      expect(await sticksOutAt(page, [220, 400]), scene).toEqual([]);
      await shoot(page, scene.replaceAll(' ', '-'));
    }
    await showHistory(page);
    await page.getByRole('list', { name: 'Chats' }).getByRole('button').first().waitFor();
    await page.getByText('Papierkorb (1)').click();
    expect(await sticksOutAt(page, [220, 400])).toEqual([]);
    await shoot(page, 'history');
  });

  test.each(['en', 'de'])('what is to be read first stands in one line beside its button or above it (%s)', async (language) => {
    const page = await (language === 'de' ? open() : rig.open());
    for (const scene of ['long diff', 'tail', 'steps', 'long edits']) {
      for (const width of [260, 300]) {
        await page.setViewportSize({ width, height: 700 });
        await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
        const words = page.locator('[data-card] [id$="-obstacle"]');
        const button = words.locator('xpath=following-sibling::button');
        const sizes = (): Promise<readonly number[]> =>
          words.evaluate((element) => {
            const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight);
            const rows = (of: Element | null): number => {
              const range = document.createRange();
              range.selectNodeContents(of ?? element);
              return Math.round(range.getBoundingClientRect().height / lineHeight);
            };
            return [rows(element), rows(element.nextElementSibling), element.parentElement?.offsetHeight ?? 0];
          });
        await button.waitFor();
        const [inWords, inButton, height] = await sizes();
        expect({ scene, width, inWords, inButton }).toEqual({ scene, width, inWords: 1, inButton: 1 });
        for (let press = 0; press < 3; press += 1) await button.click();
        expect(await sizes(), `${scene}, ${width} px, once read`).toEqual([1, 1, height]);
      }
    }
  });

  test.each(['en', 'de'])('the number of changed files is there in full, and so is that of their lines or none of it (%s)', async (language) => {
    const page = await (language === 'de' ? open({ scene: 'changes' }) : rig.open({ scene: 'changes' }));
    const words = page.locator('.changes .words');
    for (const width of [260, 300, 400]) {
      await page.setViewportSize({ width, height: 700 });
      const parts = await words.evaluate((element) => {
        const { bottom, right } = element.getBoundingClientRect();
        const isWhole = (child: Element): boolean => child.getBoundingClientRect().right <= right + 1 && child.scrollWidth <= child.clientWidth + 1;
        return [...element.children].map((child) => (child.getBoundingClientRect().top >= bottom - 1 ? 'none' : isWhole(child) ? 'whole' : 'cut'));
      });
      expect({ width, parts }).toEqual({ width, parts: ['whole', expect.stringMatching(/^(?:whole|none)$/)] });
    }
    expect(await words.evaluate((element) => element.children.length)).toBe(2);
  });
});
