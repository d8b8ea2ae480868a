import type { WrittenNote } from '@commonplace/contracts/notes';
import { z } from 'zod';
import { readEarlier, type EarlierWrite } from '../keyed-call.ts';
import type { McpSession } from '../mcp-session.ts';
import { structured } from '../tool-result.ts';

const receipt = z.object({ id: z.string(), revision: z.int(), updatedAt: z.string() });

/** What a restore returns. */
export const restoredOutput = receipt.extend({ restored: z.boolean() });

/** What a write returns; of a proposal only the id, and what comes next. */
export const writtenOutput = receipt.partial({ revision: true, updatedAt: true }).extend({
  next: z.string().optional(),
});

/** The result of a write: not the text, which the model has. */
export const writtenResult = ({ id, revision, updatedAt }: WrittenNote, more: object = {}) =>
  structured({ id, revision, updatedAt, ...more });

/** Request headers of a write: a short response, and the revision it expects. */
export const writeHeaders = (revision?: number): Readonly<Record<string, string>> => ({
  prefer: 'return=minimal',
  ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
});

type ProposedMembers = {
  readonly created?: boolean;
  /** A sentence on the earlier proposal that this one replaces. */
  readonly standsFor?: string;
};

/** The result of a write that became a proposal. */
export const proposedResult = (
  id: string,
  proposalId: string,
  { standsFor, ...more }: ProposedMembers = {},
) =>
  structured({
    id,
    ...more,
    next: `proposed, not yet applied: proposal ${proposalId}. ${standsFor === undefined ? '' : `${standsFor} `}The note has not changed; somebody else decides, and get_context says what became of it.`,
  });

/** The result of a write as its first attempt had it. */
export const earlierResult = async (
  session: McpSession,
  earlier: EarlierWrite,
  more: ProposedMembers = {},
) =>
  earlier.proposalId === null
    ? writtenResult(await readEarlier(session, earlier), more)
    : proposedResult(earlier.id, earlier.proposalId, more);
