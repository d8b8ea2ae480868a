import type { Copy } from './copy.ts';
import type { History } from './history.ts';
import { tokensIn, type Tracker } from './tracker.ts';
import type { CheckedWorld } from './world.ts';

/** A stored version of a note. */
type Version = {
  readonly id: string;
  readonly revision: number;
  readonly content: string;
  readonly deleted: boolean;
};

/** One company after the quiet, and everybody who has a copy of its notes. */
export type Verification = {
  readonly companyId: string;
  readonly tracker: Tracker;
  readonly copies: readonly { readonly who: string; readonly copy: Copy }[];
};

/** Judges what is stored, and what everybody holds, against what was promised. */
export const verifyCompany = async (
  world: CheckedWorld,
  { companyId, tracker, copies }: Verification,
  history: History,
): Promise<void> => {
  const rows = await world.sql(
    `select note_id as id, revision, content, deleted from notes.note_revisions
     where company_id = $1 order by note_id, revision`,
    [companyId],
  );
  const versions = rows as unknown as Version[];
  const living = await world.sql(
    `select id, revision, content from notes.notes
     where company_id = $1 and deleted_at is null order by id`,
    [companyId],
  );
  const server = new Map(living.map((row) => [String(row['id']), row]));
  history.count('living notes at the end', living.length);
  history.count('stored versions at the end', versions.length);
  verifyRevisions(versions, history);
  verifyTokens({ versions, tracker, living: living.map((row) => String(row['content'])) }, history);
  for (const { who, copy } of copies) {
    verifyCopy({ who, copy }, server, history);
  }
};

const verifyRevisions = (versions: readonly Version[], history: History): void => {
  versions.forEach(({ id, revision }, index) => {
    const before = versions[index - 1];
    const isNext = before?.id === id && before.revision + 1 === revision;
    const isFirst = before?.id !== id;
    if (!isNext && !isFirst) {
      history.violate(
        'revisions 1..n without a gap',
        `${id}: ${before?.revision} then ${revision}`,
      );
    }
  });
};

type Stored = {
  readonly versions: readonly Version[];
  readonly living: readonly string[];
  readonly tracker: Tracker;
};

const verifyTokens = ({ versions, living, tracker }: Stored, history: History): void => {
  const stored = new Set(versions.flatMap(({ content }) => tokensIn(content)));
  const present = new Set(living.flatMap(tokensIn));
  const excused = removedOnPurpose(versions, tracker, history);
  history.count('acknowledged edits', tracker.acknowledged().size);
  for (const token of tracker.acknowledged()) {
    if (!stored.has(token)) {
      history.violate('an acknowledged edit is in the revisions', token);
    } else if (!present.has(token) && !excused.has(token)) {
      history.violate('an acknowledged edit is in a living note', token);
    }
  }
  for (const content of living) {
    const tokens = tokensIn(content);
    const twice = tokens.filter((token, index) => tokens.indexOf(token) !== index);
    if (twice.length > 0) {
      history.violate('no token twice in a note', twice.join(' '));
    }
  }
};

/** Words of versions that somebody deleted, or replaced without having seen them. */
const removedOnPurpose = (
  versions: readonly Version[],
  tracker: Tracker,
  history: History,
): Set<string> => {
  let seen = new Set<string>();
  const removed = new Set<string>();
  versions.forEach(({ id, revision, content, deleted }, index) => {
    const before = versions[index - 1]?.id === id ? versions[index - 1] : undefined;
    seen = before ? seen : new Set();
    const fresh = tokensIn(content).filter((token) => !seen.has(token));
    fresh.forEach((token) => seen.add(token));
    const isReplacement = fresh.some((token) => tracker.replacements().has(token));
    if (deleted && before && !tracker.wasAskedToDelete(id, before.revision)) {
      history.violate('nothing is deleted that nobody asked to', `${id} at ${revision}`);
    }
    if (before && (deleted || isReplacement)) {
      tokensIn(before.content).forEach((token) => removed.add(token));
    }
  });
  return removed;
};

const verifyCopy = (
  { who, copy: { notes } }: { readonly who: string; readonly copy: Copy },
  server: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  history: History,
): void => {
  for (const [id, { revision, content }] of notes) {
    const row = server.get(id);
    if (row?.['revision'] !== revision || row['content'] !== content) {
      history.violate(
        'all copies are equal',
        `${who} has ${id} at ${revision}, the server ${row ? String(row['revision']) : 'has not'}`,
      );
    }
  }
  for (const id of server.keys()) {
    if (!notes.has(id)) {
      history.violate('all copies are equal', `${who} lacks ${id}`);
    }
  }
};
