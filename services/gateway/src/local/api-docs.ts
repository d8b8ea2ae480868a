import { publicRoutes } from '@commonplace/contracts';
import { digestOf } from './digest-of.ts';
import { compress } from './encodings.ts';
import type { LocalRoute } from './local-route.ts';
import { sendFile, type SharedFile } from './send-file.ts';

type Documents = { readonly openapi: SharedFile; readonly docs: SharedFile };

/**
 * The API's description, for programs and for people. It is made when first asked for, and once: to encode
 * or compress it anew for each request, which needs no credential, would be a way to exhaust the gateway.
 */
export const apiDocsRoutes = (): readonly LocalRoute[] => {
  let made: Promise<Documents> | undefined;
  const documents = () => (made ??= makeDocuments());
  return [
    {
      path: '/api/openapi.json',
      handle: async (context) => sendFile(context, (await documents()).openapi),
    },
    {
      path: '/api/docs',
      handle: async (context) => sendFile(context, (await documents()).docs),
    },
  ];
};

/** The generator is loaded here, and not at start: most gateways are never asked. */
const makeDocuments = async (): Promise<Documents> => {
  const { docsPage, docsPagePolicy, openApiDocument } = await import('@commonplace/openapi');
  const document = openApiDocument(publicRoutes);
  return {
    openapi: await shared('application/json', JSON.stringify(document), {}),
    docs: await shared('text/html', docsPage(document), {
      'Content-Security-Policy': docsPagePolicy,
    }),
  };
};

const shared = async (
  contentType: string,
  text: string,
  headers: SharedFile['headers'],
): Promise<SharedFile> => ({
  ...(await compress(text)),
  contentType: `${contentType}; charset=utf-8`,
  digest: digestOf(text),
  headers: { 'Cache-Control': 'public, no-cache', ...headers },
});
