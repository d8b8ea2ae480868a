import { describeAgentsContract } from '@commonplace/contracts/internal';
import { newestMigration } from '@commonplace/checks';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';

/** Describes this service, for the page of the instance. */
export const describeAgentsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(describeAgentsContract, async () =>
    reply(200, { migration: await newestMigration(db, 'agents') }),
  );
