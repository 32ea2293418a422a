import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { PackageManager, listFiles } from '@vscode/vsce';
import { beforeAll, describe, expect, it } from 'vitest';

interface Step {
  readonly id: string;
  readonly media: { readonly markdown: string };
}

interface Manifest {
  readonly contributes: { readonly walkthroughs: readonly { readonly steps: readonly Step[] }[] };
}

/** The languages whose texts are not in the manifest's own. */
const TRANSLATIONS = ['de'];

let steps: readonly Step[] = [];
let packaged: ReadonlySet<string> = new Set();

beforeAll(async () => {
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
  steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  // What `npm run package` puts in, by .vscodeignore.
  packaged = new Set((await listFiles({ packageManager: PackageManager.None })).map((path) => normalize(path)));
});

/** The page of a step in each language. */
function pagesOf({ media: { markdown } }: Step): readonly string[] {
  return [markdown, ...TRANSLATIONS.map((language) => markdown.replace(/\.md$/, `.nls.${language}.md`))];
}

/** The images of a page, as paths in the package. */
async function imagesOf(page: string): Promise<readonly string[]> {
  const text = await readFile(page, 'utf8');
  return [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => join(dirname(page), path));
}

/** How bright the background is that styles give an image: 0 for black, 1 for white. */
function brightnessOf(styles: string): number {
  const [, color = ''] = /\.bg\{fill:#(\w+)\}/.exec(styles) ?? [];
  const channels = color.length === 3 ? color.split('').map((digit) => digit + digit) : (color.match(/../g) ?? []);
  return channels.reduce((sum, channel) => sum + Number.parseInt(channel, 16), 0) / (3 * 255);
}

describe('the walkthrough', () => {
  it('has a page with an image for every step in every language, and all of them are in the package', async () => {
    expect(steps.length).toBeGreaterThan(0);
    for (const page of steps.flatMap(pagesOf)) {
      const images = await imagesOf(page);
      expect(images, page).not.toEqual([]);
      for (const file of [page, ...images]) expect(packaged, `in the package for ${page}`).toContain(normalize(file));
    }
  });

  it('has images with the colors of dark themes and of light ones', async () => {
    const images = new Set((await Promise.all(steps.flatMap(pagesOf).map(imagesOf))).flat());
    for (const image of images) {
      const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(await readFile(image, 'utf8')) ?? [];
      const [dark = '', light = ''] = styles.split('@media (prefers-color-scheme:light)');
      expect([brightnessOf(dark) < 0.2, brightnessOf(light) > 0.8], image).toEqual([true, true]);
    }
  });
});
