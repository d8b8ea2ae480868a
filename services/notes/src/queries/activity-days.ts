import type { CompanyTx } from '@commonplace/db';
import { ofVisibleNote } from './visible-notes.ts';

/** The changes of one UTC day. */
export type DayChanges = {
  readonly day: string;
  readonly notes: number;
  readonly changes: number;
  readonly firstAt: Date;
};

/**
 * Counts versions and their notes by UTC day, in the order of the days. Looks at the newest `versionsMax` versions of the range,
 * of all folders in the index only.
 */
export const countChangesByDay = (
  tx: CompanyTx,
  {
    from,
    to,
    versionsMax,
  }: { readonly from: string; readonly to: string; readonly versionsMax: number },
): Promise<DayChanges[]> =>
  tx.folders === null
    ? tx.query<DayChanges>(countAllByDaySql, [from, to, versionsMax])
    : tx.query<DayChanges>(countVisibleByDaySql(tx), [tx.companyId, from, to, versionsMax]);

const countAllByDaySql = `
  select d.day, d.notes, d.changes, d.first_at as "firstAt"
  from notes.changes_by_day($1::date, $2::date, $3) d
  order by d.day`;

const countVisibleByDaySql = (tx: CompanyTx): string => `
  select (s.created_at at time zone 'UTC')::date::text as day,
    count(distinct s.note_id)::integer as notes, count(*)::integer as changes,
    min(s.created_at) as "firstAt"
  from (
    select v.created_at, v.note_id
    from notes.note_revisions v
    where v.company_id = $1
      and v.created_at >= $2::date::timestamp at time zone 'UTC'
      and v.created_at < ($3::date + 1)::timestamp at time zone 'UTC'
      ${ofVisibleNote(tx, 'v.note_id')}
    order by v.created_at desc, v.note_id desc, v.revision desc
    limit $4
  ) s
  group by 1
  order by 1`;
