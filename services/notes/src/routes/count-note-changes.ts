import { listDays } from '@commonplace/contracts/core';
import {
  countNoteChangesContract,
  countedVersionsMax,
  type NoteChangeCounts,
} from '@commonplace/contracts/notes';
import { inIndexOrder, read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { countChangesByDay, type DayChanges } from '../queries/activity-days.ts';

/** Counts the changed notes of a company by day, from the newest versions on. */
export const countNoteChangesRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(countNoteChangesContract, async ({ query: { from, to }, company, work }) => {
    const rows = await work.heavy(() =>
      read(db, inIndexOrder(company.reach), (tx) =>
        countChangesByDay(tx, { from, to, versionsMax: countedVersionsMax + 1 }),
      ),
    );
    return reply(200, presentCounts({ from, to }, rows));
  });

/** Days with no version have none; beyond the limit, the first counted day is not complete. */
const presentCounts = (
  { from, to }: { readonly from: string; readonly to: string },
  rows: readonly DayChanges[],
): NoteChangeCounts => {
  const counted = rows.reduce((sum, { changes }) => sum + changes, 0);
  const partial = counted <= countedVersionsMax ? undefined : rows[0];
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const items = listDays(from, to).map((day) => {
    const isCounted = partial === undefined || day > partial.day;
    const { notes, changes } = byDay.get(day) ?? { notes: 0, changes: 0 };
    return isCounted ? { day, notes, changes } : { day, notes: null, changes: null };
  });
  return { from, to, items, countedFrom: partial?.firstAt.toISOString() ?? null };
};
