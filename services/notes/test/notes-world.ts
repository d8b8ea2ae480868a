import type { RequestListener } from 'node:http';
import { companyId, newId, noteId, type CompanyId, type NoteId } from '@commonplace/contracts';
import type { RecheckCaller } from '@commonplace/http';
import type { Caller } from '@commonplace/identity';
import {
  agentCaller,
  as,
  createTestDatabase,
  testIdentity,
  type TestDatabase,
} from '@commonplace/testkit';
import { createApp } from '../src/app.ts';
import { createDeps } from '../src/create-deps.ts';
import type { Deps } from '../src/deps.ts';

export type NotesWorld = {
  readonly database: TestDatabase;
  /** What each instance works with. */
  readonly deps: readonly Deps[];
  /** Calls an instance with a caller's identity; by default the first instance. */
  readonly as: (caller: Caller, instance?: number) => ReturnType<typeof as>;
  /** An instance as a request handler. */
  readonly app: (instance?: number) => RequestListener;
  readonly close: () => Promise<void>;
};

export type WorldOptions = {
  readonly instances?: number;
  /** Connections of each instance to PostgreSQL. */
  readonly connectionsMax?: number;
  readonly clock?: () => Date;
  /** The longest wait of a search for the index; by default as long as a busy machine needs. */
  readonly searchWaitMs?: number;
  /** Access check of background jobs; allows everything by default. */
  readonly authorizeJob?: Deps['authorizeJob'];
  /** By which access operators order; by default none is known. */
  readonly readCallerAccess?: Deps['readCallerAccess'];
  /** Names of authors; by default nobody is known. */
  readonly describeAuthors?: Deps['describeAuthors'];
  /** The agents of a company; by default none. */
  readonly listDirectory?: Deps['listDirectory'];
  /** Who decides about proposals; by default operators. */
  readonly findProposalDeciders?: Deps['findProposalDeciders'];
  /** Records that an owner switched embeddings; by default nowhere. */
  readonly recordSetting?: Deps['recordSetting'];
  /** The agent of what is undone; by default none is paused. */
  readonly stopSource?: Deps['stopSource'];
  /** The access check for requests that waited. */
  readonly recheckCaller?: RecheckCaller;
};

/** The notes service over a database of its own; `instances` of it, where concurrency matters. */
export const createNotesWorld = async ({
  instances = 1,
  connectionsMax = 10,
  clock = () => new Date(),
  searchWaitMs = 60_000,
  authorizeJob = async () => undefined,
  readCallerAccess = async () => ({}),
  describeAuthors = async () => ({ agent: null, names: {} }),
  findProposalDeciders = async () => 'operators',
  listDirectory = async () => ({ items: [], hasMore: false }),
  recordSetting = async () => undefined,
  stopSource = async () => ({ agentId: null, isPaused: false }),
  recheckCaller = async (caller) => caller,
}: WorldOptions = {}): Promise<NotesWorld> => {
  const database = await createTestDatabase();
  const deps = Array.from({ length: instances }, () =>
    createDeps({
      database: { url: database.appUrl('notes'), connectionsMax, isCitus: database.isCitus },
      logLevel: 'silent',
      clock,
      searchWaitMs,
      authorizeJob,
      readCallerAccess,
      describeAuthors,
      findProposalDeciders,
      listDirectory,
      recordSetting,
      stopSource,
    }),
  );
  const apps = deps.map((one) =>
    createApp({ ...one, recheckCaller, verifyIdentity: testIdentity.verifyIdentity }),
  );
  const appAt = (index: number) => {
    const app = apps[index % apps.length];
    if (!app) {
      throw new Error('A world has one instance at least');
    }
    return app;
  };
  return {
    database,
    deps,
    as: (caller, instance = 0) => as(appAt(instance), caller),
    app: (instance = 0) => appAt(instance),
    close: async () => {
      await Promise.all(deps.map(({ db }) => db.close()));
      await database.drop();
    },
  };
};

/** Names every author after its id. */
export const namesOfIds: Deps['describeAuthors'] = async ({ authors }) => ({
  agent: null,
  names: Object.fromEntries(authors.map(({ id }) => [id, `Name of ${id}`])),
});

export const aCompany = (): CompanyId => companyId.parse(newId());
export const aNoteId = (): NoteId => noteId.parse(newId());

/** An agent of a company of its own, unless one is named. */
export const anAgent = (company: CompanyId = aCompany()) => agentCaller({ companyId: company });
