import { AppError } from '@commonplace/contracts';
import { sendLocalResponse, type LocalRoute } from '../http/local-response.ts';

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
give a language model its <a href="/llms.txt">guide</a>,
or get the <a href="/api/openapi.json">OpenAPI document</a>.</p>
</main>
</body>
</html>
`;

const policy =
  "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page at `/` of a gateway without the console. Other clients than browsers get 404. */
export const landingPage: LocalRoute = {
  path: '/',
  handle: ({ req, res }) => {
    if (!(req.headers.accept ?? '').includes('text/html')) {
      throw new AppError('route_not_found');
    }
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
    };
    sendLocalResponse(res, { status: 200, headers, body: page });
  },
};
