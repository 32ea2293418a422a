/** Whether a key is an Enter that was meant as one: no line break, and not the end of an input method's composition. */
export function isPlainEnter(event: KeyboardEvent): boolean {
  // 229 is what some input methods report for the Enter that ends a composition.
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other sign of it
  return event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}
