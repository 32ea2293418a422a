/** The start of an address with a scheme, up to its path: RFC 3986, 3.2. User info ends with the last `@` before the path, as curl and Git read it. */
const AUTHORITY = /([a-z][a-z\d+.-]*:(?:\\?\/){2})([^/\\\s?#]*@)/gi;
/** What an address says behind its path (RFC 3986, 3.4 and 3.5), where some servers take tokens. */
const QUERY = /([a-z][a-z\d+.-]*:\/\/[^\s?#]*)[?#]\S*/gi;
/** An address in the manner of scp, `user@host:path`: gitfaq(7) and git-clone(1), GIT URLS; also one whose scheme was forgotten. */
const LIKE_SCP = /^[^/\\\s@]+@(?=[\w.-]+[:/])/;
/** An address that a helper takes, `helper::address`; for some it is a command. Source: gitremote-helpers(7). */
const HELPER = /^([a-z][\w-]*)::(.*)$/is;
/** The name that every user of a server over SSH has; it says nothing about one. */
const COMMON_USER = /^git@$/;

/** A text with the user info, the query, and the fragment of all addresses in it left out, and what is not an address for `helper::`. */
export function withoutUserInfo(text: string): string {
  const [, helper, address = ''] = HELPER.exec(text) ?? [];
  if (helper !== undefined) return `${helper}::${/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? withoutUserInfo(address) : ''}`;
  const plain = text
    .replace(AUTHORITY, (whole, scheme: string, user: string) => (/ssh/i.test(scheme) && COMMON_USER.test(user) ? whole : scheme))
    .replace(QUERY, '$1');
  return plain.replace(LIKE_SCP, (user) => (COMMON_USER.test(user) ? user : ''));
}
