import type { Author, UndoSource } from '@commonplace/contracts/notes';
import type { CompanyTx } from '@commonplace/db';
import { binder, type Bind } from './note-filters.ts';
import { isWriter, sourceConditions } from './source-conditions.ts';

/** The columns with the credential of a proposal `p`. */
const proposalSource = {
  runId: 'p.author_run_id',
  keyId: 'p.author_key_id',
  connectionId: 'p.author_connection_id',
  agentId: 'p.author_id',
  firstAt: 'p.created_at',
  lastAt: 'p.created_at',
} as const;

/** Those of an earlier proposal `s` of the same agent, whose text a proposal `p` continues. */
const earlierSource = {
  runId: 's."runId"',
  keyId: 's."keyId"',
  connectionId: 's."connectionId"',
  agentId: 'p.author_id',
  firstAt: 's."firstAt"',
  lastAt: 's."lastAt"',
} as const;

/** Whether an open proposal `p` has something that the source proposed; null: it proposes nothing, as an undo. */
const isOpenOfSource = (source: UndoSource, bind: Bind): string | null => {
  if (!isWriter(source)) {
    return null;
  }
  const made = sourceConditions(source, proposalSource, bind).join(' and ');
  const madeEarlier = sourceConditions(source, earlierSource, bind).join(' and ');
  return `p.state = 'open' and ((${made}) or exists (
    select from jsonb_to_recordset(p.earlier_sources)
      as s ("runId" uuid, "keyId" uuid, "connectionId" uuid, "firstAt" timestamptz, "lastAt" timestamptz)
    where ${madeEarlier}))`;
};

/** How many open proposals a source has. */
export const countProposalsOfSource = async (
  tx: CompanyTx,
  source: UndoSource,
): Promise<number> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const condition = isOpenOfSource(source, bind);
  const [row] =
    condition === null
      ? []
      : await tx.query<{ count: number }>(
          `select count(*)::integer as count from notes.proposals p
           where p.company_id = $1 and ${condition}`,
          values,
        );
  return row?.count ?? 0;
};

export type Withdrawal = {
  readonly decidedBy: Author;
  readonly reason: string;
  readonly at: Date;
};

/** Rejects the open proposals of a source; returns how many. */
export const rejectProposalsOfSource = async (
  tx: CompanyTx,
  source: UndoSource,
  { decidedBy, reason, at }: Withdrawal,
): Promise<number> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const condition = isOpenOfSource(source, bind);
  if (condition === null) {
    return 0;
  }
  const rows = await tx.query(
    `update notes.proposals p set state = 'rejected', decided_by = ${bind(JSON.stringify(decidedBy))}::json,
       decision_reason = ${bind(reason)}, decided_at = ${bind(at)}::timestamptz
     where p.company_id = $1 and ${condition}
     returning 1 as ended`,
    values,
  );
  return rows.length;
};
