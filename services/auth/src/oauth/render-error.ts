import type { KoaContextWithOIDC } from 'oidc-provider';
import { errorPage, errorPagePolicy, escaped } from './error-page.ts';

/** For an app that names itself by a document: an administrator can do something about one that cannot be read. */
const adviceOn = (clientId: string): string =>
  clientId.startsWith('https://') && URL.canParse(clientId)
    ? `<p>The app names itself by a document, which this server did not read: ${escaped(new URL(clientId).href)}. If the server cannot call
that site, its administrator sets OAUTH_CLIENT_DOCUMENTS=off; once it was removed and added again, the app registers itself.</p>
`
    : '';

const again = `<p>Go back to the app and start again. If that does not help, remove the connection there and add it again.</p>
`;

/** Shows why an authorization cannot go back to the app: its client or its address is unknown. */
export const renderError = (
  ctx: KoaContextWithOIDC,
  out: { readonly error?: string | undefined; readonly error_description?: string | undefined },
): void => {
  const clientId = ctx.query['client_id'];
  const isOfClient = typeof clientId === 'string' && out.error === 'invalid_client';
  ctx.type = 'html';
  ctx.set('Content-Security-Policy', errorPagePolicy);
  ctx.body = errorPage({
    advice: again + (isOfClient ? adviceOn(clientId) : ''),
    reason: out.error_description ?? out.error ?? 'unknown',
  });
};
