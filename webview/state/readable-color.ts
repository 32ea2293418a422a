/** Red, green and blue from 0 to 255, and how much of what lies behind is covered, from 0 to 1. */
export interface Rgba {
  readonly rgb: readonly [number, number, number];
  readonly alpha: number;
}

/** Contrast that text of this size needs (WCAG 2.2, criterion 1.4.3). */
const MIN_CONTRAST = 4.5;
/** Steps from a color to that of plain text. */
const STEPS = 10;

/** A color as `#rrggbb`, `#rrggbbaa`, `rgb(…)` or `rgba(…)`, as themes and browsers write them; `undefined` for any other. */
export function parseColor(text: string): Rgba | undefined {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})([\da-f]{2})?$/i.exec(text.trim());
  if (hex !== null)
    return rgba(
      hex.slice(1, 4).map((digits) => Number.parseInt(digits, 16)),
      hex[4] === undefined ? 1 : Number.parseInt(hex[4], 16) / 255,
    );
  const numbers = /^rgba?\(([^)]*)\)$/i
    .exec(text.trim())?.[1]
    ?.split(/[\s,/]+/)
    .filter((part) => part !== '')
    .map(Number);
  return numbers === undefined ? undefined : rgba(numbers.slice(0, 3), numbers[3] ?? 1);
}

/** One color over another. */
export function over(top: Rgba, bottom: Rgba): Rgba {
  return { rgb: mixed(bottom.rgb, top.rgb, top.alpha), alpha: 1 };
}

/** A color on a background, drawn towards that of plain text only as far as it takes to be read. @returns as `rgb(…)`. */
export function readableColor(color: Rgba, background: Rgba, plain: Rgba): string {
  const own = over(color, background).rgb;
  let shown = own;
  for (let step = 1; step <= STEPS && contrast(shown, background.rgb) < MIN_CONTRAST; step += 1) shown = mixed(own, plain.rgb, step / STEPS);
  return `rgb(${shown.map(Math.round).join(', ')})`;
}

function contrast(one: Rgba['rgb'], other: Rgba['rgb']): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Relative luminance as WCAG defines it. */
function luminance(rgb: Rgba['rgb']): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed(from: Rgba['rgb'], to: Rgba['rgb'], share: number): Rgba['rgb'] {
  const part = (index: 0 | 1 | 2): number => from[index] * (1 - share) + to[index] * share;
  return [part(0), part(1), part(2)];
}

function rgba([red, green, blue]: readonly number[], alpha: number): Rgba | undefined {
  if (red === undefined || green === undefined || blue === undefined || [red, green, blue, alpha].some(Number.isNaN)) return undefined;
  return { rgb: [red, green, blue], alpha };
}
