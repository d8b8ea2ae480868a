import { AppError } from '@commonplace/contracts/core';
import { createKeyContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { createKey } from '../commands/create-key.ts';
import type { Deps } from '../deps.ts';
import { presentKey } from '../present/credentials.ts';

export const createKeyRoute = ({ db, clock, peppers }: Pick<Deps, 'db' | 'clock' | 'peppers'>) =>
  defineRoute(createKeyContract, async (request) => {
    const {
      params: { agentId },
      body,
      caller,
      company,
    } = request;
    const audit = auditContextOf(request, clock);
    const expiresAt = body.expiresAt === null ? null : futureDate(body.expiresAt, audit.at);
    const input = { agentId, name: body.name, expiresAt, createdBy: caller.operatorId, peppers };
    const { row, key } = await withCompany(db, company.id, (tx) => createKey(tx, input, audit));
    return reply(201, { ...presentKey(row), key }, { 'Cache-Control': 'no-store' });
  });

/** What is later cannot be written with four digits of the year. */
const farthest = new Date('9999-12-31T00:00:00.000Z');

/** A key that is born dead is a mistake of the caller. */
const futureDate = (text: string, now: Date): Date => {
  const date = new Date(text);
  if (date <= now || date > farthest) {
    throw new AppError('validation_failed', 'The body is not valid.', {
      errors: [{ path: '/expiresAt', message: 'must be in the future, before the year 10000' }],
    });
  }
  return date;
};
