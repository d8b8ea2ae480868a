import { z } from 'zod';
import { runId } from '../ids.ts';

/** Who wrote something: taken from the credential, never from the request. */
export const author = z
  .object({
    kind: z.enum(['agent', 'operator']),
    id: z.string().meta({ format: 'uuid' }),
    runId: runId.optional().meta({ description: 'The run in which an agent wrote it' }),
  })
  .meta({ id: 'Author', description: 'Who wrote it, from the credential of the request' });
export type Author = z.infer<typeof author>;
