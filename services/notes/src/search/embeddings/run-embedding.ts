import { runPeriodically } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import { listCompaniesToEmbed } from '../../queries/embeddings.ts';
import { EmbeddingsUnavailableError } from './create-client.ts';
import type { EmbeddingsPort } from './create-embeddings.ts';
import { deleteAllEmbeddings, deleteOfDeletedNotes } from './delete-embeddings.ts';
import { embedPart, SupersededError, type EmbeddingDeps } from './embed-company.ts';

/** Without a service only vectors of deleted notes are looked for. */
const everyMs = { configured: 2_000, off: 60_000 } as const;

/** So long, so that what is to be deleted does not wait for many notes. */
const passMaxMs = 10_000;

type RunDeps = Pick<EmbeddingDeps, 'db' | 'clock'> & {
  readonly embeddings: EmbeddingsPort | null;
  readonly log: { readonly warn: (fields: object, message: string) => void };
};

/**
 * Embeds what changed in the companies that are switched on, part by part, and deletes vectors of notes that are
 * gone, until the signal. A service that is unavailable ends the pass, and so does another configuration that is newer; the
 * pause grows with each failure. The next pass begins with the company after the one where it ended, in case its notes are what makes the service unavailable.
 */
export const runEmbedding = (
  { db, clock, log, embeddings }: RunDeps,
  stopping: AbortSignal,
): Promise<void> => {
  const profile = embeddings?.profile ?? null;
  const startedAt = clock();
  let endedAt: CompanyId | null = null;
  const run = async (): Promise<void> => {
    const companies = await read(db, 'global', (tx) => listCompaniesToEmbed(tx, profile));
    await deleteObsolete(db, companies, stopping);
    if (embeddings) {
      const waiting = companies.flatMap((one) => (one.isEnabled ? [one.companyId] : []));
      const inOrder = startingAfter(waiting, endedAt);
      endedAt = null;
      await embedParts({ db, clock, startedAt, stopping, ...embeddings }, inOrder);
    }
  };
  const embedParts = async (deps: EmbeddingDeps, waiting: readonly CompanyId[]) => {
    const endsAt = performance.now() + passMaxMs;
    let left = waiting;
    while (left.length > 0 && !stopping.aborted && performance.now() < endsAt) {
      const more: CompanyId[] = [];
      for (const companyId of left) {
        if (!stopping.aborted && (await embedOne(deps, companyId))) {
          more.push(companyId);
        }
      }
      left = more;
    }
  };
  /** A company that fails keeps no other from being embedded. */
  const embedOne = async (deps: EmbeddingDeps, companyId: CompanyId): Promise<boolean> => {
    try {
      return await embedPart(deps, companyId);
    } catch (error) {
      if (stopping.aborted) {
        return false;
      }
      if (error instanceof EmbeddingsUnavailableError || error instanceof SupersededError) {
        endedAt = companyId;
        throw error;
      }
      log.warn({ err: error, companyId }, 'the embedding of a company failed; a retry follows');
      return false;
    }
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'embedding notes failed; a retry follows');
  const pauseMs = embeddings ? everyMs.configured : everyMs.off;
  return runPeriodically({ run, pauseMs, onError }, stopping);
};

type CompaniesToEmbed = Awaited<ReturnType<typeof listCompaniesToEmbed>>;

const deleteObsolete = async (
  db: RunDeps['db'],
  companies: CompaniesToEmbed,
  stopping: AbortSignal,
): Promise<void> => {
  for (const { companyId, isEnabled } of companies) {
    await (isEnabled
      ? deleteOfDeletedNotes(db, companyId)
      : deleteAllEmbeddings(db, companyId, stopping));
  }
};

/** Companies in the order of their ids, beginning after one of them. */
const startingAfter = (
  companies: readonly CompanyId[],
  last: CompanyId | null,
): readonly CompanyId[] => {
  const from = companies.findIndex((id) => last !== null && id > last);
  return from < 0 ? companies : [...companies.slice(from), ...companies.slice(0, from)];
};
