import { createHash } from 'node:crypto';
import { publicRoutes } from '@commonplace/contracts';
import type { OwnRoute } from './own-route.ts';
import { sendTagged, type Text } from './send-text.ts';

type Tagged = Text & { readonly etag: string };
type Documents = { readonly openapi: Tagged; readonly docs: Tagged };

/** The API's description, for programs and for people. It is made when first asked for, and once. */
export const documentRoutes = (): readonly OwnRoute[] => {
  let made: Promise<Documents> | undefined;
  const documents = () => (made ??= makeDocuments());
  return [
    {
      path: '/api/openapi.json',
      answer: async (exchange) => sendTagged(exchange, (await documents()).openapi),
    },
    {
      path: '/api/docs',
      answer: async (exchange) => sendTagged(exchange, (await documents()).docs),
    },
  ];
};

/** The generator is loaded here, and not at start: most gateways are never asked. */
const makeDocuments = async (): Promise<Documents> => {
  const { docsPage, docsPagePolicy, openApiDocument } = await import('@commonplace/openapi');
  const document = openApiDocument(publicRoutes);
  return {
    openapi: tagged('application/json', JSON.stringify(document), {}),
    docs: tagged('text/html', docsPage(document), { 'Content-Security-Policy': docsPagePolicy }),
  };
};

const tagged = (contentType: string, body: string, headers: Text['headers']): Tagged => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { contentType, body, headers, etag: `"${digest}"` };
};
