import type { LibraryResponse } from './call-library.ts';
import { isOnThisMachine } from './client-metadata.ts';
import { errorPage, errorPagePolicy, escaped } from './error-page.ts';

/** What a response says went wrong. */
const errorIn = ({ searchParams }: URL): string | null =>
  searchParams.has('error')
    ? (searchParams.get('error_description') ?? searchParams.get('error'))
    : null;

/**
 * The address of a response, with its parameters in the query. The library puts an error of a response type that wants a token
 * at once into the fragment; a response type that a server does not know is an error in the query (RFC 6749, section 3.1.1).
 */
const targetOf = (location: unknown): URL | null => {
  const target = typeof location === 'string' ? URL.parse(location) : null;
  const fragment = new URLSearchParams(target?.hash.slice(1) ?? '');
  if (target && fragment.has('error')) {
    fragment.forEach((value, name) => target.searchParams.set(name, value));
    target.hash = '';
  }
  return target;
};

/** A redirect URI as it may be registered. */
const withoutQuery = ({ href, search, hash }: URL): string =>
  href.slice(0, href.length - search.length - hash.length);

/**
 * The response that a browser gets to an authorization request. A page replaces a refusal that would lead to another site
 * before anybody has signed in: anybody may register an address, and an address of this instance must not lead wherever its
 * author likes (RFC 9700, section 4.11.2). The page has a link there. Refusals for apps on this machine go on.
 */
export const holdRedirect = (response: LibraryResponse): LibraryResponse => {
  const { location, ...headers } = response.headers;
  const target = targetOf(location);
  const reason = target && errorIn(target);
  if (!target || reason === null) {
    return response;
  }
  if (isOnThisMachine(withoutQuery(target))) {
    return { ...response, headers: { ...headers, location: target.href } };
  }
  const advice = `<p><a href="${escaped(target.href)}" rel="noreferrer">Go back to ${escaped(target.host)}</a> only if you came from there, and
start again.</p>
`;
  return {
    status: 400,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': errorPagePolicy,
    },
    body: errorPage({ advice, reason }),
  };
};
