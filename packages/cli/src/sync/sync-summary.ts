import { stateFolder } from './folder-paths.ts';

/** What a synchronisation of a folder did. */
export type SyncSummary = {
  /** What the server has taken. */
  sent: { created: number; changed: number; deleted: number };
  /** How many changes became proposals in this run. */
  newlyProposed: number;
  merged: number;
  conflicts: string[];
  received: { created: number; changed: number; deleted: number };
  moved: number;
  /** Files of notes that the credential no longer reaches; they are in `.commonplace/removed` now. */
  withdrawn: string[];
  /** Files whose changes are proposals that nobody has accepted yet. */
  proposed: string[];
  /** Deleted files whose proposals were not accepted: the proposed texts are gone with them. */
  discarded: string[];
  problems: { path: string; problem: string }[];
  /** Files that are missing although their notes exist. */
  missing: string[];
  /** How many missing files are too many to delete their notes without `--delete-many`; a problem says so. */
  heldBack: number;
  /** Files that changed during the synchronisation, or may be moving: they need another one. */
  busy: number;
  /** The server was restored from a backup, and got what it had lost. */
  isServerRestored: boolean;
};

/** What the client says of an edit that became a proposal. */
export const proposedCode = 'proposed';

/** Returns a summary with nothing in it. */
export const emptySummary = (): SyncSummary => ({
  sent: { created: 0, changed: 0, deleted: 0 },
  newlyProposed: 0,
  merged: 0,
  conflicts: [],
  received: { created: 0, changed: 0, deleted: 0 },
  moved: 0,
  withdrawn: [],
  proposed: [],
  discarded: [],
  problems: [],
  missing: [],
  heldBack: 0,
  busy: 0,
  isServerRestored: false,
});

/** Formats a summary as lines for the terminal; a single line when there was nothing to do. */
export const describeSummary = (summary: SyncSummary): string[] => {
  const { sent, newlyProposed, received, merged, moved } = summary;
  const parts = [
    formatCounts('sent', sent),
    ...(newlyProposed > 0 ? [`${newlyProposed} proposed`] : []),
    formatCounts('received', received),
    ...(moved > 0 ? [`${moved} moved`] : []),
    ...(merged > 0 ? [`${merged} merged`] : []),
  ].filter(Boolean);
  return [
    parts.length > 0 ? parts.join('; ') : 'nothing to do',
    ...(summary.isServerRestored ? [serverRestored] : []),
    ...summary.withdrawn.map(
      (path) => `no longer granted: ${path} is in ${stateFolder}/removed now`,
    ),
    ...summary.conflicts.map(
      (path) => `conflict: ${path} changed on both sides; your text is in a file beside it`,
    ),
    ...summary.proposed.map((path) => `proposed: ${path} is not applied yet`),
    ...summary.discarded.map((path) => `discarded: ${path}, which was proposed and not accepted`),
    ...summary.problems.map(({ path, problem }) => `skipped: ${path}: ${problem}`),
    ...summary.missing.map(
      (path) => `restored: ${path} was missing; use --delete to delete its note`,
    ),
  ];
};

const serverRestored =
  'the server was restored from a backup: no file was removed or replaced by an earlier version, and what the ' +
  'server had lost was sent again. Where it may have a newer version, both are kept as in a conflict';

/** Whether a synchronisation did anything worth a log line, problems aside. */
export const hasNews = (summary: SyncSummary): boolean =>
  describeSummary({ ...summary, problems: [] })[0] !== 'nothing to do' ||
  summary.isServerRestored ||
  [summary.conflicts, summary.missing, summary.withdrawn, summary.discarded].some(
    (paths) => paths.length > 0,
  );

const formatCounts = (verb: string, counts: SyncSummary['sent']): string => {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length === 0
    ? ''
    : `${verb} ${some.map(([kind, count]) => `${count} ${kind}`).join(', ')}`;
};
