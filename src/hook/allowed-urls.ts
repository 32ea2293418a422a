import { t } from '../domain/l10n.js';
import { type UrlPattern, fitsUrl } from '../text/url-pattern.js';

/** The only addresses that hooks of the type `http` may call, as a file says (`allowedHttpHookUrls`). */
export interface UrlLimit {
  /** Display name of the file. */
  readonly file: string;
  readonly allowed: readonly UrlPattern[];
}

/** Why an address may not be called, as a sentence for users; `undefined` where every file that limits addresses allows it. */
export function forbiddenUrl(url: string, limits: readonly UrlLimit[]): string | undefined {
  if (limits.length === 0) return undefined;
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const limit = limits.find(({ allowed }) => address === undefined || !allowed.some((pattern) => fitsUrl(pattern, address)));
  return limit && t('The address is not among those that {0} in {1} allows.', 'allowedHttpHookUrls', limit.file);
}
