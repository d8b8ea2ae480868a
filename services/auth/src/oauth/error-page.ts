import { createHash } from 'node:crypto';

const style = `
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 30em; margin: 4em auto; padding: 0 1em; overflow-wrap: anywhere }
  h1 { font-size: 1.4em }
`;

/** Nothing is loaded or run, and only this style applies. */
export const errorPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type ErrorPage = {
  /** Markup of paragraphs. */
  readonly advice: string;
  /** What the library says: text. */
  readonly reason: string;
};

/** The page of an authorization that cannot go on. Nothing on it is active but links. */
export const errorPage = ({ advice, reason }: ErrorPage): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Cannot connect · Commonplace</title>
<style>${style}</style>
<h1>This app cannot be connected</h1>
${advice}<p>The reason, for the developers of the app: ${escaped(reason)}</p>
</html>
`;
