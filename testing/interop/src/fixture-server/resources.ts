import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { png } from './samples.ts';

const texts: Readonly<Record<string, string>> = {
  'static-text': 'This is the content of the static text resource.',
  'watched-resource': 'Watched resource content',
};

/** Adds two texts, an image and a template. */
export const addResources = (mcp: McpServer): void => {
  for (const [name, text] of Object.entries(texts)) {
    const uri = `test://${name}`;
    const mimeType = 'text/plain';
    mcp.registerResource(name, uri, { description: `The resource ${name}`, mimeType }, () => ({
      contents: [{ uri, mimeType, text }],
    }));
  }
  const uri = 'test://static-binary';
  const mimeType = 'image/png';
  mcp.registerResource('static-binary', uri, { description: 'An image', mimeType }, () => ({
    contents: [{ uri, mimeType, blob: png }],
  }));
  mcp.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Contains its id', mimeType: 'application/json' },
    (found, { id }) => ({
      contents: [
        {
          uri: found.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
};
