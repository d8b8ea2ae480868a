import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { assertRolesAreOurs } from './assert-roles-are-ours.ts';
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
 * Applies `infra/postgres/00-roles-and-schemas.sql` in one transaction. Throws before it changes anything if that
 * would lock out another deployment on the same server.
 */
export const applyRoles = async (client: Client, passwords: RolePasswords): Promise<void> => {
  await assertRolesAreOurs(client, passwords);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('begin');
      await applyRolesInTransaction(client, passwords);
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
): Promise<void> => {
  const sql = await readFile(sqlFile, 'utf8');
  for (const service of serviceNames) {
    await client.query(setPassword, [
      `commonplace.${service}_password`,
      scramVerifier(passwords[service]),
    ]);
  }
  await client.query(sql);
};

/** Passes the verifier of a password to the SQL file, for this transaction only. */
const setPassword = 'select set_config($1, $2, true)';
