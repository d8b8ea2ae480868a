import type { Db } from '@commonplace/db';
import type { Logger } from '@commonplace/http';
import type { WriteNotes } from './commands/create-note-writer.ts';

/** Everything a part of this service may need; each takes the smallest pick of it. */
export type Deps = {
  readonly db: Db;
  /** The only clock: tests set it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** The one way a note changes. */
  readonly write: WriteNotes;
};
