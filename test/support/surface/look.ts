import type { FrameLocator, Page } from 'playwright-core';

declare global {
  /** The style sheet of VS Code that a page wears, see {@link wear}. */
  var vscodeSheet: CSSStyleSheet | undefined;
}

/** The themes in which screenshots are taken, by the names in their files. */
export const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', hc: 'Default High Contrast' } as const;
/** One of {@link THEMES}. */
export type ThemeName = keyof typeof THEMES;

/** What VS Code gives to a page in one theme. */
export interface Look {
  /** The variables of the theme and the fonts, as the style of the root. */
  readonly variables: string;
  /** Classes of the body. */
  readonly kind: string;
  /** The colors of code that the panel made of the theme, as the style of the body. */
  readonly code: string;
  /** The style sheet that VS Code puts into every page. */
  readonly defaults: string;
}

/** Reads the look of a panel in a real VS Code. */
export function lookOf(frame: FrameLocator): Promise<Look> {
  return frame
    .locator('body')
    .evaluate(() => ({
      variables: document.documentElement.style.cssText,
      kind: document.body.className,
      code: document.body.style.cssText,
      defaults: document.querySelector('#_defaultStyles')?.textContent ?? '',
    }));
}

/** Gives a panel outside of VS Code the look that it has there. */
export async function wear(page: Page, look: Look): Promise<void> {
  await page.evaluate(async ({ variables, kind, code, defaults }) => {
    document.documentElement.style.cssText = variables;
    document.body.className = kind;
    document.body.dataset['vscodeThemeKind'] = kind.split(' ').find((name) => name.startsWith('vscode-')) ?? kind;
    const sheet = new CSSStyleSheet();
    // In VS Code it comes before the page's own styles, and is weaker. Those of the toolkit stay.
    sheet.replaceSync(defaults.includes('@layer') ? defaults : `@layer vscode-default { ${defaults} }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((each) => each !== globalThis.vscodeSheet), sheet];
    globalThis.vscodeSheet = sheet;
    const twoFrames = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // The panel and the toolkit follow the theme first; what they make of the code's colors without the host gives way.
    await twoFrames();
    const { style } = document.createElement('i');
    style.cssText = code;
    for (const name of style) document.body.style.setProperty(name, style.getPropertyValue(name));
    await twoFrames();
  }, look);
}
