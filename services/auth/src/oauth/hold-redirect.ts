import type { LibraryResponse } from './call-library.ts';
import { isOnThisMachine } from './client-metadata.ts';
import { errorPage, errorPagePolicy, escaped } from './error-page.ts';

/**
 * What a response says went wrong: in the fragment where a response type wants a token at once, otherwise in the query. The
 * query of a registered address may have anything.
 */
const errorIn = ({ searchParams, hash }: URL): string | null => {
  const fragment = new URLSearchParams(hash.slice(1));
  const params = fragment.has('error') ? fragment : searchParams;
  return params.has('error') ? (params.get('error_description') ?? params.get('error')) : null;
};

/** A redirect URI as it may be registered. */
const withoutQuery = ({ href, search, hash }: URL): string =>
  href.slice(0, href.length - search.length - hash.length);

/**
 * Shows a page in place of a refusal that would lead to another site before anybody has signed in: anybody may register an
 * address, and an address of this instance must not lead wherever its author likes (RFC 9700, section 4.11.2). The page has a
 * link there. Refusals for apps on this machine go on.
 */
export const holdRedirect = (response: LibraryResponse): LibraryResponse => {
  const { location } = response.headers;
  const target = typeof location === 'string' && URL.canParse(location) ? new URL(location) : null;
  const reason = target && errorIn(target);
  if (!target || reason === null || isOnThisMachine(withoutQuery(target))) {
    return response;
  }
  const { location: _location, ...headers } = response.headers;
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
