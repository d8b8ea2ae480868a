import type { Replica } from './replica.ts';
import type { History } from './history.ts';
import { tokensIn, type Expectations } from './expectations.ts';
import type { CheckedEnvironment } from './environment.ts';

/** A stored version of a note. */
type Version = {
  readonly id: string;
  readonly revision: number;
  readonly content: string;
  readonly deleted: boolean;
};

/** One company after its workload, with all replicas of its notes. */
export type Verification = {
  readonly companyId: string;
  readonly expectations: Expectations;
  readonly replicas: readonly { readonly actor: string; readonly replica: Replica }[];
};

/** Verifies the stored versions and all replicas against the expectations. */
export const verifyCompany = async (
  environment: CheckedEnvironment,
  { companyId, expectations, replicas }: Verification,
  history: History,
): Promise<void> => {
  const rows = await environment.sql(
    `select v.note_id as id, v.revision, v.deleted,
       coalesce(v.content, convert_from(
         substring(convert_to(coalesce(t.content, n.content), 'UTF8') from 1 for v.size), 'UTF8'
       )) as content
     from notes.note_revisions v
     left join lateral (
       select t.content from notes.note_revisions t
       where v.content is null and t.company_id = v.company_id and t.note_id = v.note_id
         and t.revision > v.revision and t.content is not null and not t.deleted
       order by t.revision limit 1
     ) t on true
     left join notes.notes n on n.company_id = v.company_id and n.id = v.note_id
     where v.company_id = $1 order by v.note_id, v.revision`,
    [companyId],
  );
  const versions = rows as unknown as Version[];
  const active = await environment.sql(
    `select id, revision, content from notes.notes
     where company_id = $1 and deleted_at is null order by id`,
    [companyId],
  );
  const server = new Map(active.map((row) => [String(row['id']), row]));
  history.count('active notes at the end', active.length);
  history.count('stored versions at the end', versions.length);
  verifyRevisions(versions, history);
  verifyTokens(
    { versions, expectations, active: active.map((row) => String(row['content'])) },
    history,
  );
  for (const { actor, replica } of replicas) {
    verifyReplica({ actor, replica }, server, { history });
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
  readonly active: readonly string[];
  readonly expectations: Expectations;
};

const verifyTokens = ({ versions, active, expectations }: Stored, history: History): void => {
  const stored = new Set(versions.flatMap(({ content }) => tokensIn(content)));
  const present = new Set(active.flatMap(tokensIn));
  const excused = removedOnPurpose(versions, expectations, history);
  history.count('acknowledged edits', expectations.acknowledged().size);
  for (const token of expectations.acknowledged()) {
    if (!stored.has(token)) {
      history.violate('an acknowledged edit is in the revisions', token);
    } else if (!present.has(token) && !excused.has(token)) {
      history.violate('an acknowledged edit is in an active note', token);
    }
  }
  for (const token of expectations.refused()) {
    if (stored.has(token)) {
      history.violate('a refused edit changes nothing', token);
    }
  }
  for (const content of active) {
    const tokens = tokensIn(content);
    const twice = tokens.filter((token, index) => tokens.indexOf(token) !== index);
    if (twice.length > 0) {
      history.violate('no token twice in a note', twice.join(' '));
    }
  }
};

/** Tokens of versions that a client deleted or replaced unconditionally. */
const removedOnPurpose = (
  versions: readonly Version[],
  expectations: Expectations,
  history: History,
): Set<string> => {
  let seen = new Set<string>();
  const removed = new Set<string>();
  versions.forEach(({ id, revision, content, deleted }, index) => {
    const before = versions[index - 1]?.id === id ? versions[index - 1] : undefined;
    seen = before ? seen : new Set();
    const fresh = tokensIn(content).filter((token) => !seen.has(token));
    fresh.forEach((token) => seen.add(token));
    const isReplacement = fresh.some((token) => expectations.replacements().has(token));
    if (deleted && before && !expectations.isExpectedDeletion(id, before.revision)) {
      history.violate('nothing is deleted without a request', `${id} at ${revision}`);
    }
    if (before && (deleted || isReplacement)) {
      tokensIn(before.content).forEach((token) => removed.add(token));
    }
  });
  return removed;
};

type Verifying = { readonly history: History; readonly invariant?: string };

/** Verifies that a replica has the active notes of the server, or of the part of them that it reaches. */
export const verifyReplica = (
  { actor, replica: { notes } }: { readonly actor: string; readonly replica: Replica },
  server: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  { history, invariant = 'all replicas are equal' }: Verifying,
): void => {
  for (const [id, { revision, content }] of notes) {
    const row = server.get(id);
    if (row?.['revision'] !== revision || row['content'] !== content) {
      history.violate(
        invariant,
        `${actor} has ${id} at ${revision}, the server ${row ? String(row['revision']) : 'has not'}`,
      );
    }
  }
  for (const id of server.keys()) {
    if (!notes.has(id)) {
      history.violate(invariant, `${actor} lacks ${id}`);
    }
  }
};
