import type { Client } from 'pg';
import { raiseRevisions } from './raise-revisions.ts';

/**
 * Makes the database one that no client has seen before. The server has lost what happened after the backup, but
 * its clients have not: their cursors expire (new epoch) and their ETags and bases match no text (raised
 * revisions), so they pull everything again and push what the server has lost. All sessions end, because one that
 * was ended after the backup would be valid again.
 *
 * A restore by other means (pg_restore, a snapshot of the disk) needs this as well. Runs in a transaction of the
 * caller, after `rememberRevisions`.
 */
export const rotateFeedEpochs = async (client: Pick<Client, 'query'>): Promise<void> => {
  await raiseRevisions(client);
  await client.query('set local role notes_owner');
  await client.query(updateEpochs);
  await client.query('set local role auth_owner');
  await client.query('delete from auth.sessions');
  await client.query('reset role');
};

/**
 * New epochs, and the digests of the raised revisions: the sum modulo 2^64 of the first 64 bits of
 * SHA-256 over `id:revision` of every active note.
 */
const updateEpochs = `
  with sums as (
    select n.company_id, mod(
      sum(case when h.bits < 0 then h.bits::numeric + 18446744073709551616 else h.bits end),
      18446744073709551616
    ) as digest
    from notes.notes n
    cross join lateral (
      select ('x' || encode(substr(sha256(convert_to(n.id || ':' || n.revision, 'UTF8')), 1, 8), 'hex')
        )::bit(64)::bigint as bits
    ) h
    where n.deleted_at is null
    group by n.company_id
  )
  update notes.company_feed f
  set epoch = gen_random_uuid(),
    digest = coalesce((
      select lpad(to_hex(
        (case when s.digest >= 9223372036854775808 then s.digest - 18446744073709551616 else s.digest end
        )::bigint), 16, '0')
      from sums s
      where s.company_id = f.company_id
    ), repeat('0', 16))`;
