/** One step of a pattern for a name: any run of characters, or one character that must pass a test. */
export type NameStep = 'any' | ((character: string) => boolean);

/** One step of a pattern for a path: any number of folders, or one name. */
export type PathStep = 'any' | readonly NameStep[];

/**
 * Compiles a pattern for one name in the manner of ignore files: `*` and `?` stay within the name, `[a-z]` and `[!a]`
 * choose a character, `\` takes the next one literally.
 */
export function compileName(pattern: string): readonly NameStep[] {
  const steps: NameStep[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const end = character === '[' ? classEnd(pattern, at) : undefined;
    if (character === '*') {
      if (steps.at(-1) !== 'any') steps.push('any');
    } else if (character === '?') steps.push(() => true);
    else if (end !== undefined) {
      steps.push(compileClass(pattern.slice(at + 1, end)));
      at = end;
    } else {
      if (character === '\\' && at + 1 < pattern.length) at += 1;
      const literal = pattern.charAt(at);
      steps.push((other) => other === literal);
    }
  }
  return steps;
}

/** Whether a name fits a compiled pattern. */
export function nameFits(steps: readonly NameStep[], name: string): boolean {
  return wildMatch(steps, name.split(''), (step, character) => step(character));
}

/** Whether the names of a path, one after the other, fit a compiled pattern; takes pattern × path steps at most. */
export function pathFits(steps: readonly PathStep[], names: readonly string[]): boolean {
  return wildMatch(steps, names, nameFits);
}

/** The place of the bracket that closes a class; one directly after the opening belongs to the class. */
function classEnd(pattern: string, start: number): number | undefined {
  const first = /[!^]/.test(pattern.charAt(start + 1)) ? start + 3 : start + 2;
  const end = pattern.indexOf(']', first);
  return end === -1 ? undefined : end;
}

function compileClass(content: string): (character: string) => boolean {
  const negated = /^[!^]/.test(content);
  const ranges = [...(negated ? content.slice(1) : content).matchAll(/([^])-([^])|([^])/g)].map((match) => {
    const single = match[3];
    return single === undefined ? [match[1] ?? '', match[2] ?? ''] : [single, single];
  });
  return (character) => ranges.some(([low = '', high = '']) => low <= character && character <= high) !== negated;
}

/** Wildcard matching without recursion: only the latest `any` is ever tried again, which is enough. */
export function wildMatch<P, I>(pattern: readonly ('any' | P)[], items: readonly I[], fits: (step: P, item: I) => boolean): boolean {
  let step = 0;
  let item = 0;
  let retry: { step: number; item: number } | undefined;
  while (item < items.length) {
    const wanted = pattern[step];
    const current = items[item] as I;
    if (wanted === 'any') {
      retry = { step, item };
      step += 1;
    } else if (wanted !== undefined && fits(wanted, current)) {
      step += 1;
      item += 1;
    } else if (retry === undefined) return false;
    else {
      retry = { step: retry.step, item: retry.item + 1 };
      step = retry.step + 1;
      item = retry.item;
    }
  }
  return pattern.slice(step).every((rest) => rest === 'any');
}
