import { publicRoutes } from '@commonplace/contracts';
import type { LocalRoute } from '../http/local-response.ts';
import { compress } from './encodings.ts';
import { digestOf, sendSharedFile, type SharedFile } from './shared-file.ts';

type Documents = { readonly openapi: SharedFile; readonly docs: SharedFile };
type Guide = { readonly markdown: SharedFile; readonly text: SharedFile };

/**
 * The OpenAPI document, the documentation page and the guide for agents. They are generated and compressed once,
 * by the first request: to do it for every request, which needs no credential, would let anyone exhaust the
 * gateway.
 */
export const apiDocsRoutes = (): readonly LocalRoute[] => {
  let generated: Promise<Documents> | undefined;
  const documents = () => (generated ??= generateDocuments());
  let read: Promise<Guide> | undefined;
  const guide = () => (read ??= readGuide());
  return [
    {
      path: '/api/openapi.json',
      handle: async (context) => sendSharedFile(context, (await documents()).openapi),
    },
    {
      path: '/api/docs',
      handle: async (context) => sendSharedFile(context, (await documents()).docs),
    },
    {
      path: '/api/docs/agents.md',
      handle: async (context) => sendSharedFile(context, (await guide()).markdown),
    },
    // Where clients look for it (https://llmstxt.org).
    {
      path: '/llms.txt',
      handle: async (context) => sendSharedFile(context, (await guide()).text),
    },
  ];
};

/** Loads the generator late, because most gateways never serve these pages. */
const generateDocuments = async (): Promise<Documents> => {
  const { docsPage, docsPagePolicy, openApiDocument } = await import('@commonplace/openapi');
  const document = openApiDocument(publicRoutes);
  return {
    openapi: await shared('application/json', JSON.stringify(document), {}),
    docs: await shared('text/html', docsPage(document), {
      'Content-Security-Policy': docsPagePolicy,
    }),
  };
};

const readGuide = async (): Promise<Guide> => {
  const { agentsGuide } = await import('@commonplace/openapi');
  const markdown = await shared('text/markdown', agentsGuide(), {});
  return { markdown, text: { ...markdown, contentType: 'text/plain; charset=utf-8' } };
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
