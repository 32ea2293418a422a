/**
 * The new list with the old object for each that is the same in all its fields: what shows that has nothing to do. The host sends all agents whenever
 * something of one changes, which is many times a second.
 */
export function keepEqual<Each extends object>(before: readonly Each[], now: readonly Each[], idOf: (each: Each) => string): readonly Each[] {
  const old = new Map(before.map((each) => [idOf(each), each]));
  return now.map((each) => {
    const same = old.get(idOf(each));
    return same !== undefined && isEqual(same, each) ? same : each;
  });
}

function isEqual(one: object, other: object): boolean {
  const fields = Object.entries(one);
  return fields.length === Object.keys(other).length && fields.every(([name, value]) => Object.is(value, Reflect.get(other, name)));
}
