import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCopy } from './copy.ts';
import { startFollower, type Follower } from './follower.ts';
import { hardTexts } from './hard-texts.ts';
import type { History } from './history.ts';
import { createModelClient, type ModelClient } from './model-client.ts';
import { pullAll, pullPage, type Puller } from './pull.ts';
import type { Random } from './random.ts';
import { createTracker, type Tracker } from './tracker.ts';
import { verifyCompany } from './verify.ts';
import type { CheckedCompany, CheckedWorld } from './world.ts';

/** After the last fault and the last edit, listeners get so long to hear of it. */
const quietMs = 3_000;
const hotNotes = 3;
const followersCount = 4;
const welcomeEveryMs = 300;
/** The first pull of each proves itself by its digest; so many are looked at again at the end. */
const newcomersKept = 8;

/** Who works in a company, and until when. */
export type GroupOptions = {
  readonly name: string;
  readonly clients: number;
  readonly random: Random;
  readonly history: History;
  readonly signal: AbortSignal;
};

/** Everybody who works in one company. */
export type Group = {
  /** Resolves when nobody does anything any more. */
  readonly ended: Promise<void>;
  /** Lets everybody catch up, then judges what they and the server have. */
  readonly judge: (world: CheckedWorld) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Sets everybody to work: clients that edit and synchronise, an observer with small pages, newcomers
 * who begin with small pages while others write, and followers who pull only when they are told to.
 */
export const startGroup = (company: CheckedCompany, options: GroupOptions): Group => {
  const { name, history, signal } = options;
  const tracker = createTracker(name);
  const clients = createClients(company, tracker, options);
  const observer = newPuller(company, history, { who: `${name}/observer`, limit: 3 });
  const newcomers: Puller[] = [];
  let welcomed = 0;
  const followers = Array.from({ length: followersCount }, (_, index) =>
    startFollower(`${name}/follower ${index}`, company, history),
  );
  const welcome = async (): Promise<void> => {
    const who = `${name}/newcomer ${(welcomed += 1)}`;
    const newcomer = newPuller(company, history, { who, limit: 2 });
    newcomers.push(newcomer);
    newcomers.splice(0, newcomers.length - newcomersKept);
    while (!signal.aborted && !(await pullPage(newcomer))) {
      await sleep(5);
    }
  };
  const ended = Promise.all([
    ...clients.map((client) => repeat(client.step, 5, signal)),
    repeat(() => pullPage(observer), 5, signal),
    repeat(welcome, welcomeEveryMs, signal),
  ]);
  return {
    ended: ended.then(() => undefined),
    judge: async (world) => {
      await settleAll(clients, followers);
      const last = newPuller(company, history, { who: `${name}/new client`, limit: 500 });
      const pullers = [observer, last, ...newcomers];
      await Promise.all(pullers.map((puller) => pullAll({ ...puller, limit: 500 })));
      const copies = [...clients, ...followers, ...pullers];
      await verifyCompany(world, { companyId: company.companyId, tracker, copies }, history);
    },
    stop: async () => {
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
};

/** Twice: the first round of the last client is news for all others. */
const settleAll = async (
  clients: readonly ModelClient[],
  followers: readonly Follower[],
): Promise<void> => {
  await Promise.all(clients.map((client) => client.settle()));
  await Promise.all(clients.map((client) => client.settle()));
  await sleep(quietMs);
  while (!followers.every((follower) => follower.isIdle())) {
    await sleep(50);
  }
};

const createClients = (
  company: CheckedCompany,
  tracker: Tracker,
  { name, clients, random, history }: GroupOptions,
): ModelClient[] => {
  const hotIds = Array.from({ length: hotNotes }, () => randomUUID());
  const beginnings = new Map(hardTexts.map((text) => [randomUUID(), text]));
  return Array.from({ length: clients }, (_, index) => {
    const who = `${name}/client ${index}`;
    const own = random.fork(who);
    return createModelClient({ who, company, tracker, history, random: own, hotIds, beginnings });
  });
};

const newPuller = (
  caller: CheckedCompany,
  history: History,
  { who, limit }: { readonly who: string; readonly limit: number },
): Puller => ({
  who,
  caller,
  copy: createCopy(who, caller.companyId, history),
  history,
  limit,
  cursor: null,
});

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
