import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { pageOf, pageQuery, plainText, queryIntOr, timestamp } from '../common.ts';
import { agentId, companyId, noteId, proposalId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { namedAuthor } from './author.ts';
import { noteData } from './note-data.ts';
import { noteProperties } from './note-fields.ts';
import { noteLimits, proposalLimits } from './note-limits.ts';
import { fieldDiff } from './revisions.ts';

export const proposalStates = ['open', 'accepted', 'rejected', 'superseded', 'expired'] as const;
export const proposalState = z.enum(proposalStates).meta({
  id: 'ProposalState',
  description: `\`superseded\`: a later proposal of the same agent for the same note replaced it. \`expired\`: nobody decided
within ${proposalLimits.days} days.`,
});
export type ProposalState = z.infer<typeof proposalState>;

/** Why something is proposed, or rejected. */
export const proposalReason = plainText(1, proposalLimits.reasonCharactersMax);

/** The optional member of writes. */
export const writeReason = proposalReason.optional().meta({
  description: 'Where the write becomes a proposal: why. Elsewhere it is ignored',
});

const fields = {
  id: proposalId,
  companyId,
  state: proposalState,
  noteId: noteId.meta({ description: 'The note, or the id that a new one will have' }),
  proposalOf: noteId.nullable().meta({ description: 'The note; null: a new note is proposed' }),
  baseRevision: z.int().nullable().meta({
    description: 'The revision that the proposal changes; null: none that the client knew',
  }),
  title: z.string(),
  folder: z.string(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  archived: z.boolean(),
  properties: noteProperties,
  size: z.int().meta({ description: 'Bytes of the content' }),
  snippet: z.string(),
  reason: z.string().nullable().meta({ description: 'Why it was proposed' }),
  author: namedAuthor.meta({ description: 'Who proposed it, with the credential' }),
  createdAt: timestamp,
  expiresAt: timestamp.meta({ description: 'When an open proposal ends' }),
  decidedBy: namedAuthor.nullable(),
  decidedAt: timestamp.nullable().meta({ description: 'When it ceased to be open' }),
  decisionReason: z.string().nullable().meta({ description: 'Why it was rejected' }),
  revision: z.int().nullable().meta({
    description:
      'Of an accepted one: the revision that it became; null: the note was already like that',
  }),
  supersededBy: proposalId.nullable(),
  note: z
    .object({
      title: z.string(),
      folder: z.string(),
      revision: z.int(),
      deleted: z.boolean(),
    })
    .nullable()
    .meta({ description: 'The note as it is now; null: there is none' }),
};

/** A proposal without its text. */
export const proposal = z
  .object(fields)
  .meta({ id: 'Proposal', description: 'A note as an agent proposes it to be, without its text' });
export type Proposal = z.infer<typeof proposal>;

/** A proposal in full. */
export const proposalDetail = z
  .object({
    ...fields,
    content: z.string().nullable().meta({
      description: 'The content that is proposed; null: the proposal was superseded',
    }),
    current: noteData.nullable().meta({
      description: 'The note as it is now; null: there is none, or it was deleted',
    }),
    diff: z.array(fieldDiff).meta({
      description: 'How the proposal differs from the note as it is now, field by field',
    }),
  })
  .meta({ id: 'ProposalDetail', description: 'A proposal, compared with the note as it is now' });
export type ProposalDetail = z.infer<typeof proposalDetail>;

/** The response of a write that became a proposal. */
export const proposedResponse = {
  description:
    'The grants of the credential make this a proposal: the note has not changed, and somebody else decides',
  schema: z
    .object({
      proposal,
      existing: z.literal(true).optional().meta({
        description:
          'Of a creation with `ifTitleExists: "return"`: the caller has this open proposal for a new note of the title already. Nothing was proposed; edits of the note go on with it',
      }),
    })
    .meta({ id: 'Proposed', description: 'The write became a proposal, and changed nothing yet' }),
  headers: { Location: { description: 'The path of the proposal' } },
} as const;

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

export const listProposalsContract = routeContract({
  operationId: 'listProposals',
  service: 'notes',
  method: 'get',
  path: '/api/notes/proposals',
  tag: 'Proposals',
  summary: 'List proposals',
  description: `What agents whose grants have the mode \`propose\` would change, newest first. An agent sees its own, and those of
others that it may decide.`,
  query: z.object({
    ...pageQuery,
    state: proposalState.optional().meta({ description: 'Only proposals in this state' }),
    agentId: agentId.optional().meta({ description: 'Only proposals of this agent' }),
    runId: runId.optional().meta({ description: 'Only proposals of this run' }),
    noteId: noteId.optional().meta({ description: 'Only proposals for this note' }),
    title: plainText(0, 2 * noteLimits.titleCharactersMax)
      .optional()
      .meta({
        description: 'Only proposals of a note with this title, letter case aside',
      }),
  }),
  responses: {
    200: {
      description: 'One page of proposals',
      schema: pageOf(proposal).extend({
        open: z.int().meta({ description: 'The number of open ones, whatever the filter' }),
      }),
    },
  },
  errors: [],
  access: byNoteReaders(),
});

/** The path parameter of the routes of a proposal. */
export const proposalParams = z.object({ proposalId });

export const getProposalContract = routeContract({
  operationId: 'getProposal',
  service: 'notes',
  method: 'get',
  path: '/api/notes/proposals/{proposalId}',
  tag: 'Proposals',
  summary: 'Read a proposal',
  description: 'The proposal with its text, and how it differs from the note as it is now.',
  params: proposalParams,
  query: z.object({
    context: queryIntOr(3, 0, 20).meta({ description: 'Equal lines around each change' }),
  }),
  responses: { 200: { description: 'The proposal', schema: proposalDetail } },
  errors: ['not_found'],
  access: byNoteReaders('proposalId'),
});
