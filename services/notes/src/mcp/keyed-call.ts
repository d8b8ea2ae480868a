import { AppError, noteId, type NoteId, type ProposalId } from '@commonplace/contracts/core';
import { getRevisionContract, type WrittenNote } from '@commonplace/contracts/notes';
import { lookup } from '@commonplace/db';
import { bodyOf } from '@commonplace/http';
import { listMutations } from '../queries/mutations.ts';
import { hashOfJson } from '../rules/mutation-hash.ts';
import { mutationKey } from '../rules/mutation-key.ts';
import { callHashHeader } from '../rules/request-key.ts';
import type { McpSession } from './mcp-session.ts';

/** The operation of a route, as its mutations are named. */
type Operation = 'edit' | 'put' | 'delete' | 'restore';

/** A write that a client may repeat. */
export type KeyedCall = {
  readonly operation: Operation;
  /** Null: a repetition is a call of its own. */
  readonly key: string | null;
  /** What was sent, without the revision that it expects. */
  readonly sent: unknown;
};

/** What identifies a call as the same: its operation, and the arguments as they were given. */
const callHashOf = ({ operation, sent }: KeyedCall): string => hashOfJson(['mcp', operation, sent]);

/** The headers that make a repetition of the call safe. The key of an edit is in its body. */
export const keyHeaders = (call: KeyedCall): Readonly<Record<string, string>> =>
  call.key === null
    ? {}
    : {
        [callHashHeader]: callHashOf(call),
        ...(call.operation === 'edit' ? {} : { 'idempotency-key': call.key }),
      };

/** What an earlier attempt of a call wrote. */
export type EarlierWrite = {
  readonly id: NoteId;
  readonly revision: number | null;
  readonly isUnchanged: boolean;
  /** The proposal that it became; null: it counts. */
  readonly proposalId: ProposalId | null;
};

/**
 * What an earlier attempt of this call wrote; null: there was none. It is looked up before the note that the call names:
 * the first attempt may have moved or deleted it, and another note may have its name now. Throws if the key was
 * used for another call.
 */
export const findEarlier = async (
  { deps, company, caller }: McpSession,
  call: KeyedCall,
): Promise<EarlierWrite | null> => {
  if (call.key === null) {
    return null;
  }
  const key = mutationKey(caller, `${call.operation}:${call.key}`);
  const [stored] = await lookup(deps.db, company.id, (tx) => listMutations(tx, [key]));
  if (!stored) {
    return null;
  }
  if (stored.requestHash !== callHashOf(call)) {
    throw new AppError('mutation_id_reused', 'The key of this call was used for another one.');
  }
  const { revision, status, proposalId } = stored;
  const id = noteId.parse(stored.noteId);
  return { id, revision, isUnchanged: status === 'unchanged', proposalId };
};

/** The version that an earlier attempt wrote, as the first response had it. */
export const readEarlier = async (
  { call }: McpSession,
  { id, revision }: Pick<EarlierWrite, 'id' | 'revision'>,
): Promise<WrittenNote> => {
  if (revision === null) {
    throw new AppError('not_found', 'The note was written, and is gone since.');
  }
  const { createdAt } = bodyOf<typeof getRevisionContract>(
    await call(getRevisionContract, { params: { id, revision: String(revision) } }),
  );
  return { id, revision, updatedAt: createdAt };
};
