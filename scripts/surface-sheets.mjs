// Puts the screenshots that `npm run screenshots -- surface` made before and after a change side by side, one sheet for each theme:
//
//     node scripts/surface-sheets.mjs --before DIR --after DIR [--out media/surface]
//
// Without --after, those of test-results/surface. The sheets are WebP files, small enough for the repository.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { openBrowser } from '../test/vscode/browser.mjs';

/** Pixels of a sheet for each pixel of a screenshot: of a panel in a side bar, of one in a tab, and of a whole window. */
const SCALES = { sideBar: 0.48, tab: 0.36, window: 0.7 };
/** The least width of a tab. */
const TAB_WIDTH = 1_000;
/** Of the screenshots before, and of those after. */
const SIDE_WIDTH = 916;
/** What all sheets may take in the repository, in bytes. */
const MAX_BYTES = 3_000_000;
/** Of the WebP files, from 0 to 100. */
const QUALITY = 48;
const TITLES = { dark: 'Dark Modern', light: 'Light Modern', hc: 'Dark High Contrast' };
/** The colors of a sheet: behind the screenshots, and of its words. */
const COLORS = { dark: ['#2d2d2d', '#e8e8e8'], light: ['#e2e2e2', '#222222'], hc: ['#2d2d2d', '#ffffff'] };

/**
 * A screenshot.
 * @typedef {object} Screenshot
 * @property {keyof typeof TITLES} theme
 * @property {string} place a width, or `editor`
 * @property {string} scene
 * @property {string} path
 */

const { values } = parseArgs({
  options: { before: { type: 'string' }, after: { type: 'string', default: 'test-results/surface' }, out: { type: 'string', default: 'media/surface' } },
});
if (values.before === undefined) throw new Error('Say where the screenshots of before are: --before DIR.');
const sides = { Before: await screenshotsIn(values.before), After: await screenshotsIn(values.after) };
await Promise.all([mkdir(values.out, { recursive: true }), mkdir('test-results', { recursive: true })]);
const browser = await openBrowser();
let total = 0;
for (const theme of /** @type {(keyof typeof TITLES)[]} */ (Object.keys(TITLES))) total += await drawSheet(theme);
await browser.close();
if (total > MAX_BYTES) throw new Error(`The sheets take ${total} bytes, more than ${MAX_BYTES}: lower QUALITY or SCALES.`);

/**
 * @param {string} folder
 * @returns {Promise<Screenshot[]>} in the order of their scenes and widths
 */
async function screenshotsIn(folder) {
  const names = (await readdir(folder)).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return names.flatMap((name) => {
    const { theme, place, scene } = /^(?<theme>dark|light|hc)-(?<place>\d+|editor)-(?<scene>.+)\.png$/.exec(name)?.groups ?? {};
    if (theme === undefined || place === undefined || scene === undefined) return [];
    return [{ theme: /** @type {keyof typeof TITLES} */ (theme), place, scene, path: resolve(folder, name) }];
  });
}

/**
 * @param {keyof typeof TITLES} theme
 * @returns {Promise<number>} the bytes of its file
 */
async function drawSheet(theme) {
  const html = join('test-results', `surface-${theme}.html`);
  await writeFile(html, sheetOf(theme));
  const page = await browser.newPage();
  await page.goto(pathToFileURL(resolve(html)).href);
  const { width, height } = await page.evaluate(async () => {
    await Promise.all([...document.images].map((image) => image.decode()));
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { width: scrollWidth, height: scrollHeight };
  });
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale: 1 };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, captureBeyondViewport: true, clip });
  const path = join(values.out, `${theme}.webp`);
  const bytes = Buffer.from(data, 'base64');
  await writeFile(path, bytes);
  await page.close();
  console.log(`${path}: ${width} × ${height}, ${Math.round(bytes.length / 1024)} kB`);
  return bytes.length;
}

/**
 * @param {keyof typeof TITLES} theme
 * @returns {string} the page of a sheet
 */
function sheetOf(theme) {
  const [background, color] = COLORS[theme];
  const scenes = [
    ...new Set(Object.values(sides).flatMap((screenshots) => screenshots.filter((screenshot) => screenshot.theme === theme).map(({ scene }) => scene))),
  ].toSorted((a, b) => a.localeCompare(b, 'en'));
  const rows = scenes.map(
    (scene) =>
      `<section><h2>${titleOf(scene)}</h2><div class="sides">${Object.entries(sides)
        .map(([side, screenshots]) =>
          sideOf(
            side,
            screenshots.filter((screenshot) => screenshot.theme === theme && screenshot.scene === scene),
          ),
        )
        .join('')}</div></section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${TITLES[theme]}</title><style>
    html { background: ${background}; color: ${color}; font: 13px/18px system-ui, "DejaVu Sans", sans-serif; width: max-content; }
    body { margin: 0; padding: 16px; } h1 { font-size: 18px; margin: 0; } h2 { font-size: 14px; margin: 20px 0 4px; }
    .sides { display: grid; grid-template-columns: ${SIDE_WIDTH}px ${SIDE_WIDTH}px; gap: 32px; } .side > div { display: flex; gap: 6px; align-items: start; } img { display: block; }
  </style><h1>${TITLES[theme]}: before and after at 260, 300 and 480 pixels, and in a tab</h1>${rows.join('')}</html>`;
}

/**
 * @param {string} side
 * @param {readonly Screenshot[]} screenshots
 */
function sideOf(side, screenshots) {
  const tags = screenshots.map(({ place, path }) => {
    const scale = place === 'editor' ? SCALES.window : Number(place) < TAB_WIDTH ? SCALES.sideBar : SCALES.tab;
    return `<img src="${pathToFileURL(path).href}" alt="" style="zoom: ${scale}">`;
  });
  return `<div class="side">${side}<div>${tags.join('')}</div></div>`;
}

/** @param {string} scene */
function titleOf(scene) {
  const [number = '', ...words] = scene.split('-');
  return `${number.replace(/^0/, '')} · ${words.join(' ')}`;
}
