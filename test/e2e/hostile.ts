import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listener, startListener } from '../support/listener.js';
import { answering, gate, reply } from '../support/model-server/index.js';
import { says } from '../support/wording.js';
import { waitFor } from '../vscode/wait.mjs';
import type { Chat } from './chat.js';
import { sessionsWith } from './files.js';
import type { SharedWindow } from './shared-window.js';
import type { WithModel } from './with-model.js';

/** What links of the VS Code under test begin with. */
const SCHEME = 'code-oss';

/** Cases for what a model, or who sends links, wants of the page and of VS Code. */
export function hostile(window: SharedWindow): void {
  describe('a hostile model', () => {
    let all: WithModel;
    let chat: Chat;
    let listener: Listener;
    /** A folder beside the workspace with a secret in it. */
    let outside: string;

    beforeAll(async () => {
      outside = await mkdtemp(join(tmpdir(), 'gnomon-outside-'));
      await writeFile(join(outside, 'secret.txt'), 'CANARY-7f3a-outside');
      listener = await startListener();
      all = await window.take();
      ({ chat } = all);
    });
    beforeEach(() => chat.newSession());
    afterAll(async () => {
      await listener.close();
      await rm(outside, { recursive: true, force: true });
    });

    describe('with Markdown', () => {
      /** Everything that could load or run something, each with an address of its own at the listener. */
      function attack(name: string): string {
        const at = (what: string): string => `${listener.url}/${name}/${what}`;
        return [
          `![image](${at('image')})`,
          `![reference][r]\n\n[r]: ${at('reference')} "x"`,
          `<img src="${at('img')}" srcset="${at('srcset')} 2x" onerror="window.pwned='img'">`,
          '<img src=x onerror="window.pwned=\'onerror\'">',
          `<video poster="${at('poster')}" src="${at('video')}"></video><audio src="${at('audio')}" autoplay></audio>`,
          `<link rel="prefetch" href="${at('prefetch')}"><link rel="stylesheet" href="${at('stylesheet')}">`,
          `<style>@import url("${at('import')}"); * { background: url("${at('background')}") }</style>`,
          `<div style="background-image: url('${at('style')}')">styled</div>`,
          `<svg><image href="${at('svg')}"/><use href="${at('use')}#a"/><script>window.pwned='svg'</script></svg>`,
          `<script>window.pwned='script'; fetch('${at('fetch')}')</script>`,
          `<iframe src="${at('iframe')}" srcdoc="<script>parent.pwned='srcdoc'</script>"></iframe>`,
          `<base href="${at('base')}"><meta http-equiv="refresh" content="0;url=${at('refresh')}">`,
          `<form action="${at('form')}"><button>Allow</button><input name="x"></form>`,
          `<object data="${at('object')}"></object><embed src="${at('embed')}">`,
          '**the end of the attack**',
        ].join('\n\n');
      }

      async function pwned(): Promise<unknown> {
        return chat.frame.locator('body').evaluate(() => Reflect.get(window, 'pwned') as unknown);
      }

      function pages(): number {
        return all.app.page.context().pages().length;
      }

      it('view-01 view-02 view-05 loads nothing and runs nothing from an answer, a question, an output or a name', async () => {
        const before = listener.asked.length;
        const html = `<img src="${listener.url}/name/img" onerror="window.pwned='name'">`;
        all.server.setScript(
          answering(
            reply()
              .thinking(attack('thinking'), 'c2ln')
              .text(attack('answer'))
              .toolCall('bash', { command: `cat <<'EOF'\n${attack('output')}\nEOF` }),
            attack('last'),
          ),
        );
        await chat.send(`${html} ${attack('question')}`);
        await chat.waitForIdle();
        await chat.thinking.click();
        await chat.tool('bash').getByRole('button').first().click();
        // Bold is what only the rendered Markdown is.
        await chat.log.locator('strong', { hasText: 'the end of the attack' }).nth(2).waitFor();
        await chat.log.getByRole('group', { name: 'Output', exact: true }).getByText('the end of the attack').waitFor();
        await chat.openHistory();
        await chat.history.getByText(html.slice(0, 40)).first().waitFor();
        await chat.closeHistory();
        expect(await chat.log.locator('img, video, audio, iframe, form, object, embed, link, style, script, base, meta, image').count()).toBe(0);
        expect(await pwned()).toBeUndefined();
        expect(listener.asked).toHaveLength(before);
      });

      it('view-12 would load no image, script or file from outside of its own folder even if something got into the page', async () => {
        const asked = listener.asked.length;
        const blocked = await chat.frame.locator('body').evaluate((body, url) => {
          const loaded = new Promise<string>((resolve) => {
            const image = new Image();
            image.onload = () => resolve('loaded');
            image.onerror = () => resolve('blocked');
            image.src = `${url}/forced-image`;
            body.append(image);
          });
          const fetched = fetch(`${url}/forced-fetch`).then(
            () => 'loaded',
            () => 'blocked',
          );
          const script = document.createElement('script');
          script.textContent = "window.pwned = 'inline'";
          body.append(script);
          return Promise.all([loaded, fetched]);
        }, listener.url);
        expect(blocked).toEqual(['blocked', 'blocked']);
        expect(await pwned()).toBeUndefined();
        expect(listener.asked).toHaveLength(asked);
        // The listener does hear those who can reach it.
        await fetch(`${listener.url}/control`);
        expect(listener.asked.slice(asked)).toEqual(['/control']);
        const outcome = await chat.frame.locator('body').evaluate(
          async (body, [secret, workspace]) => {
            const own = [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => (link as HTMLLinkElement).href)[0] ?? '';
            const load = (href: string): Promise<string> =>
              new Promise((resolve) => {
                const link = document.createElement('link');
                link.rel = 'stylesheet';
                link.onload = () => resolve('loaded');
                link.onerror = () => resolve('refused');
                link.href = href;
                body.append(link);
              });
            const at = (path: string): string => Object.assign(new URL(own), { pathname: path }).href;
            const ownPath = new URL(own).pathname;
            return {
              own: await load(`${own}?again`),
              secret: await load(at(secret)),
              file: await load(at(workspace)),
              up: await load(at(ownPath.replace('/webview/', '/'))),
            };
          },
          [join(outside, 'secret.txt'), join(all.app.workspace, 'README.md')] as const,
        );
        expect(outcome).toEqual({ own: 'loaded', secret: 'refused', file: 'refused', up: 'refused' });
      });

      it('view-04 leaves links inert, and shows the whole address of a web page before it is opened', async () => {
        const address = `${listener.url}/page?q=${'x'.repeat(200)}#end`;
        const inert = {
          script: "javascript:window.pwned='link'",
          command: 'command:gnomon.newSession',
          editor: 'vscode://file/etc/passwd',
          file: 'file:///etc/passwd',
          data: 'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
          relative: '/etc/passwd',
        };
        const links = Object.entries(inert).map(([name, href]) => `[go ${name}](<${href}>)`);
        all.server.setScript(() => reply().text(`${links.join('\n\n')}\n\n[go web](${address})`));
        await chat.send('Links');
        await chat.waitForIdle();
        const web = chat.log.getByRole('link', { name: 'go web' });
        await web.waitFor();
        const before = { asked: listener.asked.length, pages: pages() };
        for (const name of Object.keys(inert)) await chat.log.getByText(`go ${name}`, { exact: true }).click();
        expect(await chat.log.getByRole('link').count()).toBe(1);
        await web.click();
        const dialog = all.app.workbench.dialog();
        await dialog.waitFor();
        expect(await dialog.innerText()).toContain(address);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await dialog.waitFor({ state: 'detached' });
        expect(await chat.mine.count()).toBe(1);
        expect(await all.app.page.locator('.tab').count()).toBe(0);
        expect(pages()).toBe(before.pages);
        expect(await pwned()).toBeUndefined();
        expect(listener.asked.length).toBe(before.asked);
      });
    });

    describe('with keys', () => {
      it('cmd-42 takes no key as an approval that was meant for something else', async () => {
        const hold = gate();
        all.server.setScript(answering(reply().text('Wait', hold).toolCall('bash', { command: 'touch typed.txt' })));
        await chat.send('Type with me');
        await chat.waitForText('Wait');
        await chat.message.focus();
        await all.app.page.keyboard.down('Enter');
        hold.open();
        const shown = chat.prompt.waitFor().then(() => true);
        while (!(await Promise.race([shown, Promise.resolve(false)]))) await all.app.page.keyboard.down('Enter');
        expect(await chat.message.evaluate((element) => element === document.activeElement)).toBe(true);
        // The key is still down when the focus comes to the button.
        const allow = chat.prompt.getByRole('button', { name: 'Allow', exact: true });
        await allow.focus();
        for (let n = 0; n < 5; n += 1) await all.app.page.keyboard.down('Enter');
        await all.app.page.keyboard.up('Enter');
        // It was not pressed: the prompt is still there to be answered.
        await allow.click({ trial: true });
        expect(existsSync(join(all.app.workspace, 'typed.txt'))).toBe(false);
        await chat.answer('Deny');
        await chat.waitForIdle();
        await chat.message.fill('');
      });
    });

    describe('E-8 conf-16 with links into the extension', () => {
      const dialog = (): Locator => all.app.workbench.dialog();

      /** The id of the stored session in which a text is. */
      async function storedSession(text: string): Promise<string | undefined> {
        const files = await sessionsWith(all.app.dataDir, text);
        return files.map((file) => /\/(\d+)\.json$/.exec(file)?.[1]).find((id) => id !== undefined);
      }

      /** Follows a link, as VS Code does with those that come from outside: it asks a question of its own first. */
      async function follow(rest: string): Promise<void> {
        await all.app.workbench.runCommand('Developer: Open URL');
        const input = all.app.page.locator('.quick-input-widget').getByRole('textbox');
        await input.fill(`${SCHEME}://gnomon.gnomon/${rest}`);
        await input.press('Enter');
        await dialog().filter({ hasText: 'to open this URI?' }).getByRole('button', { name: 'Open' }).click();
        await dialog().filter({ hasText: 'to open this URI?' }).waitFor({ state: 'detached' });
      }

      it('puts a text into the message box once the person has seen it whole, and sends nothing, not even when a link says so', async () => {
        const before = all.server.requests.length;
        const link = 'prompt?text=Fix%20the%20test%0AThen%20run%20it';
        await follow(link);
        await dialog().getByText('Then run it').waitFor();
        await all.app.page.keyboard.press('Escape');
        await dialog().waitFor({ state: 'detached' });
        expect(await chat.message.inputValue()).toBe('');
        await follow(link);
        await dialog().getByRole('button', { name: 'Insert' }).click();
        await expect.poll(() => chat.message.inputValue(), { timeout: 60_000 }).toBe('Fix the test\nThen run it');
        await follow('send?text=x');
        await all.app.workbench.notification(says('linkNotSupported'));
        expect(all.server.requests).toHaveLength(before);
        await chat.message.fill('');
      });

      it('opens a session that is there, and says which one is not', async () => {
        all.server.setScript(() => reply().text('Well.'));
        await chat.send('Remember me');
        await chat.waitForText('Well.');
        await chat.waitForIdle();
        const id = await waitFor(() => storedSession('Remember me'), { what: 'the stored session', timeoutMs: 30_000 });
        await chat.newSession();
        await follow(`session?id=${id}`);
        await dialog().getByRole('button', { name: 'Open Chat' }).click();
        await chat.mine.filter({ hasText: 'Remember me' }).waitFor();
        await follow('session?id=not-there');
        await dialog().getByRole('button', { name: 'Open Chat' }).click();
        await all.app.workbench.notification('The link could not be opened');
      });
    });
  });
}
