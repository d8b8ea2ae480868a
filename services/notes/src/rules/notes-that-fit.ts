/** Chooses in this order the notes whose contents fit in `bytesMax` together. Later, smaller ones may fit. */
export const notesThatFit = <Note extends { readonly size: number }>(
  notes: readonly Note[],
  bytesMax: number,
): { readonly chosen: readonly Note[]; readonly bytes: number } => {
  const chosen: Note[] = [];
  let bytes = 0;
  for (const note of notes) {
    if (bytes + note.size <= bytesMax) {
      chosen.push(note);
      bytes += note.size;
    }
  }
  return { chosen, bytes };
};
