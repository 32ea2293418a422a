/** The default of an exhaustive `switch`: does not compile while a case is missing, throws for data from outside. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
