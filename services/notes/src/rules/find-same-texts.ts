import type { PlannedVersion } from './plan-undo.ts';

/**
 * The versions of others that left the source's text as it was: they moved the note, archived it, gave it other tags, or
 * restored it after a deletion. Those between two versions of the source are such together or not at all, because the last one
 * of them is always read. `contentOf` one that was not read is undefined.
 */
export const findSameTexts = (
  versions: readonly PlannedVersion[],
  contentOf: (revision: number) => string | undefined,
): ReadonlySet<number> => {
  const runs: Run[] = [];
  for (const version of versions.filter(({ deleted }) => !deleted)) {
    if (version.isSource) {
      runs.push({ source: version, others: [] });
    } else {
      runs.at(-1)?.others.push(version);
    }
  }
  const isSame = ({ source, others }: Run): boolean => {
    const text = contentOf(source.revision);
    return others.every(
      ({ size, revision }) => size === source.size && (contentOf(revision) ?? text) === text,
    );
  };
  return new Set(
    runs.filter(isSame).flatMap(({ others }) => others.map(({ revision }) => revision)),
  );
};

/** A version of the source, and those of others up to the next one. */
type Run = { readonly source: PlannedVersion; readonly others: PlannedVersion[] };
