import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';

const style = `
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 30em; margin: 4em auto; padding: 0 1em; overflow-wrap: anywhere }
  h1 { font-size: 1.4em }
`;

/** Nothing is loaded or run, and only this style applies. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Shows why an authorization cannot go back to the app: its client or its address is unknown. Nothing on the page is
 * active, and what the library says is text.
 */
export const renderError = (
  ctx: KoaContextWithOIDC,
  out: { readonly error?: string | undefined; readonly error_description?: string | undefined },
): void => {
  const reason = escaped(out.error_description ?? out.error ?? 'unknown');
  ctx.type = 'html';
  ctx.set('Content-Security-Policy', policy);
  ctx.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Cannot connect · Commonplace</title>
<style>${style}</style>
<h1>This app cannot be connected</h1>
<p>Go back to the app and start again. If that does not help, remove the connection there and add it again.</p>
<p>The reason, for the developers of the app: ${reason}</p>
</html>
`;
};
