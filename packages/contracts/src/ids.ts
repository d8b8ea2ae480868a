import { z } from 'zod';

/**
 * UUIDs are accepted in either case and returned in lower case (docs/contract.md section 2).
 * Any version is accepted: clients choose note ids themselves.
 */
const uuid = () =>
  z
    .string()
    .regex(
      /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
      'must be a UUID',
    )
    .transform((text) => text.toLowerCase())
    .meta({ type: 'string', format: 'uuid' });

export const companyId = uuid().brand('CompanyId');
export type CompanyId = z.infer<typeof companyId>;

export const agentId = uuid().brand('AgentId');
export type AgentId = z.infer<typeof agentId>;

export const operatorId = uuid().brand('OperatorId');
export type OperatorId = z.infer<typeof operatorId>;

export const keyId = uuid().brand('KeyId');
export type KeyId = z.infer<typeof keyId>;

export const connectionId = uuid().brand('ConnectionId');
export type ConnectionId = z.infer<typeof connectionId>;

export const runId = uuid().brand('RunId');
export type RunId = z.infer<typeof runId>;

export const inviteId = uuid().brand('InviteId');
export type InviteId = z.infer<typeof inviteId>;

export const sessionId = uuid().brand('SessionId');
export type SessionId = z.infer<typeof sessionId>;

export const noteId = uuid().brand('NoteId');
export type NoteId = z.infer<typeof noteId>;

export const jobId = uuid().brand('JobId');
export type JobId = z.infer<typeof jobId>;

export const undoId = uuid().brand('UndoId');
export type UndoId = z.infer<typeof undoId>;

export const proposalId = uuid().brand('ProposalId');
export type ProposalId = z.infer<typeof proposalId>;

/** The board operator of local trusted mode: no account, no password, always the same id. */
export const localOperatorId = operatorId.parse('00000000-0000-7000-8000-000000000001');
