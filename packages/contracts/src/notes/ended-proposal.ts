import { z } from 'zod';
import { timestamp } from '../common.ts';
import { noteId, proposalId } from '../ids.ts';
import { namedAuthor } from './author.ts';

/** What became of a proposal, for the agent that made it. */
export const endedProposal = z
  .object({
    id: proposalId,
    noteId,
    title: z.string(),
    folder: z.string(),
    state: z.enum(['accepted', 'rejected', 'expired']),
    at: timestamp,
    decidedBy: namedAuthor.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was rejected' }),
    revision: z.int().nullable().meta({ description: 'The revision that it became' }),
  })
  .meta({ id: 'EndedProposal', description: 'What became of a proposal of the caller' });
export type EndedProposal = z.infer<typeof endedProposal>;
