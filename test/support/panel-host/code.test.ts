import type { Page } from 'playwright-core';
import diagrams from './diagram-cases.json' with { type: 'json' };
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PanelRig, postsOf, sticksOut } from './rig.js';
import { answerWith, state } from './scene-parts.js';
import { richConversation } from './transcript-scenes.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Shows an answer that is nothing but a text. */
async function showText(page: Page, text: string, status: 'complete' | 'streaming' = 'complete'): Promise<void> {
  const view = state([answerWith([{ type: 'text', text }], { id: 'a', status })]);
  await page.evaluate((next) => globalThis.panelHost.show(next, 's'), view);
}

/** Says that these of the paths asked for so far are files. */
async function files(page: Page, found: readonly string[]): Promise<void> {
  await page.waitForFunction(() => globalThis.panelHost.posts.some(({ type }) => type === 'find_files'));
  await page.evaluate((there) => {
    const asked = globalThis.panelHost.posts.flatMap((message) => (message.type === 'find_files' ? message.paths : []));
    globalThis.panelHost.post({ type: 'files', asked, found: asked.filter((path) => there.includes(path)) });
  }, found);
}

describe('code', () => {
  test('a finished block is colored, and its text stays exactly the same', async () => {
    const page = await rig.open();
    const code = '/* a\n b */\nconst x: string = "y"; // z\n\n\treturn 12;';
    await showText(page, `\`\`\`ts\n${code}\n\`\`\``);
    await page.locator('.hl-number').waitFor();
    expect(await page.locator('pre code').textContent()).toBe(code);
    const kinds = await page
      .locator('pre [class^=hl-]')
      .evaluateAll((elements) => elements.map((element): readonly (string | null)[] => [element.getAttribute('class'), element.textContent.trim()]));
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['hl-keyword', 'const'],
        ['hl-string', '"y"'],
        ['hl-comment', '// z'],
        ['hl-number', '12'],
      ]),
    );
    await page.getByRole('button', { name: 'Copy Code' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  });

  test('a block that streams is colored line by line: what is colored stays, the open line is plain', async () => {
    const page = await rig.open();
    await showText(page, '```js\nconst a = 1;\nconst b', 'streaming');
    await page.locator('.hl-keyword').waitFor();
    expect((await page.locator('.hl-keyword').allTextContents()).map((text) => text.trim())).toEqual(['const']);
    const first = await page.locator('.hl-keyword').elementHandle();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'delta', item: 'a', block: 0, delta: ' = 2;\nco' }));
    await page.locator('.hl-keyword').nth(1).waitFor();
    expect(await page.locator('pre code').textContent()).toBe('const a = 1;\nconst b = 2;\nco');
    expect(await first.evaluate((element) => element.isConnected)).toBe(true);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'delta', item: 'a', block: 0, delta: 'nst c;\n```\n\nEnd.' }));
    await page.locator('.hl-keyword').nth(2).waitFor();
    expect(await page.locator('pre code').textContent()).toBe('const a = 1;\nconst b = 2;\nconst c;');
  });

  test('view-15 a block of 4,000 lines and a line of 100 kB stay plain beyond a bound, and whole', async () => {
    const page = await rig.open();
    const lines = 'const value = compute(alpha, beta); // a line\n'.repeat(4_000);
    await showText(page, `\`\`\`js\n${lines}\`\`\`\n\n\`\`\`json\n"${'x'.repeat(100_000)}"\n\`\`\``);
    await page.locator('pre').nth(1).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('pre code')[0]?.textContent.length === 183_999);
    await page.locator('.hl-keyword').nth(1_000).waitFor({ state: 'attached' });
    // Nothing more is colored once nothing is left to do.
    const count = (): Promise<number> => page.evaluate(() => document.querySelectorAll('[class^=hl-]').length);
    await page.waitForFunction(
      () => {
        const now = document.querySelectorAll('[class^=hl-]').length;
        const before = Number(document.body.dataset['colored'] ?? -1);
        document.body.dataset['colored'] = String(now);
        return now === before;
      },
      undefined,
      { polling: 500 },
    );
    expect(await count()).toBeLessThan(12_000);
    expect(await page.locator('pre code').nth(1).textContent()).toBe(`"${'x'.repeat(100_000)}"`);
  });

  test('Insert and Apply send exactly the code, and the file that the block names', async () => {
    const page = await rig.open();
    await showText(page, '```ts src/a.ts\nconst a = 1;\n\n  a;\n```\n\n- in a list\n  ```py\n  # lib/b.py\n  x\n  ```\n\n```\nplain\n```');
    const tools = page.getByRole('toolbar', { name: 'Code block actions' });
    await tools.nth(2).waitFor();
    await tools.nth(0).getByRole('button', { name: 'Insert at Cursor' }).click();
    for (const index of [0, 1, 2]) await tools.nth(index).getByRole('button', { name: 'Apply to File' }).press('Enter');
    await expect
      .poll(() => postsOf(page))
      .toEqual([
        { type: 'insert_code', text: 'const a = 1;\n\n  a;' },
        { type: 'apply_code', text: 'const a = 1;\n\n  a;', path: 'src/a.ts' },
        { type: 'apply_code', text: '# lib/b.py\nx', path: 'lib/b.py' },
        { type: 'apply_code', text: 'plain' },
      ]);
  });
});

