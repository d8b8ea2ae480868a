import { read, type Db } from '@commonplace/db';
import { findMigration } from '../queries/migrations.ts';

/** The migration since when a version may be without a text of its own. */
const migration = '0036_share_texts';
/** An upgrade is complete by then. The release before would not find a version without a text. */
const upgradeMs = 24 * 60 * 60 * 1000;

/** Whether texts may be stored with the version that repeats them: in a database of an earlier release, a day after its upgrade. */
export type SharesTexts = () => Promise<boolean>;

/** Creates the check, which reads when the migration ran once. */
export const createSharesTexts = ({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: () => Date;
}): SharesTexts => {
  let sinceMs: number | null = null;
  return async () => {
    sinceMs ??= await readSince(db);
    return clock().getTime() >= sinceMs;
  };
};

const readSince = async (db: Db): Promise<number> => {
  const run = await read(db, 'global', (tx) => findMigration(tx, migration));
  if (run === null) {
    return Infinity;
  }
  return run.isFirst ? 0 : run.at.getTime() + upgradeMs;
};
