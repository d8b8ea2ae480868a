import type { CompanyTx } from '@commonplace/db';

/** The changes of one UTC day. */
export type DayChanges = {
  readonly day: string;
  readonly notes: number;
  readonly changes: number;
  readonly firstAt: Date;
};

/**
 * Counts versions and their notes by UTC day, in the order of the days. Looks at the newest `versionsMax` versions of the range,
 * in the index only.
 */
export const countChangesByDay = (
  tx: CompanyTx,
  {
    from,
    to,
    versionsMax,
  }: { readonly from: string; readonly to: string; readonly versionsMax: number },
): Promise<DayChanges[]> =>
  tx.query<DayChanges>(countChangesByDaySql, [tx.companyId, from, to, versionsMax]);

const countChangesByDaySql = `
  select (s.created_at at time zone 'UTC')::date::text as day,
    count(distinct s.note_id)::integer as notes, count(*)::integer as changes,
    min(s.created_at) as "firstAt"
  from (
    select v.created_at, v.note_id
    from notes.note_revisions v
    where v.company_id = $1
      and v.created_at >= $2::date::timestamp at time zone 'UTC'
      and v.created_at < ($3::date + 1)::timestamp at time zone 'UTC'
    order by v.created_at desc, v.note_id desc, v.revision desc
    limit $4
  ) s
  group by 1
  order by 1`;
