import type { QueryClient } from '@tanstack/react-query';
import { readUndoneIds, undoNotesMax, undoQuery } from '../../api/undo-queries.ts';
import { isChosen, type ChosenNotes } from './chosen-notes.ts';
import { changesNote, countedOutcomes } from './outcomes.ts';

type DryRun = { readonly companyId: string; readonly dryRunId: string };

/** The ids of the chosen notes of a dry run; of more than one undo can list only those that would change. */
export const listChosen = async (
  client: QueryClient,
  chosen: ChosenNotes,
  { companyId, dryRunId }: DryRun,
): Promise<string[]> => {
  if (!chosen.isAllBut) {
    return [...chosen.ids];
  }
  const { outcomes } = await client.ensureQueryData(undoQuery(companyId, dryRunId));
  const counted = countedOutcomes(outcomes);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  const changing = counted.map(({ outcome }) => outcome).filter(changesNote);
  const ids: string[] = [];
  for (const outcome of total > undoNotesMax ? changing : [null]) {
    ids.push(...(await readUndoneIds(companyId, dryRunId, outcome)));
  }
  return ids.filter((id) => isChosen(chosen, id));
};
