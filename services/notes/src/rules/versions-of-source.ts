/** An undo: the version of a note that it wrote, those that it took out, and whether nothing of them was left. */
type Undo = {
  readonly revision: number;
  readonly undoes: readonly number[];
  readonly isWhole: boolean;
};

/**
 * The versions of a note that are a source's: those that it wrote, and those in which an undo of an undo brought back them
 * and nothing of others; without those that an undo took out, unless that was undone itself. `undos` are in the order of
 * their versions.
 */
export const versionsOfSource = (
  written: readonly number[],
  undos: readonly Undo[],
): ReadonlySet<number> => {
  const ofSource = new Set(written);
  const undoesOf = new Map(undos.map(({ revision, undoes }) => [revision, undoes]));
  const isBack = (undone: number): boolean =>
    undoesOf.get(undone)?.every((revision) => ofSource.has(revision)) ?? false;
  for (const { revision, undoes } of undos) {
    if (undoes.every(isBack)) {
      ofSource.add(revision);
    }
  }
  takenOut(undos).forEach((revision) => ofSource.delete(revision));
  return ofSource;
};

/** The versions that undos took out as a whole, and that no later undo brought back. */
const takenOut = (undos: readonly Undo[]): ReadonlySet<number> => {
  const out = new Set<number>();
  // Those that were undone themselves come after the undo that did it.
  for (const { revision, undoes, isWhole } of undos.toReversed()) {
    if (isWhole && !out.has(revision)) {
      undoes.forEach((each) => out.add(each));
    }
  }
  return out;
};
