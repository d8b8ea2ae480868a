import { AppError } from '@commonplace/contracts/core';
import { lookup } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { listIdsOfOtherCompanies } from '../queries/notes.ts';

type Reach = Parameters<typeof lookup>[1];

type Named = {
  readonly ids: readonly string[];
  /** What the reason says of them. */
  readonly subject: 'A note' | 'The proposal';
};

/** Throws 403 if one of the ids is that of a note or a proposal of another company: the ids of both are claimed alike. */
export const assertOfNoOtherCompany = async (
  { db }: Pick<Deps, 'db'>,
  reach: Reach,
  { ids, subject }: Named,
): Promise<void> => {
  const foreign = await lookup(db, reach, (tx) => listIdsOfOtherCompanies(tx, ids));
  if (foreign.length > 0) {
    throw new AppError('cross_company', `${subject} belongs to another company.`);
  }
};
