import { noteInput } from '@commonplace/contracts';
import { createDocument } from 'zod-openapi';

type Components = NonNullable<
  NonNullable<ReturnType<typeof createDocument>['components']>['schemas']
>;

/**
 * Schemas that the document refers to by name, and that no route has as its body: the note of a change in a sync.
 * Only bodies are described as input, so this describes a body.
 */
export const inputComponents = (): Components => {
  const content = { 'application/json': { schema: noteInput } };
  const { components } = createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Inputs', version: '1' },
      paths: { '/': { post: { requestBody: { content }, responses: {} } } },
    },
    { reused: 'inline' },
  );
  return components?.schemas ?? {};
};
