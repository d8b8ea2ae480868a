import type { OperatorId } from '@commonplace/contracts/core';
import type { SignInMethod, SignInOutcome, SignInReason } from '@commonplace/contracts/auth';
import type { GlobalTx, SqlValue } from '@commonplace/db';

export type SignInRow = {
  readonly id: string;
  readonly at: Date;
  readonly operatorId: OperatorId | null;
  readonly email: string;
  readonly method: SignInMethod;
  readonly outcome: SignInOutcome;
  readonly reason: SignInReason | null;
  readonly address: string | null;
  readonly userAgent: string | null;
};

/** Adds to the sign-in history, which is append-only. */
export const insertSignIn = async (tx: GlobalTx, row: SignInRow): Promise<void> => {
  await tx.query(
    `insert into auth.sign_ins (id, at, operator_id, email, method, outcome, reason,
                                address, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      row.at,
      row.operatorId,
      row.email,
      row.method,
      row.outcome,
      row.reason,
      row.address,
      row.userAgent,
    ],
  );
};

/** Which entries to list; absent: all. */
type SignInFilter = {
  readonly outcome?: SignInOutcome | undefined;
  readonly method?: SignInMethod | undefined;
  readonly operatorId?: OperatorId | undefined;
  readonly email?: string | undefined;
  /** Only those at that time or later, or before. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
};

export type SignInPage = {
  readonly filter: SignInFilter;
  /** Null means those of all operators, and of unknown emails. */
  readonly ownerId: OperatorId | null;
  readonly beforeId: string | null;
  readonly limit: number;
};

/**
 * Lists the sign-in history, newest first (ids sort by age), before a given entry. Only the given filters are in
 * the statement, so that each combination can use an index.
 */
export const listSignIns = (tx: GlobalTx, page: SignInPage): Promise<SignInRow[]> => {
  const { filter } = page;
  const values: SqlValue[] = [];
  const where = (condition: string, value: SqlValue | undefined): string[] =>
    value === undefined || value === null ? [] : [condition.replace('$', `$${values.push(value)}`)];
  const conditions = [
    'true',
    ...where('operator_id = $::uuid', page.ownerId),
    ...where('operator_id = $::uuid', filter.operatorId),
    ...where('outcome = $', filter.outcome),
    ...where('method = $', filter.method),
    ...where('email = $', filter.email),
    ...where('at >= $::timestamptz', filter.since),
    ...where('at < $::timestamptz', filter.until),
    ...where('id < $::uuid', page.beforeId),
  ];
  return tx.query<SignInRow>(
    `select id, at, operator_id as "operatorId", email, method, outcome, reason, address,
            user_agent as "userAgent"
       from auth.sign_ins
      where ${conditions.join(' and ')}
      order by id desc
      limit $${values.push(page.limit)}`,
    values,
  );
};

/** Deletes history before a time; the database function keeps the last 90 days in any case. */
export const deleteOldSignIns = async (tx: GlobalTx, before: Date): Promise<void> => {
  await tx.query('select auth.forget_sign_ins($1)', [before]);
};
