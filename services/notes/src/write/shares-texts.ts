import { read, type Db } from '@commonplace/db';
import { findMigration } from '../queries/migrations.ts';

/** The migrations since when versions may be without a text of their own. */
const migrations = { repeated: '0036_share_texts', growing: '0051_share_growing_texts' } as const;
/** An upgrade is complete by then. The release before would not find a version without a text. */
const upgradeMs = 24 * 60 * 60 * 1000;

/** Which texts may be stored with the version that has them too: in a database of an earlier release, a day after its upgrade. */
export type SharedTexts = {
  /** Those that the next version repeats. */
  readonly isRepeatedShared: boolean;
  /** Those that the next version begins with, and that of the newest version with the note. */
  readonly isGrowingShared: boolean;
};

export type SharesTexts = () => Promise<SharedTexts>;

type SharesTextsDeps = { readonly db: Db; readonly clock: () => Date };

/** Creates the check, which reads when the migrations ran once. */
export const createSharesTexts = (deps: SharesTextsDeps): SharesTexts => {
  const isRepeated = createIsDayAfter(deps, migrations.repeated);
  const isGrowing = createIsDayAfter(deps, migrations.growing);
  return async () => ({
    isRepeatedShared: await isRepeated(),
    isGrowingShared: await isGrowing(),
  });
};

const createIsDayAfter = ({ db, clock }: SharesTextsDeps, migration: string) => {
  let sinceMs: number | null = null;
  return async (): Promise<boolean> => {
    sinceMs ??= await readSince(db, migration);
    return clock().getTime() >= sinceMs;
  };
};

const readSince = async (db: Db, migration: string): Promise<number> => {
  const run = await read(db, 'global', (tx) => findMigration(tx, migration));
  if (run === null) {
    return Infinity;
  }
  return run.isFirst ? 0 : run.at.getTime() + upgradeMs;
};
