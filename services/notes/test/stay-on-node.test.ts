import { expect, it } from '@jest/globals';
import { jobId, newId, undoId } from '@commonplace/contracts';
import type { CompanyTx } from '@commonplace/db';
import { lockFeed, tryLockFeed } from '../src/queries/feed.ts';
import { lockJob } from '../src/queries/jobs.ts';
import { lockEmbeddingsEnabled } from '../src/queries/search-settings.ts';
import { lockUndo } from '../src/queries/undos.ts';
import { aCompany } from './notes-world.ts';

const locks: readonly [string, (tx: CompanyTx) => Promise<unknown>][] = [
  ['the feed', lockFeed],
  ['the feed, without waiting', tryLockFeed],
  ['a job', (tx) => lockJob(tx, jobId.parse(newId()))],
  ['an undo', (tx) => lockUndo(tx, undoId.parse(newId()))],
  ['the switch of embeddings', lockEmbeddingsEnabled],
];

it.each(locks)(
  'on Citus a company stays on its node from before the lock of %s',
  async (_, lock) => {
    const statements: string[] = [];
    const query = async (statement: string) => {
      statements.push(statement);
      return [];
    };
    await lock({ companyId: aCompany(), isCitus: true, query } as unknown as CompanyTx);
    expect(statements).toEqual([
      expect.stringMatching(/^update notes\.company_feed set head = head .* and head < 0$/),
      expect.stringMatching(/for (share|no key update)/),
    ]);
  },
);
