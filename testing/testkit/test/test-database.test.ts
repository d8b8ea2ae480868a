import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../src/index.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

it("connects as a service's own role, which is neither owner nor superuser", async () => {
  const client = new pg.Client({ connectionString: database.appUrl('notes') });
  await client.connect();
  const { rows } = await client.query(
    'select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user',
  );
  await client.end();
  expect(rows).toEqual([{ name: 'notes_app', rolsuper: false, rolbypassrls: false }]);
});
