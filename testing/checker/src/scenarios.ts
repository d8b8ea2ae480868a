import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { replay } from './replay.ts';
import { call, isUnavailable, syncResultOf } from './api-call.ts';
import { newClientState } from './client-state.ts';
import {
  appendAgain,
  appendAtOnce,
  appendInPart,
  createByTitle,
  mergeTwoAppends,
} from './edit-scenarios.ts';
import { startFeedSubscriber } from './feed-subscriber.ts';
import { hardTexts } from './hard-texts.ts';
import { mergeManyLines } from './merge-many-lines.ts';
import { edit } from './outbox.ts';
import { createNarrowReaders } from './narrow-readers.ts';
import { createPuller, pullAll, pullPage } from './pull.ts';
import { createRandom } from './random.ts';
import { createReplica } from './replica.ts';
import { undoOneWriter } from './undo-scenario.ts';
import { synchronise } from './synchronise.ts';
import { createExpectations } from './expectations.ts';
import { verifyCompany } from './verify.ts';
import type { CheckedCompany } from './environment.ts';
import type { Scenario } from './scenario.ts';

const actor = 'scenario/puller';

/** Attempts to hit a race. */
const roundsMax = 30;

/** A client pulls while eight write concurrently, over two processes. */
const pullBesideWriters: Scenario = async ({ company, history }) => {
  const puller = createPuller({ actor, company, history, limit: 100 });
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

/** A client repeats a request that has completed. */
const sendAgain: Scenario = async ({ company, history }) => {
  const client = newClientState({
    actor: 'scenario/client',
    company,
    history,
    expectations: createExpectations('scenario'),
    random: createRandom(1),
    mix: 'all',
    hotIds: [randomUUID()],
    initialTexts: new Map(),
  });
  while ((history.figures()['replays'] ?? 0) === 0) {
    edit(client);
    await synchronise(client, 'none');
    await replay(client);
  }
};

/** A note is deleted between two pages of a full pull, after the page that contained it. */
const deleteWhilePaging: Scenario = async ({ company, history }) => {
  const notes = Array.from({ length: 6 }, () => newNote('x\n'));
  await push(company, notes);
  const lateJoiner = createPuller({ actor, company, history, limit: 2 });
  while (lateJoiner.replica.notes.size === 0) {
    await pullPage(lateJoiner);
  }
  const [id = ''] = lateJoiner.replica.notes.keys();
  await push(company, [{ mutationId: randomUUID(), id, op: 'delete', baseRevision: 1 }]);
  await pullAll(lateJoiner);
};

/** A company has one note more than a page. */
const leaveOneBehind: Scenario = async ({ company, history }) => {
  await push(
    company,
    Array.from({ length: 4 }, () => newNote('x\n')),
  );
  await pullAll(createPuller({ actor, company, history, limit: 3 }));
};

/** Two clients edit distant lines of one note. */
const mergeTwoEdits: Scenario = async ({ environment, company, history }) => {
  const expectations = createExpectations('scenario');
  const [head, middle, tail] = [
    expectations.newToken(),
    expectations.newToken(),
    expectations.newToken(),
  ];
  const first = newNote(`a\n${middle}\nb\n`);
  const later = (content: string) => ({
    ...first,
    mutationId: randomUUID(),
    baseRevision: 1,
    note: { title: 'Scenario', content },
  });
  await push(company, [first]);
  await push(company, [later(`${head}\na\n${middle}\nb\n`)]);
  await push(company, [later(`a\n${middle}\nb\n${tail}\n`)]);
  [head, middle, tail].forEach(expectations.acknowledge);
  const last = createPuller({ actor, company, history, limit: 100 });
  await pullAll(last);
  const verification = { companyId: company.companyId, expectations, replicas: [last] };
  await verifyCompany(environment, verification, history);
};

/** Enough that some are connected to the process that writes. */
const subscribersCount = 6;
/** An event takes milliseconds on an idle machine. */
const eventWaitMs = 8_000;

/** Clients that pull only on feed events receive every note. */
const pullOnFeedEvents: Scenario = async ({ company, history }) => {
  const subscribers = Array.from({ length: subscribersCount }, (_, index) =>
    startFeedSubscriber(`scenario/subscriber ${index}`, company, history),
  );
  for (let round = 0; round < 8 && history.violations().length === 0; round += 1) {
    const { id, ...change } = newNote('x\n');
    await push(company, [{ id, ...change }]);
    const lacking = () => subscribers.filter(({ replica }) => !replica.notes.has(id));
    for (
      const end = performance.now() + eventWaitMs;
      performance.now() < end && lacking().length > 0;
    ) {
      await sleep(20);
    }
    lacking().forEach(({ actor }) =>
      history.violate('all replicas are equal', `${actor} lacks ${id}`),
    );
  }
  await Promise.all(subscribers.map((subscriber) => subscriber.stop()));
};

/** A client appends to a note, forgets the acknowledged change, and appends more to the same base. */
const addTwice: Scenario = async ({ environment, company, history }) => {
  const expectations = createExpectations('scenario');
  const words = [expectations.newToken(), expectations.newToken(), expectations.newToken()];
  const first = newNote(`${words[0]}\n`);
  const later = (count: number) => ({
    ...first,
    mutationId: randomUUID(),
    baseRevision: 1,
    note: { title: 'Scenario', content: `${words.slice(0, count).join('\n')}\n` },
  });
  await push(company, [first]);
  await push(company, [later(2)]);
  await push(company, [later(3)]);
  words.forEach(expectations.acknowledge);
  const last = createPuller({ actor, company, history, limit: 100 });
  await pullAll(last);
  const verification = { companyId: company.companyId, expectations, replicas: [last] };
  await verifyCompany(environment, verification, history);
};

/** A large note is deleted and restored. */
const bringBackLarge: Scenario = async ({ company, history }) => {
  const content = hardTexts.at(-1) ?? '';
  const { id, ...note } = newNote(content);
  await push(company, [{ id, ...note }]);
  await push(company, [{ mutationId: randomUUID(), id, op: 'delete', baseRevision: 1 }]);
  const path = `/api/notes/${id}/restore`;
  const response = await call(company, { method: 'POST', path, body: {} });
  const restored = response?.body as { readonly content?: string } | undefined;
  const read = await call(company, { method: 'GET', path: `/api/notes/${id}` });
  const stored = read?.body as { readonly content?: string } | undefined;
  if (restored?.content !== content || stored?.content !== content) {
    history.violate('a restored note keeps its text', id);
  }
};

/** Merges very many lines beside concurrent writes, some of which share the transaction. */
const mergeBesideWriters: Scenario = async ({ company, history }) => {
  const client = {
    company,
    history,
    expectations: createExpectations('scenario'),
    actor: 'scenario/client',
  };
  for (let round = 0; round < 5 && history.violations().length === 0; round += 1) {
    await mergeManyLines(client);
  }
};

/** The response to a merge is lost, and the client pulls on without the text that it has sent itself. */
const pullWithoutEcho: Scenario = async ({ company, history }) => {
  const first = newNote('a\nb\nc\n');
  const later = (content: string) => ({
    ...first,
    mutationId: randomUUID(),
    baseRevision: 1,
    note: { title: 'Scenario', content },
  });
  await push(company, [first]);
  await push(company, [later('theirs\na\nb\nc\n')]);
  await push(company, [later('a\nb\nc\nmine\n')]);
  const puller = createReplica(actor, company.companyId, history);
  const body = { clientId: 'scenario', cursor: null, echo: false };
  const response = await call(company, { method: 'POST', path: '/api/sync', body });
  if (response?.status !== 200) {
    throw new Error(`A pull returned ${response?.status} ${JSON.stringify(response?.body)}`);
  }
  syncResultOf(response).changes.forEach(puller.take);
};

/** Notes are moved out of the only folder that a reader reaches, and back, while it reads in every way. */
const readOneFolder: Scenario = async ({ environment, company, history }) => {
  const name = 'scenario';
  const readers = createNarrowReaders({
    name,
    company,
    history,
    expectations: createExpectations(name),
    random: createRandom(1),
  });
  for (let round = 0; round < roundsMax && history.violations().length === 0; round += 1) {
    await readers.step();
  }
  await readers.verify(environment);
};

/** The scenario that exposes each seeded bug, by the bug's name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'sequence-cursor': pullBesideWriters,
  'token-before-save': pullBesideWriters,
  'no-mutation-log': sendAgain,
  'hint-before-commit': pullOnFeedEvents,
  'tombstones-omitted': deleteWhilePaging,
  'has-more-off-by-one': leaveOneBehind,
  'merge-not-stored': mergeTwoEdits,
  'additions-twice': addTwice,
  'large-text-lost': bringBackLarge,
  'neighbours-fail': mergeBesideWriters,
  'echo-by-author': pullWithoutEcho,
  'append-not-deduplicated': appendAgain,
  'edit-of-a-stale-text': appendAtOnce,
  'edits-in-part': appendInPart,
  'append-dropped-by-merge': mergeTwoAppends,
  'titles-read-without-lock': createByTitle,
  'undo-to-the-version-before': undoOneWriter,
  'undone-text-merged-back': undoOneWriter,
  'removal-shows-the-new-title': readOneFolder,
  'folders-forgotten': readOneFolder,
  'departures-not-stored': readOneFolder,
};

const newNote = (content: string) => ({
  mutationId: randomUUID(),
  id: randomUUID(),
  op: 'put',
  baseRevision: null,
  note: { title: 'Scenario', content },
});

/** Pushes, with retries; a repeated mutation has no further effect. */
const push = async (company: CheckedCompany, changes: readonly object[]): Promise<void> => {
  const body = { clientId: 'scenario', cursor: null, limit: 1, changes };
  for (;;) {
    const response = await call(company, { method: 'POST', path: '/api/sync', body });
    if (isUnavailable(response)) {
      await sleep(100);
    } else if (response.status === 200) {
      return;
    } else {
      throw new Error(`A push returned ${response.status} ${JSON.stringify(response.body)}`);
    }
  }
};
