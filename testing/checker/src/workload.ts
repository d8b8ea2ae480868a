import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hotNotes, type ClientOptions } from './client-state.ts';
import { startFeedSubscriber, type FeedSubscriber } from './feed-subscriber.ts';
import { hardTexts } from './hard-texts.ts';
import type { History } from './history.ts';
import { createModelClient, type ModelClient } from './model-client.ts';
import { createNarrowReaders } from './narrow-readers.ts';
import { createPuller, pullAll, pullPage, type Puller } from './pull.ts';
import type { Random } from './random.ts';
import { createExpectations, type Expectations } from './expectations.ts';
import { verifyCompany } from './verify.ts';
import type { CheckedCompany, CheckedEnvironment } from './environment.ts';

/** Time for the feed to deliver the last events. */
const quietMs = 3_000;
/** Enough for an hour without deletions. */
const generationsMax = 1_000;
const subscribersCount = 4;
const joinEveryMs = 300;
const moveEveryMs = 200;
/** The digest verifies each full pull; this many replicas are verified again at the end. */
const lateJoinersKept = 8;

/** The load of one company. */
export type WorkloadOptions = {
  readonly name: string;
  readonly clients: number;
  readonly mix: ClientOptions['mix'];
  readonly random: Random;
  readonly history: History;
  readonly signal: AbortSignal;
};

/** All clients of one company. */
export type Workload = {
  /** Resolves when all clients have stopped. */
  readonly ended: Promise<void>;
  /** Lets all clients catch up, then verifies their replicas and the stored versions. */
  readonly verify: (environment: CheckedEnvironment) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts clients that edit and synchronise, an observer with small pages, late joiners that begin full
 * pulls with small pages while others write, and subscribers that pull only on feed events.
 */
export const startWorkload = (company: CheckedCompany, options: WorkloadOptions): Workload => {
  const { name, history, signal } = options;
  const expectations = createExpectations(name);
  const clients = createClients(company, expectations, options);
  const observer = createPuller({ actor: `${name}/observer`, company, history, limit: 3 });
  const lateJoiners: Puller[] = [];
  let joinedCount = 0;
  const subscribers = Array.from({ length: subscribersCount }, (_, index) =>
    startFeedSubscriber(`${name}/subscriber ${index}`, company, history),
  );
  const addLateJoiner = async (): Promise<void> => {
    const actor = `${name}/late joiner ${(joinedCount += 1)}`;
    const lateJoiner = createPuller({ actor, company, history, limit: 2 });
    lateJoiners.push(lateJoiner);
    lateJoiners.splice(0, lateJoiners.length - lateJoinersKept);
    while (!signal.aborted && !(await pullPage(lateJoiner))) {
      await sleep(5);
    }
  };
  const narrow = createNarrowReaders({ ...options, company, expectations });
  const ended = Promise.all([
    repeat(narrow.step, moveEveryMs, signal),
    ...clients.map((client) => repeat(client.step, 5, signal)),
    repeat(() => pullPage(observer), 5, signal),
    repeat(addLateJoiner, joinEveryMs, signal),
  ]);
  return {
    ended: ended.then(() => undefined),
    verify: async (environment) => {
      await settleAll(clients, subscribers);
      const last = createPuller({ actor: `${name}/new client`, company, history, limit: 500 });
      const pullers = [observer, last, ...lateJoiners];
      await Promise.all(pullers.map((puller) => pullAll({ ...puller, limit: 500 })));
      const replicas = [...clients, ...subscribers, ...pullers];
      const { companyId } = company;
      await verifyCompany(environment, { companyId, expectations, replicas }, history);
      await narrow.verify(environment);
    },
    stop: async () => {
      await Promise.all(subscribers.map((subscriber) => subscriber.stop()));
    },
  };
};

/** Settles twice: the first round of the last client creates changes for all others. */
const settleAll = async (
  clients: readonly ModelClient[],
  subscribers: readonly FeedSubscriber[],
): Promise<void> => {
  await Promise.all(clients.map((client) => client.settle()));
  await Promise.all(clients.map((client) => client.settle()));
  await sleep(quietMs);
  while (!subscribers.every((subscriber) => subscriber.isIdle())) {
    await sleep(50);
  }
};

const createClients = (
  company: CheckedCompany,
  expectations: Expectations,
  { name, clients, mix, random, history }: WorkloadOptions,
): ModelClient[] => {
  const hotIds = Array.from({ length: hotNotes * generationsMax }, () => randomUUID());
  const initialTexts = new Map(hardTexts.map((text) => [randomUUID(), text]));
  return Array.from({ length: clients }, (_, index) => {
    const actor = `${name}/client ${index}`;
    const own = random.fork(actor);
    return createModelClient({
      actor,
      company,
      expectations,
      history,
      random: own,
      mix,
      hotIds,
      initialTexts,
    });
  });
};

const repeat = async (
  step: () => Promise<unknown>,
  pauseMs: number,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await step();
    await sleep(pauseMs);
  }
};
