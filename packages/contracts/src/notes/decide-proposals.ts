import { z } from 'zod';
import { byNoteWriters } from '../access.ts';
import { errorCodes, type ErrorCode } from '../error-codes.ts';
import { proposalId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { noteInput } from './note-input.ts';
import { proposal, proposalParams, proposalReason } from './proposals.ts';
import { baseRevisionMax } from './sync.ts';

/** The proposals that one request decides. */
export const proposalDecisionsMax = 100;

const access = {
  kind: 'company',
  company: 'entity',
  agents: 'own_company',
  scope: 'notes:write',
  grants: 'kept',
  operators: 'operator',
  entities: { proposalId: 'proposal' },
} as const;

const decidedProposal = z
  .object({ proposal })
  .meta({ id: 'DecidedProposal', description: 'What became of it' });

const content = noteInput.shape.content.unwrap().optional().meta({
  description: 'The content that is accepted instead of the proposed one',
});
const revision = z.int().min(1).max(baseRevisionMax).optional().meta({
  description:
    'With `content`: the revision of the note that it was made from, for instance that of `current` after a conflict; by default the base of the proposal. What the proposal does not change of title, folder, tags and properties is as in that version. It has no effect on a proposed new note',
});

const acceptedText = { content, revision };

/** A revision by itself would make the proposed content the successor of one that it was not made from. */
const hasContent = (accepted: {
  readonly content?: string | undefined;
  readonly revision?: number | undefined;
}): boolean => accepted.revision === undefined || accepted.content !== undefined;
const needsContent = { path: ['revision'], message: 'needs content' };

export const acceptProposalContract = routeContract({
  operationId: 'acceptProposal',
  service: 'notes',
  method: 'post',
  path: '/api/notes/proposals/{proposalId}/accept',
  tag: 'Proposals',
  summary: 'Accept a proposal',
  description: `Changes the note to what is proposed. What others wrote since the base of the proposal is kept, by three-way
merge; where both changed the same, the response is 409 \`proposal_conflict\` with the note in \`current\` and the proposed one
in \`proposed\`, and nothing changes. The version names the agent that proposed it, and who accepted it. Nobody decides
about proposals of its own (403 \`own_proposal\`); agents decide if the company says so (\`proposalsDecidedBy\`) and where their
grants have the scope \`any\` and the mode \`direct\`.`,
  params: proposalParams,
  body: z
    .strictObject(acceptedText)
    .refine(hasContent, needsContent)
    .meta({ id: 'AcceptProposalRequest' }),
  // 512 KiB of content with JSON escapes.
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'The note is as it was proposed, with what others wrote',
      schema: decidedProposal,
    },
  },
  errors: ['not_found', 'operator_only', 'own_proposal', 'proposal_conflict', 'proposal_decided'],
  access,
});

export const rejectProposalContract = routeContract({
  operationId: 'rejectProposal',
  service: 'notes',
  method: 'post',
  path: '/api/notes/proposals/{proposalId}/reject',
  tag: 'Proposals',
  summary: 'Reject a proposal',
  description: 'The note stays as it is. The agent that proposed it reads the reason.',
  params: proposalParams,
  body: z.strictObject({ reason: proposalReason }).meta({ id: 'RejectProposalRequest' }),
  responses: { 200: { description: 'Rejected', schema: decidedProposal } },
  errors: ['not_found', 'operator_only', 'own_proposal', 'proposal_decided'],
  access,
});

const decision = z
  .discriminatedUnion('decision', [
    z
      .strictObject({ id: proposalId, decision: z.literal('accept'), ...acceptedText })
      .refine(hasContent, needsContent),
    z.strictObject({ id: proposalId, decision: z.literal('reject'), reason: proposalReason }),
  ])
  .meta({ id: 'ProposalDecision', description: 'What becomes of one proposal' });
export type ProposalDecision = z.infer<typeof decision>;

const result = z
  .object({
    id: proposalId,
    status: z.enum(['accepted', 'rejected', 'failed']),
    revision: z.int().nullable().meta({ description: 'The revision that an accepted one became' }),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
      })
      .optional()
      .meta({ description: 'Why nothing was decided' }),
  })
  .meta({ id: 'ProposalDecisionResult', description: 'What became of one decision' });
export type ProposalDecisionResult = z.infer<typeof result>;

export const decideProposalsContract = routeContract({
  operationId: 'decideProposals',
  service: 'notes',
  method: 'post',
  path: '/api/notes/proposals/decide',
  tag: 'Proposals',
  summary: 'Decide about many proposals',
  description: `As accepting and rejecting each of them, in order. One that fails leaves the others. Proposals for one note
are best accepted in the order in which they were made.`,
  body: z
    .strictObject({ decisions: z.array(decision).min(1).max(proposalDecisionsMax) })
    .meta({ id: 'DecideProposalsRequest' }),
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'What became of each decision, in the order sent',
      schema: z
        .object({ results: z.array(result) })
        .meta({ id: 'DecideProposalsResult', description: 'What became of each decision' }),
    },
  },
  errors: ['operator_only'],
  access: byNoteWriters(),
});
