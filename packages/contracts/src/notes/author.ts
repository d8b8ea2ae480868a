import { z } from 'zod';
import { runId } from '../ids.ts';

/** The author of a version, from the credential only. */
export const author = z
  .object({
    kind: z.enum(['agent', 'operator']),
    id: z.string().meta({ format: 'uuid' }),
    runId: runId.optional().meta({ description: 'The run of the agent' }),
  })
  .meta({ id: 'Author', description: 'The author, from the credential of the request' });
export type Author = z.infer<typeof author>;