describe('files in answers', () => {
  const TEXT = 'See `src/a.ts:10`, src/b.ts#L3, [the docs](docs/readme.md), `gone.ts`, [out](../../etc/passwd) and [web](https://example.com/x.ts).';

  test('become links once the host says that they are there, and open by pointer and key', async () => {
    const page = await rig.open();
    await showText(page, TEXT);
    await files(page, ['src/a.ts:10', 'src/b.ts#L3', 'docs/readme.md']);
    await page.getByRole('link', { name: 'src/a.ts:10' }).click();
    await page.getByRole('link', { name: 'src/b.ts#L3' }).press('Enter');
    await page.getByRole('link', { name: 'the docs' }).click();
    expect(await page.getByRole('link').allTextContents()).toEqual(['src/a.ts:10', 'src/b.ts#L3', 'the docs', 'web']);
    expect(await postsOf(page)).toEqual([
      { type: 'open_file', path: 'src/a.ts:10' },
      { type: 'open_file', path: 'src/b.ts#L3' },
      { type: 'open_file', path: 'docs/readme.md' },
    ]);
    expect(await page.getByRole('article', { name: 'Gnomon' }).locator('.markdown').innerText()).toBe(
      'See src/a.ts:10, src/b.ts#L3, the docs, gone.ts, out and web.',
    );
  });

  test('each path is asked for once, and is a link at once where it is known', async () => {
    const page = await rig.open();
    await showText(page, 'src/a.ts:1 and src/a.ts:1\n\nagain `src/a.ts:1`');
    await files(page, ['src/a.ts:1']);
    await page.getByRole('link').nth(2).waitFor();
    const asked = await page.evaluate(() => globalThis.panelHost.posts.flatMap((message) => (message.type === 'find_files' ? message.paths : [])));
    expect(asked).toEqual(['src/a.ts:1']);
  });

  test('view-04 what the host was not asked about, or another answer names, changes nothing', async () => {
    const page = await rig.open();
    await showText(page, '[a](command:x.y) [b](javascript:alert(1)) [c](file:///etc/passwd) `src/a.ts`');
    await page.waitForFunction(() => globalThis.panelHost.posts.some(({ type }) => type === 'find_files'));
    await page.evaluate(() =>
      globalThis.panelHost.post({ type: 'files', asked: ['command:x.y', 'file:///etc/passwd'], found: ['command:x.y', 'file:///etc/passwd'] }),
    );
    await files(page, ['src/a.ts']);
    await page.getByRole('link').first().waitFor();
    expect(await page.getByRole('link').allTextContents()).toEqual(['src/a.ts']);
    const asked = await page.evaluate(() => globalThis.panelHost.posts.flatMap((message) => (message.type === 'find_files' ? message.paths : [])));
    expect(asked).toEqual(['src/a.ts']);
  });
});

