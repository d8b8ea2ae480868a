import { createYieldInTime } from '@commonplace/concurrency';
import type { CompanyId, UndoId } from '@commonplace/contracts/core';
import { inIndexOrder, read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { storedBudget } from '../limits/stored-budget.ts';
import { listVersions } from '../queries/versions.ts';
import { decideNote } from './decide-note.ts';
import { presentDecision } from './decision-row.ts';
import { planByTexts } from './plan-note.ts';
import type { PlannedNote, PreparedNote } from './planned-note.ts';

const yieldAfterMs = 8;

/** Takes the versions of the source out of notes that are planned together. */
export const prepareNotes = async (
  deps: Pick<Deps, 'db' | 'takeOutLines'>,
  { companyId, undo, planned }: Preparing,
): Promise<PreparedNote[]> => {
  const names = planned.flatMap((each) => each.names);
  const rows =
    names.length === 0
      ? []
      : await read(deps.db, inIndexOrder(companyId), (tx) =>
          listVersions(tx, names, Number.MAX_SAFE_INTEGER),
        );
  const rowsOf = Map.groupBy(rows, ({ noteId }) => noteId);
  const prepared: PreparedNote[] = [];
  // A note whose lines are taken out here and not in the thread may take tens of milliseconds.
  const yieldInTime = createYieldInTime(yieldAfterMs);
  for (const each of planned) {
    await yieldInTime();
    const texts = new Map(
      (rowsOf.get(each.history.noteId) ?? []).flatMap((row) =>
        row.content === null ? [] : [[row.revision, { ...row, content: row.content }] as const],
      ),
    );
    const exact = planByTexts(each, texts);
    const decision = await decideNote(deps, exact, texts);
    prepared.push(presentDecision(exact, decision, { isDryRun: undo.isDryRun, read: texts }));
  }
  return prepared;
};

export type Preparing = {
  readonly companyId: CompanyId;
  readonly undo: { readonly id: UndoId; readonly isDryRun: boolean };
  readonly planned: readonly PlannedNote[];
};

/** The ids of notes by what they read together, at most a part of what the process may hold. */
export const partsOf = (planned: readonly PlannedNote[]): PlannedNote[][] => {
  const parts: PlannedNote[][] = [];
  let bytes = Infinity;
  for (const each of planned) {
    if (bytes + each.bytes > storedBudget.partBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(each);
    bytes += each.bytes;
  }
  return parts;
};

/** The bytes that notes read together. */
export const bytesRead = (planned: readonly PlannedNote[]): number =>
  planned.reduce((sum, { bytes }) => sum + bytes, 0);
