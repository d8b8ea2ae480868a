import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { replay } from './ask-again.ts';
import { call, isAway } from './call.ts';
import { newClientState } from './client-state.ts';
import { createCopy } from './copy.ts';
import { startFollower } from './follower.ts';
import { hardTexts } from './hard-texts.ts';
import type { History } from './history.ts';
import { mergeManyLines } from './merge-many-lines.ts';
import { edit } from './outbox.ts';
import { pullAll, pullPage, type Puller } from './pull.ts';
import { createRandom } from './random.ts';
import { synchronise } from './synchronise.ts';
import { createTracker } from './tracker.ts';
import { verifyCompany } from './verify.ts';
import type { CheckedCompany, CheckedWorld } from './world.ts';

/** Where a drill takes place. */
type Stage = {
  readonly world: CheckedWorld;
  readonly company: CheckedCompany;
  readonly history: History;
};

/** The shortest way to where one promise could break. It is bounded by its work, not by seconds. */
export type Drill = (stage: Stage) => Promise<void>;

/** So many times something is tried that needs two to meet. */
const roundsMax = 30;

/** Somebody pulls while eight write at once, over two processes. */
const pullBesideWriters: Drill = async ({ company, history }) => {
  const puller = newPuller({ company, history, limit: 100 });
  for (let round = 0; round < roundsMax && history.violations().length === 0; round += 1) {
    const writing = Promise.all(Array.from({ length: 8 }, () => push(company, [newNote('x\n')])));
    const written = writing.then(() => 'written');
    let page: Promise<unknown>;
    do {
      page = pullPage(puller);
    } while ((await Promise.race([written, page])) !== 'written');
    await page;
    await pullAll(puller);
  }
};

/** A request comes again after it was answered. */
const sendAgain: Drill = async ({ company, history }) => {
  const client = newClientState({
    who: 'drill/client',
    company,
    history,
    tracker: createTracker('drill'),
    random: createRandom(1),
    hotIds: [randomUUID()],
    beginnings: new Map(),
  });
  while ((history.figures()['replays'] ?? 0) === 0) {
    edit(client);
    await synchronise(client, 'none');
    await replay(client);
  }
};

/** A note is deleted between two pages of a first pull that has brought it. */
const deleteWhilePaging: Drill = async ({ company, history }) => {
  const notes = Array.from({ length: 6 }, () => newNote('x\n'));
  await push(company, notes);
  const newcomer = newPuller({ company, history, limit: 2 });
  while (newcomer.copy.notes.size === 0) {
    await pullPage(newcomer);
  }
  const [id = ''] = newcomer.copy.notes.keys();
  await push(company, [{ mutationId: randomUUID(), id, op: 'delete', baseRevision: 1 }]);
  await pullAll(newcomer);
};

/** There is one note more than a page holds. */
const leaveOneBehind: Drill = async ({ company, history }) => {
  await push(
    company,
    Array.from({ length: 4 }, () => newNote('x\n')),
  );
  await pullAll(newPuller({ company, history, limit: 3 }));
};

/** Two write into the same note, far from each other. */
const mergeTwoEdits: Drill = async ({ world, company, history }) => {
  const tracker = createTracker('drill');
  const [head, middle, tail] = [tracker.newToken(), tracker.newToken(), tracker.newToken()];
  const first = newNote(`a\n${middle}\nb\n`);
  const later = (content: string) => ({
    ...first,
    mutationId: randomUUID(),
    baseRevision: 1,
    note: { title: 'Drill', content },
  });
  await push(company, [first]);
  await push(company, [later(`${head}\na\n${middle}\nb\n`)]);
  await push(company, [later(`a\n${middle}\nb\n${tail}\n`)]);
  [head, middle, tail].forEach(tracker.acknowledge);
  const last = newPuller({ company, history, limit: 100 });
  await pullAll(last);
  const verification = { companyId: company.companyId, tracker, copies: [last] };
  await verifyCompany(world, verification, history);
};

/** Enough that some of them listen at the process that writes. */
const followersCount = 6;
/** A hint takes milliseconds; a machine that is out of breath may need longer. */
const hintMs = 15_000;

