import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { assertRolesAreOurs } from './assert-roles-are-ours.ts';
import { hasCitus } from './has-citus.ts';
import { createTenantsOwner } from './own-tenant-tables.ts';
import { scramVerifier } from './scram-verifier.ts';
import { serviceNames } from './service-names.ts';
import type { RolePasswords } from './service-names.ts';

const sqlFile = join(import.meta.dirname, '../../../infra/postgres/00-roles-and-schemas.sql');

/**
 * Errors of PostgreSQL when two databases of one cluster change the same role at once (roles are shared, the
 * migration lock is not): internal_error "tuple concurrently updated", unique_violation, duplicate_object.
 */
const collisionCodes = new Set(['XX000', '23505', '42710']);
const attemptsMax = 10;
const insufficientPrivilege = '42501';
const roleNeeds =
  'it needs CREATEROLE, CREATE on the database, and the right to change the roles of the services. Have an administrator run "alter role … createrole" and "grant create on database …", or migrate once with a superuser.';

/**
 * Applies `infra/postgres/00-roles-and-schemas.sql` in one transaction, or its parts one after another on Citus.
 * Throws before it changes anything if that would lock out another deployment on the same server.
 */
export const applyRoles = async (client: Client, passwords: RolePasswords): Promise<void> => {
  await assertRolesAreOurs(client, passwords);
  const parts = await readParts();
  if (!(await hasCitus(client))) {
    await applyParts(client, { passwords, parts });
    return;
  }
  for (const [index, part] of parts.entries()) {
    const roles = index === 0 ? [letOwnersLogIn, giveUpLostNodes, createTenantsOwner] : [];
    await applyParts(client, { passwords, parts: [part, ...roles] });
  }
};

type Application = { readonly passwords: RolePasswords; readonly parts: readonly string[] };

const applyParts = async (client: Client, application: Application): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('begin');
      await applyInTransaction(client, application);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const { code } = error as { code?: string };
      if (code === insufficientPrivilege) {
        throw new Error(`The role of DATABASE_URL may not do this: ${roleNeeds}`, { cause: error });
      }
      if (attempt === attemptsMax || code === undefined || !collisionCodes.has(code)) {
        throw error;
      }
      await sleep(20 * attempt * Math.random());
    }
  }
};

/** As `applyRoles`, in a transaction of the caller. */
export const applyRolesInTransaction = async (
  client: Pick<Client, 'query'>,
  passwords: RolePasswords,
): Promise<void> => applyInTransaction(client, { passwords, parts: await readParts() });

const applyInTransaction = async (
  client: Pick<Client, 'query'>,
  { passwords, parts }: Application,
): Promise<void> => {
  for (const service of serviceNames) {
    await client.query(setPassword, [
      `commonplace.${service}_password`,
      scramVerifier(passwords[service]),
    ]);
  }
  for (const part of parts) {
    await client.query(part);
  }
};

const readParts = async (): Promise<string[]> =>
  (await readFile(sqlFile, 'utf8')).split('\n-- next part\n');

/**
 * Nodes of Citus connect to each other as the role that a statement runs as. The owners have no password, so only
 * the nodes that pg_hba.conf trusts can log in as them.
 */
const letOwnersLogIn = serviceNames
  .map((service) => `alter role ${service}_owner login`)
  .join('; ');

/**
 * A node that is gone costs a statement of a service 2 s, as PostgreSQL itself does, and not the 30 s that Citus waits by
 * default: the statement holds a connection of the service meanwhile.
 */
const giveUpLostNodes = serviceNames
  .map((service) => `alter role ${service}_app set citus.node_connection_timeout = '2s'`)
  .join('; ');

/** Passes the verifier of a password to the SQL file, for this transaction only. */
const setPassword = 'select set_config($1, $2, true)';
