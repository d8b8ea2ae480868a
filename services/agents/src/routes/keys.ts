import {
  createKeyContract,
  listCompanyKeysContract,
  listKeysContract,
  revokeKeyContract,
  rotateKeyContract,
} from '@commonplace/contracts/agents';
import { read, write } from '@commonplace/db';
import { defineRoute, reply, pageCursor } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { createKey } from '../commands/create-key.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';
import type { Deps } from '../deps.ts';
import { futureDate } from '../policy/expiry.ts';
import { grantFolders, grantScopes, showGrants } from '../policy/rights.ts';
import { presentKey } from '../present/agents.ts';
import { z } from 'zod';
import { assertAgentExists } from '../commands/read-or-not-found.ts';
import { requireRecentSignIn } from '../commands/require-recent-sign-in.ts';
import { hasFullKey, listCompanyKeys, listKeys } from '../queries/keys.ts';
import { revokeKey } from '../commands/revoke-key.ts';
import { rotateKey } from '../commands/rotate-key.ts';

/** Creates a key with at most the rights of its creator, and returns its secret this one time. */
export const createKeyRoute = (deps: Pick<Deps, 'db' | 'clock' | 'peppers' | 'checkOperator'>) =>
  defineRoute(createKeyContract, async (request) => {
    const { db, clock, peppers } = deps;
    const {
      params: { agentId },
      body,
      caller,
      company,
    } = request;
    const audit = auditContextOf(request, clock);
    const expiresAt = body.expiresAt === null ? null : futureDate(body.expiresAt, audit.at);
    const scopes = grantScopes(caller, body.scopes);
    const grants = grantFolders(caller, body.grants);
    // The first key that may do everything is how a stolen session would stay in the company.
    if (
      scopes === null &&
      grants === null &&
      !(await read(db, company.id, (tx) => hasFullKey(tx, audit.at)))
    ) {
      await requireRecentSignIn(deps, caller);
    }
    const createdBy = caller.operatorId;
    const input = { agentId, name: body.name, expiresAt, scopes, grants, createdBy, peppers };
    const { row, key } = await write(db, company.id, (tx) => createKey(tx, input, audit));
    return reply(201, { ...presentKey(row), key }, { 'Cache-Control': 'no-store' });
  });

const keysCursor = pageCursor('keys', z.tuple([z.iso.datetime(), z.uuid()]));

/** Lists the keys of an agent, newest first, with those that have ended. */
export const listKeysRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listKeysContract, async ({ params: { agentId }, query, company }) => {
    const page = { after: keysCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listKeys(tx, agentId, page));
    if (rows.length === 0) {
      await assertAgentExists(db, company.id, agentId);
    }
    const { items, nextCursor } = keysCursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return reply(200, { items: items.map(showGrants(company)).map(presentKey), nextCursor });
  });

const companyKeysCursor = pageCursor('keys of a company', z.tuple([z.iso.datetime(), z.uuid()]));

/** Lists the keys of all agents, newest first, by state, so that old ones are found. */
export const listCompanyKeysRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listCompanyKeysContract, async ({ query, company }) => {
    const filter = { ...query, now: clock() };
    const page = { filter, after: companyKeysCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listCompanyKeys(tx, page));
    const { items, nextCursor } = companyKeysCursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return reply(200, { items: items.map(showGrants(company)).map(presentKey), nextCursor });
  });

/** Revokes a key, and cancels the runs that it started. */
export const revokeKeyRoute = (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
  defineRoute(revokeKeyContract, async (request) => {
    const { params, company } = request;
    await write(deps.db, company.id, (tx) =>
      revokeKey(tx, params, auditContextOf(request, deps.clock)),
    );
    await cancelFirstRuns(deps, company.id, 'source');
    return reply(204);
  });

/** Replaces a key by one with the same rights; both are valid for the overlap that the request names. */
export const rotateKeyRoute = ({ db, clock, peppers }: Pick<Deps, 'db' | 'clock' | 'peppers'>) =>
  defineRoute(rotateKeyContract, async (request) => {
    const { params, body, caller, company } = request;
    const { overlapSeconds } = body;
    const rotation = { ...params, overlapSeconds, createdBy: caller.operatorId, peppers };
    const { row, key } = await write(db, company.id, (tx) =>
      rotateKey(tx, rotation, auditContextOf(request, clock)),
    );
    return reply(201, { ...presentKey(row), key }, { 'Cache-Control': 'no-store' });
  });
