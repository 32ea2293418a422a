/** The text before and after the placeholder `{0}` of a translated sentence, for a value that is an element. */
export function aroundPlace(sentence: string): { readonly before: string; readonly after: string } {
  const [before = '', after = ''] = sentence.split('{0}');
  return { before, after };
}
