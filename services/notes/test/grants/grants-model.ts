import { canReadIn, type HeldGrants } from '@commonplace/contracts';

/** A version as it was written. */
export type ModelVersion = {
  readonly title: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly content: string;
  readonly pinned: boolean;
  readonly deleted: boolean;
};

/** A note with every version it had, the first at revision 1. */
export type ModelNote = { readonly id: string; readonly versions: ModelVersion[] };

/** What is stored, as far as a reader can see. */
export type GrantsModel = ReadonlyMap<string, ModelNote>;

/** The newest version of a note. */
export const now = ({ versions }: ModelNote): ModelVersion => {
  const last = versions.at(-1);
  if (!last) {
    throw new Error('A note has a version');
  }
  return last;
};

/** The notes that a reader sees, deleted ones included. */
export const visibleNotes = (model: GrantsModel, grants: HeldGrants): ModelNote[] =>
  [...model.values()].filter((note) => canReadIn(grants, now(note).folder));

/** The notes that a reader sees and that are not deleted. */
export const activeNotes = (model: GrantsModel, grants: HeldGrants): ModelNote[] =>
  visibleNotes(model, grants).filter((note) => !now(note).deleted);

/** The revisions of a visible note that a reader sees. */
export const visibleRevisions = ({ versions }: ModelNote, grants: HeldGrants): number[] =>
  versions.flatMap(({ folder }, index) => (canReadIn(grants, folder) ? [index + 1] : []));

/** How many active notes have each of the names. */
export const countNames = (names: readonly string[]): [string, number][] =>
  [...new Set(names)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => [name, names.filter((each) => each === name).length]);

/** A word that only one version of one note has, until the next ones repeat it. */
export const markerOf = (id: string, revision: number): string =>
  `zq${id.replaceAll('-', '')}r${revision}qz`;

const markers = /zq([0-9a-f]{32})r(\d+)qz/g;

/** The markers in a response that the reader cannot have seen: nothing is shown of what is outside its folders. */
export const leaksIn = (text: string, model: GrantsModel, grants: HeldGrants): string[] => {
  const visible = visibleNotes(model, grants);
  const allowed = new Set(
    visible.flatMap((note) =>
      visibleRevisions(note, grants).flatMap((revision) => {
        const version = note.versions[revision - 1];
        return [
          ...(version ? `${version.content} ${version.tags.join(' ')}` : '').matchAll(markers),
        ].map(([marker]) => marker);
      }),
    ),
  );
  return [...text.matchAll(markers)].map(([marker]) => marker).filter((each) => !allowed.has(each));
};

/** Numbers that look random and are the same in every run. */
export const seeded = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};
