import { createYieldInTime } from '@commonplace/concurrency';
import type { CompanyId, UndoId } from '@commonplace/contracts/core';
import type { NoteFields } from '@commonplace/contracts/notes';
import { inIndexOrder, read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { storedBudget } from '../limits/stored-budget.ts';
import { listVersions } from '../queries/versions.ts';
import {
  decideUndo,
  kept,
  removalOf,
  type TextsPlan,
  type UndoDecision,
} from '../rules/undo-note.ts';
import { planUndo } from '../rules/plan-undo.ts';
import { versionsMax, type NoteHistory } from './read-histories.ts';
import { presentDecision } from './decision-row.ts';
import type { PlannedNote, PreparedNote } from './planned-note.ts';

const yieldAfterMs = 8;

/** Versions of others that are read as well, so that what they wrote again counts as theirs. */
const betweenMax = { count: 50, bytes: 2 * 1024 * 1024 } as const;

/** Plans the undo of a note by its history, without any text. Null: it is being written, and has to be read again. */
export const planNote = (history: NoteHistory): PlannedNote | null => {
  const { note, noteId, versions } = history;
  const none = { history, names: [], bytes: 0 };
  if (note && versions.length >= versionsMax) {
    return { ...none, plan: kept(`The note has ${versionsMax} versions or more since.`) };
  }
  if (note && versions.length > 0 && versions.at(-1)?.revision !== note.revision) {
    return null;
  }
  const plan = note
    ? planUndo({ versions, isCreatedByFirst: isCreatedByFirst(history) })
    : ({ kind: 'known', outcome: 'unchanged' } as const);
  if (plan.kind === 'known') {
    return { ...none, plan };
  }
  const needed = bytesOf(plan.needed);
  if (needed > storedBudget.transactionBytes) {
    return { ...none, plan: kept('Its versions are too large to be compared.') };
  }
  const isExact =
    plan.between.length <= betweenMax.count && bytesOf(plan.between) <= betweenMax.bytes;
  const shown = isExact ? [...plan.needed, ...plan.between] : plan.needed;
  const names = shown.map(({ revision }) => ({ id: noteId, revision }));
  return { history, plan, names, bytes: bytesOf(shown) };
};

const bytesOf = (versions: readonly { readonly size: number }[]): number =>
  versions.reduce((sum, { size }) => sum + size, 0);

/** Whether the first stored version created the note, and none before it was purged. */
const isCreatedByFirst = ({ note, versions: [first] }: NoteHistory): boolean =>
  note !== null && first !== undefined && note.createdAt.getTime() === first.at.getTime();

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
    const decision = await decide(deps, each, texts);
    prepared.push(presentDecision(each, decision, { isDryRun: undo.isDryRun, read: texts }));
  }
  return prepared;
};

export type Preparing = {
  readonly companyId: CompanyId;
  readonly undo: { readonly id: UndoId; readonly isDryRun: boolean };
  readonly planned: readonly PlannedNote[];
};

const decide = async (
  { takeOutLines }: Pick<Deps, 'takeOutLines'>,
  { plan, names }: PlannedNote,
  read: ReadonlyMap<number, NoteFields>,
): Promise<UndoDecision> => {
  if (!('kind' in plan)) {
    return plan;
  }
  if (plan.kind === 'known') {
    const next = plan.outcome === 'removed' ? { next: null } : {};
    return { outcome: plan.outcome, ...next, lines: [], fields: [], detail: null };
  }
  if (names.length !== read.size) {
    return { outcome: 'base_purged', lines: [], fields: [], detail: null };
  }
  return decideTexts(takeOutLines, plan, read);
};

const decideTexts = async (
  takeOutLines: Deps['takeOutLines'],
  plan: TextsPlan,
  read: ReadonlyMap<number, NoteFields>,
): Promise<UndoDecision> => {
  const taken = await takeOutLines(removalOf(plan, read));
  return taken
    ? decideUndo(plan, read, taken)
    : kept('Its versions differ too much to be compared.');
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
