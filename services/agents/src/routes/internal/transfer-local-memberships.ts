import { localOperatorId } from '@commonplace/contracts/core';
import { transferLocalMembershipsContract } from '@commonplace/contracts/internal';
import { runGlobal, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { transferCompany } from '../../commands/transfer-company.ts';
import type { Deps } from '../../deps.ts';
import { listCompaniesOfOperator } from '../../queries/companies.ts';

const companiesMax = 200;

/** Company by company, each in a transaction of its own: what is handed over is not found again. */
export const transferLocalMembershipsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(transferLocalMembershipsContract, async ({ body: { operator } }) => {
    const newOwner = { operatorId: operator.id, email: operator.email, name: operator.name };
    const page = { after: null, limit: companiesMax };
    const nextCompanies = () =>
      runGlobal(db, (tx) => listCompaniesOfOperator(tx, localOperatorId, page));
    let adopted = 0;
    for (let rows = await nextCompanies(); rows.length > 0; rows = await nextCompanies()) {
      for (const { id } of rows) {
        adopted += Number(
          await withCompany(db, id, (tx) => transferCompany(tx, newOwner, clock())),
        );
      }
    }
    return reply(200, { adopted });
  });
