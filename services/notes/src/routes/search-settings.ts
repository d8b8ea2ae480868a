import { AppError, type CompanyId } from '@commonplace/contracts/core';
import {
  getSearchSettingsContract,
  putSearchSettingsContract,
  type SearchSettings,
} from '@commonplace/contracts/notes';
import { read, write } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { countEmbeddedNotes } from '../queries/embeddings.ts';
import { findFeed } from '../queries/feed.ts';
import { findEmbeddingState, updateSearchSettings } from '../queries/search-settings.ts';
import { deleteAllEmbeddings } from '../search/embeddings/delete-embeddings.ts';

type SettingsDeps = Pick<Deps, 'db' | 'clock' | 'embeddings' | 'recordSetting'>;

/** Reads whether a company's notes are searched by meaning, and how many are prepared for it. */
export const getSearchSettingsRoute = (deps: Pick<SettingsDeps, 'db' | 'embeddings'>) =>
  defineRoute(getSearchSettingsContract, async ({ company }) =>
    reply(200, await readSettings(deps, company.id)),
  );

/**
 * Switches search by meaning. The audit log comes first: nothing is sent without an entry there. Switching off deletes all
 * vectors before the response.
 */
export const putSearchSettingsRoute = (deps: SettingsDeps) =>
  defineRoute(putSearchSettingsContract, async ({ body, company, caller }) => {
    const { db, clock, embeddings: port, recordSetting } = deps;
    const { isEnabled } = await read(db, company.id, findEmbeddingState);
    if (body.embeddings && port === null) {
      throw new AppError('embeddings_not_configured');
    }
    if (body.embeddings !== isEnabled) {
      await recordSetting({
        companyId: company.id,
        operatorId: caller.operatorId,
        operatorName: caller.name,
        embeddings: body.embeddings,
        service: port && `${port.service.host} (${port.service.model})`,
      });
      await write(db, company.id, (tx) => updateSearchSettings(tx, { ...body, at: clock() }));
    }
    if (!body.embeddings) {
      await deleteAllEmbeddings(db, company.id);
    }
    return reply(200, await readSettings(deps, company.id));
  });

const readSettings = (
  { db, embeddings: port }: Pick<SettingsDeps, 'db' | 'embeddings'>,
  companyId: CompanyId,
): Promise<SearchSettings> =>
  read(db, companyId, async (tx) => {
    const { isEnabled } = await findEmbeddingState(tx);
    const feed = await findFeed(tx);
    const embedded = port && isEnabled ? await countEmbeddedNotes(tx, port.profile) : 0;
    return {
      embeddings: isEnabled,
      service: port?.service ?? null,
      notes: { embedded, total: feed?.liveCount ?? 0 },
    };
  });
