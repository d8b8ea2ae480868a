import { AppError } from '@commonplace/contracts';
import type { LocalRoute } from './local-route.ts';
import { sendText } from './send-text.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Commonplace</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>Commonplace</h1>
<p>Company-scoped notes and access for AI agents.</p>
<p>This is the gateway of its API: <a href="/api/docs">read the documentation</a>,
or take the <a href="/api/openapi.json">OpenAPI document</a>.</p>
</main>
</body>
</html>
`;

const policy =
  "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Tells a person with a browser what runs here; there is nothing at `/` for programs. */
export const landingPage: LocalRoute = {
  path: '/',
  handle: (context) => {
    if (!(context.req.headers.accept ?? '').includes('text/html')) {
      throw new AppError('route_not_found');
    }
    sendText(context, {
      contentType: 'text/html',
      body: page,
      headers: { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', Vary: 'Accept' },
    });
  },
};