/** Those who pull only when they are told to have every note in the end. */
const followHints: Drill = async ({ company, history }) => {
  const followers = Array.from({ length: followersCount }, (_, index) =>
    startFollower(`drill/follower ${index}`, company, history),
  );
  for (let round = 0; round < 8 && history.violations().length === 0; round += 1) {
    const { id, ...change } = newNote('x\n');
    await push(company, [{ id, ...change }]);
    const lacking = () => followers.filter(({ copy }) => !copy.notes.has(id));
    for (const end = performance.now() + hintMs; performance.now() < end && lacking().length > 0;) {
      await sleep(20);
    }
    lacking().forEach(({ who }) => history.violate('all copies are equal', `${who} lacks ${id}`));
  }
  await Promise.all(followers.map((follower) => follower.stop()));
};

/** A client adds to a note, loses the acknowledgement and the memory of it, and adds more. */
const addTwice: Drill = async ({ world, company, history }) => {
  const tracker = createTracker('drill');
  const words = [tracker.newToken(), tracker.newToken(), tracker.newToken()];
  const first = newNote(`${words[0]}\n`);
  const later = (count: number) => ({
    ...first,
    mutationId: randomUUID(),
    baseRevision: 1,
    note: { title: 'Drill', content: `${words.slice(0, count).join('\n')}\n` },
  });
  await push(company, [first]);
  await push(company, [later(2)]);
  await push(company, [later(3)]);
  words.forEach(tracker.acknowledge);
  const last = newPuller({ company, history, limit: 100 });
  await pullAll(last);
  const verification = { companyId: company.companyId, tracker, copies: [last] };
  await verifyCompany(world, verification, history);
};

/** A large note is deleted and brought back. */
const bringBackLarge: Drill = async ({ company, history }) => {
  const content = hardTexts.at(-1) ?? '';
  const { id, ...note } = newNote(content);
  await push(company, [{ id, ...note }]);
  await push(company, [{ mutationId: randomUUID(), id, op: 'delete', baseRevision: 1 }]);
  const path = `/api/notes/${id}/restore`;
  const answer = await call(company, { method: 'POST', path, body: {} });
  const restored = answer?.body as { readonly content?: string } | undefined;
  const read = await call(company, { method: 'GET', path: `/api/notes/${id}` });
  const stored = read?.body as { readonly content?: string } | undefined;
  if (restored?.content !== content || stored?.content !== content) {
    history.violate('what is brought back says what it said', id);
  }
};

/** Very many lines are merged while others write, again and again: some of the writes share its transaction. */
const mergeBesideWriters: Drill = async ({ company, history }) => {
  const client = { company, history, tracker: createTracker('drill'), who: 'drill/client' };
  for (let round = 0; round < 5 && history.violations().length === 0; round += 1) {
    await mergeManyLines(client);
  }
};

/** The drill that exposes each seeded bug, by its name. */
export const drills: Readonly<Record<string, Drill>> = {
  'sequence-cursor': pullBesideWriters,
  'token-before-save': pullBesideWriters,
  'no-mutation-log': sendAgain,
  'hint-before-commit': followHints,
  'tombstones-omitted': deleteWhilePaging,
  'has-more-off-by-one': leaveOneBehind,
  'merge-not-stored': mergeTwoEdits,
  'additions-twice': addTwice,
  'large-text-lost': bringBackLarge,
  'neighbours-fail': mergeBesideWriters,
};

const newNote = (content: string) => ({
  mutationId: randomUUID(),
  id: randomUUID(),
  op: 'put',
  baseRevision: null,
  note: { title: 'Drill', content },
});

/** Sends until there is an answer: the same change again has no further effect. */
const push = async (company: CheckedCompany, changes: readonly object[]): Promise<void> => {
  const body = { clientId: 'drill', cursor: null, limit: 1, changes };
  for (;;) {
    const answer = await call(company, { method: 'POST', path: '/api/sync', body });
    if (isAway(answer)) {
      await sleep(100);
    } else if (answer.status === 200) {
      return;
    } else {
      throw new Error(`A drill was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
};

type Pulling = Pick<Stage, 'company' | 'history'> & { readonly limit: number };

const newPuller = ({ company, history, limit }: Pulling): Puller => ({
  who: 'drill/puller',
  caller: company,
  copy: createCopy('drill/puller', company.companyId, history),
  history,
  limit,
  cursor: null,
});