describe('other parts of answers', () => {
  test('tasks are boxes that nobody can change, formulas are drawn, tables scroll by keyboard', async () => {
    const page = await rig.open({ width: 220 });
    await showText(
      page,
      `- [x] done\n- [ ] open\n\nIt is $$\\int_0^1 x^2\\,dx$$ and \\(a_1\\), not \\[1\\] or $5.\n\n${'| head '.repeat(12)}|\n${'|---'.repeat(12)}|\n${'| cell '.repeat(12)}|\n`,
    );
    const boxes = page.getByRole('checkbox');
    await boxes.nth(1).waitFor();
    expect(
      await boxes.evaluateAll((all) =>
        all.map((box) => [(box as HTMLInputElement).checked, (box as HTMLInputElement).disabled, box.getAttribute('aria-label')]),
      ),
    ).toEqual([
      [true, true, 'Done'],
      [false, true, 'Not done'],
    ]);
    await page.locator('math').nth(1).waitFor();
    expect(await page.locator('math').evaluateAll((all) => all.map((math) => [math.textContent, math.getAttribute('display') ?? 'inline']))).toEqual([
      [expect.stringMatching(/^∫01x2.*dx$/), 'block'],
      ['a1', 'inline'],
    ]);
    expect(await page.locator('code.formula').count()).toBe(0);
    const table = page.getByRole('group', { name: 'Table' });
    await table.press('ArrowRight');
    await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  });

  test('view-01 a formula draws, and does nothing else: what asks for more, or is none, stays as it is written', async () => {
    const page = await rig.open({ width: 300 });
    const asMore = [
      String.raw`\href{javascript:alert(1)}{x^2}`,
      String.raw`\url{https://evil.example/?x=1}`,
      String.raw`\includegraphics{https://evil.example/a_b.png}`,
      String.raw`\class{row}{x^2}`,
      String.raw`\id{app}{x^2}`,
      String.raw`\style{position:fixed}{x^2}`,
      String.raw`\frac{1}`,
      String.raw`\def\a{\a\a}\a`,
      `${'{'.repeat(900)}x^2${'}'.repeat(900)}`,
    ];
    await showText(page, ['Before $$x^2$$', ...asMore.map((tex) => `$$${tex}$$`), String.raw`$$\rule{9000em}{9000em}^2$$`, 'After $$y^2$$'].join('\n\n'));
    await page.locator('math').filter({ hasText: 'y2' }).waitFor();
    const drawn = await page.locator('math').allTextContents();
    expect(drawn[0]).toBe('x2');
    expect(await page.locator('.markdown a, .markdown img, .markdown [id], .markdown math .row').count()).toBe(0);
    const left = await page.locator('code.formula').allTextContents();
    expect(left).toEqual(expect.arrayContaining(asMore.slice(0, 8)));
    expect(await sticksOut(page)).toEqual([]);
    const height = await page.locator('.markdown').evaluate((element) => element.getBoundingClientRect().height);
    expect(height).toBeLessThan(3_000);
  });

  test('a formula between single signs is drawn; amounts, variables and code stay as they are', async () => {
    const page = await rig.open({ width: 400 });
    const left = ['It costs $5 and $10, or 3$.', 'Use $HOME/bin and $PATH.', 'US$5 x$ y', '$A_B/$C_D', '$ a$ and $b $', '\\$x\\$', '($5)-($10)'];
    await showText(page, ['For $n$ and $a+b$', '$O(n \\log n)$, $x_1$.', 'Code: `$y$`', ...left].join('\n\n'));
    await page.locator('math').nth(3).waitFor();
    expect(await page.locator('math').evaluateAll((all) => all.map((math) => math.querySelectorAll('mi, mn').length))).toEqual([1, 2, 4, 2]);
    const text = await page.locator('.markdown').innerText();
    for (const words of ['$5 and $10, or 3$.', '$HOME/bin and $PATH.', 'US$5 x$ y', '$A_B/$C_D', '$ a$ and $b $', '($5)-($10)']) expect(text).toContain(words);
    expect(await page.locator('code').allTextContents()).toEqual(['$y$']);
  });

  test('words of a table stay whole: it scrolls', async () => {
    const page = await rig.open({ width: 300 });
    await showText(page, '| File | Lines | What it does | Owner |\n|---|---|---|---|\n| src/clock.js | 12 | Parses and formats times of day | rooms team |\n');
    const cell = page.getByRole('cell', { name: 'src/clock.js' });
    await cell.waitFor();
    const lines = (text: string): Promise<number> =>
      page.getByRole('cell', { name: text }).evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
    expect(await lines('src/clock.js')).toBe(1);
    expect(await lines('12')).toBe(1);
    expect(await sticksOut(page)).toEqual([]);
  });

  describe('a table of 60 rows', () => {
    const LATE = 'internationalization';
    const WORDS = ['reads', 'the', 'configuration', 'of', 'a', 'workspace', 'and', 'reports', 'whatever', 'is', 'wrong'];
    const rows = Array.from(
      { length: 60 },
      (_, index) => `| ${index} | src/clock${index}.js | ${WORDS.slice(index % 5, 4 + (index % 8)).join(' ')}${index === 50 ? ` ${LATE}` : ''} | rooms |\n`,
    );
    const text = `Before\n\n| # | File | What it does | Owner |\n|--:|---|---|---|\n${rows.join('')}\nAfter\n`;

    /** Shows the table bit by bit, with a frame for each bit. */
    async function streamText(page: Page): Promise<void> {
      await showText(page, '', 'streaming');
      await page.evaluate(
        async (parts) => {
          for (const delta of parts) {
            globalThis.panelHost.events({ type: 'delta', item: 'a', block: 0, delta });
            await new Promise(requestAnimationFrame);
          }
          globalThis.panelHost.events({ type: 'answer_status', item: 'a', status: 'complete', summary: '' });
        },
        text.match(/[^]{1,50}/g) ?? [],
      );
    }

    /** Words that are on more than one line, and the left edges of the columns, of the parts that are laid out. */
    const layout = (page: Page): Promise<{ readonly broken: readonly string[]; readonly columns: readonly string[] }> =>
      page.locator('.table-frame').evaluate((frame) => {
        const broken: string[] = [];
        for (const text = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT); text.nextNode() !== null;) {
          for (const { 0: word, index } of text.currentNode.textContent?.matchAll(/[a-z]+/gi) ?? []) {
            const range = document.createRange();
            range.setStart(text.currentNode, index);
            range.setEnd(text.currentNode, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
          }
        }
        const first = [...frame.querySelectorAll('tbody > tr:first-child')];
        const columns = first.map((row) => [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left)).join());
        return { broken, columns: [...new Set(columns)] };
      });

    for (const way of ['streamed', 'at once'] as const) {
      test(`${way}, keeps its words whole and its columns in line, and scrolls sideways as one`, async () => {
        const page = await rig.open({ width: 300, height: 4_000 });
        await (way === 'streamed' ? streamText(page) : showText(page, text));
        await page.getByText('After', { exact: true }).waitFor();
        expect(await page.locator('.markdown table').count()).toBeGreaterThan(2);
        expect(await page.getByText(/src\/clock\d+\.js/).count()).toBe(60);
        // Also in a panel that is wider, and in one that has become narrow again: each column keeps the room of its longest word.
        for (const width of [300, 700, 260]) {
          await page.setViewportSize({ width, height: 4_000 });
          await expect.poll(() => layout(page)).toEqual({ broken: [], columns: [expect.any(String)] });
          expect(await sticksOut(page)).toEqual([]);
        }
        const frame = page.getByRole('group', { name: 'Table' });
        const last = page.getByText('src/clock59.js');
        const before = (await last.boundingBox())?.x ?? 0;
        await frame.press('ArrowRight');
        await expect.poll(async () => (await last.boundingBox())?.x).toBeLessThan(before);
        await expect.poll(() => layout(page)).toEqual({ broken: [], columns: [expect.any(String)] });
        // The page reports its own failures.
        expect(await postsOf(page)).toEqual([]);
      });
    }
  });

  describe('diagrams', () => {
    const fence = (kind: string): string => `\`\`\`mermaid\n${kind}\n\`\`\``;

    test('are drawn as an image in which nothing runs or is loaded, and the source stays within reach', async () => {
      const page = await rig.open({ width: 300 });
      const source = 'graph LR\n  a[One] -->|"<script>alert(1)</script>"| b[Two]\n  click a "https://evil.example/" _blank';
      await showText(page, `Before\n\n${fence(source)}\n\nAfter`);
      const image = page.getByRole('img', { name: 'Diagram' });
      await image.waitFor();
      await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(50);
      expect(await page.locator('.markdown').evaluate((element) => element.querySelectorAll('svg:not(.code-tools svg), script, iframe, a').length)).toBe(0);
      expect(rig.strangeRequests.filter((url) => !url.startsWith('blob:'))).toEqual([]);
      expect(await sticksOut(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show Source' }).click();
      expect(await page.getByRole('group', { name: 'Code' }).innerText()).toBe(source);
      await page.getByRole('button', { name: 'Copy Code' }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(source);
      await page.getByRole('button', { name: 'Show Diagram' }).click();
      await image.waitFor();
      // It has the colors of the theme, also of another one.
      const before = await image.getAttribute('src');
      await page.evaluate(() => globalThis.panelHost.theme('light'));
      await expect.poll(() => image.getAttribute('src')).not.toBe(before);
    });

    test('of a kind that is not known, or too large, stay code and say so', async () => {
      const page = await rig.open({ width: 300 });
      const large = `graph TD\n${Array.from({ length: 90 }, (_, index) => `  n${index} --> n${index + 1}`).join('\n')}`;
      await showText(page, [fence('gantt\n  title x'), fence(large), fence('graph TD\n  a --> b')].join('\n\n'));
      await page.getByRole('img', { name: 'Diagram' }).waitFor();
      await expect.poll(() => page.getByText('mermaid · could not be drawn', { exact: true }).count()).toBe(2);
      expect(await page.getByRole('img').count()).toBe(1);
    });

    test('are right, or their source is shown', async () => {
      const page = await rig.open({ width: 480, before: keepDrawings });
      // So many diagrams of one text are drawn at most.
      for (let from = 0; from < diagrams.cases.length; from += 20) {
        const cases = diagrams.cases.slice(from, from + 20);
        await showText(page, cases.map(({ source }) => fence(source)).join('\n\n'));
        const refused = page.locator('.code-block', { has: page.getByText('mermaid · could not be drawn', { exact: true }) });
        const wanted = cases.filter(({ drawn }) => drawn);
        await expect
          .poll(async () => [await page.getByRole('img', { name: 'Diagram' }).count(), await refused.count()])
          .toEqual([wanted.length, cases.length - wanted.length]);
        expect(await refused.locator('pre').allInnerTexts()).toEqual(cases.filter(({ drawn }) => !drawn).map(({ source }) => source));
        const images = await page.evaluate(async () => {
          const texts = await (Reflect.get(globalThis, 'drawingsNow') as () => Promise<readonly string[]>)();
          return texts.map((text) => {
            const image = new DOMParser().parseFromString(text, 'image/svg+xml');
            const lines = [...image.querySelectorAll('polyline, line[marker-end]')].filter((line) => line.closest('defs') === null).length;
            return {
              lines,
              texts: [...image.querySelectorAll('text')].map((element) => element.textContent),
              fills: [...image.querySelectorAll('text')].map((element) => element.getAttribute('fill')),
            };
          });
        });
        for (const [index, { name, nodes, edges, labels, groups }] of wanted.entries()) {
          const { lines, texts = [], fills } = images[index] ?? {};
          expect({ name, lines, texts: texts.length }).toEqual({ name, lines: edges, texts: nodes + labels.length + groups });
          expect(texts).toEqual(expect.arrayContaining(labels));
          // A text on a fill of its own has a color that can be read on it, in every theme.
          if (name === 'colors') expect(fills).toEqual(['#000000', '#000000']);
        }
      }
    });

    test('break no rule of the page, and have their styles', async () => {
      const page = await rig.open({ width: 480, before: keepDrawings });
      const said: string[] = [];
      page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
      for (let from = 0; from < diagrams.cases.length; from += 20) {
        const cases = diagrams.cases.slice(from, from + 20);
        await showText(page, cases.map(({ source }) => fence(source)).join('\n\n'));
        const count = cases.filter(({ drawn }) => drawn).length;
        await expect
          .poll(() =>
            page
              .getByRole('img', { name: 'Diagram' })
              .evaluateAll((images) => images.filter((image) => image instanceof HTMLImageElement && image.naturalWidth > 0).length),
          )
          .toBe(count);
        const images = await page.evaluate(() => (Reflect.get(globalThis, 'drawingsNow') as () => Promise<readonly string[]>)());
        expect(images.map((text) => [/^<svg[^>]* style="--bg:/.test(text), text.split('<style>').length, text.split('</style>').length])).toEqual(
          images.map(() => [true, 2, 2]),
        );
      }
      expect(said).toEqual([]);
    });

    test('show where each line leads, and nothing of them is outside of the image', async () => {
      const page = await rig.open({ width: 480, before: keepDrawings });
      const cycles = [
        'flowchart TD\n A --> B\n B --> A',
        'flowchart LR\n A --> B --> C --> A\n C --> D',
        'flowchart TD\n A{x} --> B((y))\n B --> A\n B --> C([z])\n C --> A',
        'flowchart TD\n A <--> B\n B --> A',
        'stateDiagram-v2\n [*] --> Idle\n Idle --> Running\n Running --> Idle\n Running --> [*]',
        'flowchart TD\n subgraph one\n A --> B\n subgraph two\n C --> D\n end\n end\n B --> C\n D --> A',
        'flowchart LR\n A[(d)] --> B{{b}} --> C[c] --> A',
      ];
      const others = [
        'sequenceDiagram\n A->>B: An answer that is far wider than the distance between the two, so that it sticks out',
        'classDiagram\n Dog *-- Tail\n Dog o-- Friend',
      ];
      await showText(page, [...cycles, ...others].map(fence).join('\n\n'));
      await expect.poll(() => page.getByRole('img', { name: 'Diagram' }).count()).toBe(cycles.length + others.length);
      const faults = await page.evaluate(async () => {
        const texts = await (Reflect.get(globalThis, 'drawingsNow') as () => Promise<readonly string[]>)();
        return texts.map((text) => {
          const image = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
          if (!(image instanceof SVGSVGElement)) return ['no image'];
          document.body.append(image);
          const lines = [...image.querySelectorAll('polyline')].filter((line) => line.closest('defs') === null);
          const isAbove = (shape: Element): boolean =>
            shape.closest('defs') === null && lines.some((line) => (line.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
          const boxes = [...image.querySelectorAll<SVGGeometryElement>('rect, polygon, circle, ellipse')].filter(isAbove);
          // What is so far before the tip of an arrowhead is not below a box.
          const hidden = lines.flatMap((line) =>
            [
              ['marker-end', line.getTotalLength() - 4],
              ['marker-start', 4],
            ].flatMap(([mark, at]) =>
              line.hasAttribute(String(mark)) && boxes.some((box) => box.isPointInFill(line.getPointAtLength(Number(at)))) ? [line.getAttribute('points')] : [],
            ),
          );
          const { x, width } = image.viewBox.baseVal;
          const outside = [...lines, ...image.querySelectorAll<SVGGraphicsElement>('text')]
            .filter((element) => element.getBBox().x < x || element.getBBox().x + element.getBBox().width > x + width)
            .map(({ outerHTML }) => outerHTML);
          const buried = [...image.querySelectorAll('marker[id^="cls-"][refX="0"]')].length;
          image.remove();
          return [...hidden, ...outside, ...(buried > 0 ? ['a sign below its box'] : [])];
        });
      });
      expect(faults).toEqual(faults.map(() => []));
    });

    test('are drawn when the block is complete, not before', async () => {
      const page = await rig.open({ width: 300 });
      const item = {
        kind: 'answer' as const,
        id: 'a',
        blocks: [{ type: 'text' as const, text: '```mermaid\ngraph TD\n  a --> b\n' }],
        status: 'streaming' as const,
        time: '',
        summary: '',
      };
      await page.evaluate((live) => globalThis.panelHost.show({ items: [live], activity: 'running' }), item);
      await page.getByRole('group', { name: 'Code' }).filter({ hasText: 'a --> b' }).waitFor();
      expect(await page.getByRole('img').count()).toBe(0);
      await page.evaluate(() => globalThis.panelHost.events({ type: 'delta', item: 'a', block: 0, delta: '  b --> c\n```\n\nDone' }));
      await page.getByRole('img', { name: 'Diagram' }).waitFor();
    });
  });

  test('code has the colors of the person’s theme, drawn towards plain text where they could not be read', async () => {
    const page = await rig.open({ theme: 'dark' });
    await page.evaluate((next) => globalThis.panelHost.show(next, 's'), richConversation);
    await page.locator('.hl-keyword').first().waitFor();
    const colors = (): Promise<readonly string[]> =>
      page.evaluate(() => ['.hl-keyword', '.hl-string'].map((selector) => getComputedStyle(document.querySelector(selector) ?? document.body).color));
    const [keyword = '', string = ''] = await colors();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'code_colors', colors: { keyword: '#ff8000', string: '#1e1e20' } }));
    await expect.poll(async () => (await colors())[0]).toMatch(/^(?:rgb\(255, 128, 0\)|color\(srgb 1 0\.50\d+ 0\))$/);
    const [, readable = ''] = await colors();
    expect(readable).not.toMatch(/^rgb\(30, 30, 32\)|color\(srgb 0\.11/);
    expect(readable).not.toBe(string);
    await page.evaluate(() => globalThis.panelHost.post({ type: 'code_colors', colors: {} }));
    await expect.poll(colors).toEqual([keyword, string]);
  });

  test('everything fits into a narrow panel, and the code is colored in every theme', async () => {
    for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
      const page = await rig.open({ theme, width: 220 });
      await page.evaluate((next) => globalThis.panelHost.show(next, 's'), richConversation);
      await page.locator('.hl-keyword').first().waitFor();
      const [keyword, text] = await page.evaluate(() =>
        ['.hl-keyword', 'pre code'].map((selector) => getComputedStyle(document.querySelector(selector) ?? document.body).color),
      );
      expect(keyword).not.toBe(text);
      const tooWide = await page
        .locator('.row, .call > button, .group > button')
        .evaluateAll((rows) => rows.filter((row) => row.scrollWidth > row.clientWidth + 1).length);
      expect(tooWide).toBe(0);
      await rig.closePages();
    }
  });
});

/** Runs in the page: keeps what is handed to images. */
function keepDrawings(): void {
  const drawn = new Map<string, Blob>();
  const create = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = create(blob);
    if (blob instanceof Blob) drawn.set(url, blob);
    return url;
  };
  Reflect.set(globalThis, 'drawingsNow', () =>
    Promise.all([...document.querySelectorAll('.markdown img')].map((image) => drawn.get((image as HTMLImageElement).src)?.text() ?? Promise.resolve(''))),
  );
}
