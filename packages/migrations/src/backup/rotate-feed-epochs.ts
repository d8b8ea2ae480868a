import type { Client } from 'pg';
import { hasTable } from './has-table.ts';
import { raiseRevisions } from './raise-revisions.ts';

/**
 * Makes the database one that no client has seen before. The server has lost what happened after the backup, but
 * its clients have not: their cursors expire (new epoch) and their ETags and bases match no text (raised
 * revisions), so they pull everything again and push what the server has lost. All sessions end, because one that
 * was ended after the backup would be valid again; so would be codes and tokens of the OAuth server.
 *
 * A restore by other means (pg_restore, a snapshot of the disk) needs this as well. Runs in a transaction of the
 * caller, after `rememberRevisions`.
 */
export const rotateFeedEpochs = async (client: Pick<Client, 'query'>): Promise<void> => {
  await raiseRevisions(client);
  for (const statement of makeTable) {
    await client.query(statement);
  }
  await client.query('set local role notes_owner');
  await client.query(insertStates);
  await client.query(updateFeeds);
  await client.query('set local role auth_owner');
  await client.query('delete from auth.sessions');
  // A backup of an earlier release has none.
  if (await hasTable(client, 'auth.oauth_records')) {
    await client.query("delete from auth.oauth_records where kind not in ('Client', 'Grant')");
  }
  await client.query('reset role');
};

/** The owner of the notes fills it, who may not be allowed to make temporary tables. */
const makeTable = [
  `create temporary table new_feed_states (company_id uuid, epoch uuid, digest text) on commit drop`,
  'grant insert, select on new_feed_states to notes_owner',
];

/**
 * New epochs, and the digests of the raised revisions: the sum modulo 2^64 of the first 64 bits of
 * SHA-256 over `id:revision` of every active note. They are computed apart from the update, because Citus
 * refuses random values in an UPDATE of several companies.
 */
const insertStates = `
  insert into pg_temp.new_feed_states (company_id, epoch, digest)
  select f.company_id, gen_random_uuid(), coalesce(d.digest, repeat('0', 16))
  from notes.company_feed f
  left join (
    select s.company_id, lpad(to_hex(
      (case when s.sum >= 9223372036854775808 then s.sum - 18446744073709551616 else s.sum end)::bigint
    ), 16, '0') as digest
    from (
      select h.company_id, mod(
        sum(case when h.bits < 0 then h.bits::numeric + 18446744073709551616 else h.bits end),
        18446744073709551616
      ) as sum
      from (
        select n.company_id,
          ('x' || encode(substr(sha256(convert_to(n.id || ':' || n.revision, 'UTF8')), 1, 8), 'hex')
            )::bit(64)::bigint as bits
        from notes.notes n
        where n.deleted_at is null
      ) h
      group by h.company_id
    ) s
  ) d on d.company_id = f.company_id`;

const updateFeeds = `
  update notes.company_feed f set epoch = s.epoch, digest = s.digest
  from pg_temp.new_feed_states s
  where s.company_id = f.company_id`;
