/**
 * breaking: no
 *
 * The sums of each company and month, from those of its agents. What is there already stays: a process of this release may
 * have written it.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    insert into agents.company_months (company_id, month, spent_cents, reserved_cents)
    select b.company_id, b.month, least(sum(b.spent_cents), 4503599627370496),
      least(sum(b.reserved_cents), 4503599627370496)
    from agents.budget_months b
    group by b.company_id, b.month
    on conflict (company_id, month) do nothing`);
};
