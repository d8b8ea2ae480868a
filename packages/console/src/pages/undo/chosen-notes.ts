/** Which notes of an undo are chosen: all but these, or only these. Most of them may not be loaded. */
export type ChosenNotes = { readonly isAllBut: boolean; readonly ids: ReadonlySet<string> };

export const allNotes: ChosenNotes = { isAllBut: true, ids: new Set() };

export const noNotes: ChosenNotes = { isAllBut: false, ids: new Set() };

export const isChosen = ({ isAllBut, ids }: ChosenNotes, id: string): boolean =>
  ids.has(id) !== isAllBut;

/** The choice after a note is chosen or left out. */
export const choose = (chosen: ChosenNotes, id: string, isToBeChosen: boolean): ChosenNotes => {
  const ids = new Set(chosen.ids);
  if (isToBeChosen === chosen.isAllBut) {
    ids.delete(id);
  } else {
    ids.add(id);
  }
  return { ...chosen, ids };
};

/** How many of `total` notes are chosen. */
export const countChosen = ({ isAllBut, ids }: ChosenNotes, total: number): number =>
  isAllBut ? total - ids.size : ids.size;
