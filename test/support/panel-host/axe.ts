import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { everyNth } from '../runs.js';

/** The themes in which everything is looked at, the one of a page that is opened without another first. */
export const THEME_NAMES = ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const;

/**
 * Those of axe's rules that another theme can make fail. A theme is nothing but values of variables: it changes colors, and
 * the borders of high contrast take room. Only these two rules work out colors (axe's `getForegroundColor` and
 * `getBackgroundColor` have no other callers), and this one reads how much room there is. All the others read elements, names
 * and roles, which are the same in every theme.
 */
const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

/** How often each test has looked, by its name. */
const looks = new Map<string, number>();

/** The first theme, and of the others all or the one whose turn it is: another one at each look of a test. */
function themesOfLook(): readonly string[] {
  const test = expect.getState().currentTestName ?? '';
  const look = looks.get(test) ?? 0;
  looks.set(test, look + 1);
  const [first, ...others] = THEME_NAMES;
  return [first, ...everyNth(others, others.length, test.length + look)];
}

/**
 * What axe finds in what the page shows: by all of its rules in the first theme, by those that read looks in each of the
 * others. The page has the first theme afterwards.
 */
export async function violations(page: Page, themes: readonly string[] = themesOfLook()): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ names, rules }) => {
      const api = Reflect.get(globalThis, 'axe') as typeof axe;
      const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      const size = (): number => document.querySelectorAll('*').length;
      // What is drawn late, as the colors of code are, is drawn when nothing has come for some frames.
      for (let same = 0, before = size(); same < 3; before = size()) {
        await frame();
        same = size() === before ? same + 1 : 0;
      }
      const found: string[] = [];
      for (const name of names) {
        globalThis.panelHost.theme(name);
        await frame();
        // Colors that fade are looked at when they are what they come to.
        for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
        // Axe reads the colors of the page, which are not those that are drawn where the system forces its own.
        const isForced = matchMedia('(forced-colors: active)').matches;
        const run = await api.run(document, {
          resultTypes: ['violations'],
          ...(isForced ? { rules: { 'color-contrast': { enabled: false } } } : name === names[0] ? {} : { runOnly: rules }),
        });
        for (const { id, impact, nodes } of run.violations)
          found.push(...nodes.map((node) => `${name}: ${impact} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200) ?? ''}`));
      }
      globalThis.panelHost.theme(names[0] ?? '');
      return found;
    },
    { names: themes, rules: RULES_OF_LOOKS },
  );
}
