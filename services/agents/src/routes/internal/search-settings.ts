import { recordSearchSettingsContract } from '@commonplace/contracts/internal';
import { write } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { recordActivity } from '../../commands/audit.ts';
import { trustChange } from '../../commands/begin-change.ts';
import type { Deps } from '../../deps.ts';

/** Records that an owner switches embeddings, for the notes service. */
export const recordSearchSettingsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(recordSearchSettingsContract, async ({ body }) => {
    const { companyId, operatorId, operatorName, embeddings, service } = body;
    await write(db, companyId, (scope) =>
      recordActivity(
        trustChange(scope, 'the notes service has authorized the owner'),
        { actor: { kind: 'operator', id: operatorId, name: operatorName }, at: clock() },
        [
          {
            action: embeddings ? 'company.embeddings_enabled' : 'company.embeddings_disabled',
            entity: ['company', companyId],
            detail: service === null ? {} : { service },
          },
        ],
      ),
    );
    return reply(200, {});
  });
