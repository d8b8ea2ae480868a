import { z } from 'zod';
import { connectionId, keyId, runId } from '../ids.ts';

/** The author of a version, from the credential only. */
export const author = z
  .object({
    kind: z.enum(['agent', 'operator']),
    id: z.string().meta({ format: 'uuid' }),
    runId: runId.optional().meta({ description: 'The run of the agent' }),
    keyId: keyId.optional().meta({
      description:
        'Of versions only: the API key it was written with; absent for a run, a session, and versions of earlier releases',
    }),
    connectionId: connectionId.optional().meta({
      description: 'Of versions only: the connection it was written with, if it was one',
    }),
    via: z.enum(['mcp', 'undo']).optional().meta({
      description:
        'Of versions only: it was written over MCP, not over HTTP, or by an undo of this operator',
    }),
  })
  .meta({ id: 'Author', description: 'The author, from the credential of the request' });
export type Author = z.infer<typeof author>;

/** An author with the name that the company knows. */
export const namedAuthor = z
  .object({
    ...author.shape,
    name: z
      .string()
      .nullable()
      .meta({ description: 'Null: unknown, or not available now; the id is always there' }),
  })
  .meta({ id: 'NamedAuthor', description: 'An author with a name' });
export type NamedAuthor = z.infer<typeof namedAuthor>;
