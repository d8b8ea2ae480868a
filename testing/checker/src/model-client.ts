import { pullFromOldCursor, replay } from './replay.ts';
import { background } from './background-sync.ts';
import type { NetworkFault } from './api-call.ts';
import { newClientState, type ClientOptions } from './client-state.ts';
import type { Replica } from './replica.ts';
import { openLog } from './open-log.ts';
import { edit } from './outbox.ts';
import { patch } from './patch-note.ts';
import { mergeManyLines } from './merge-many-lines.ts';
import { put } from './put-note.ts';
import { synchronise } from './synchronise.ts';

/** A client with its own store, outbox and cursor, independent of packages/client. */
export type ModelClient = {
  readonly actor: string;
  readonly replica: Replica;
  /** Performs one random action. */
  readonly step: () => Promise<void>;
  /** Synchronises until nothing is left to push or pull. */
  readonly settle: () => Promise<void>;
};

const networkFaults: readonly NetworkFault[] = [
  'none',
  'none',
  'none',
  'request lost',
  'response lost',
  'cut midway',
  'sent twice',
];

/** A step, and the sum of its probability and those before it. */
type Step = readonly [upTo: number, step: () => unknown];

/** Begins with nothing. */
export const createModelClient = (options: ClientOptions): ModelClient => {
  const { actor, random } = options;
  const client = newClientState(options);
  let spellsOffline = 0;

  const maybeSynchronise = async (): Promise<void> => {
    spellsOffline =
      spellsOffline > 0 ? spellsOffline - 1 : random.chance(0.05) ? random.below(15) : 0;
    if (spellsOffline === 0) {
      await synchronise(client, random.pick(networkFaults));
    }
  };

  const steps: Readonly<Record<ClientOptions['mix'], readonly Step[]>> = {
    all: [
      [0.4, () => edit(client)],
      [0.75, maybeSynchronise],
      [0.85, () => patch(client, random.pick(networkFaults))],
      [0.9, () => put(client)],
      [0.94, () => replay(client)],
      [0.97, () => pullFromOldCursor(client)],
      [0.9995, () => background(client)],
      [1, () => mergeManyLines(client)],
    ],
    edits: [
      [0.5, () => patch(client, random.pick(networkFaults))],
      [0.6, () => openLog(client, random.pick(networkFaults))],
      [0.75, () => edit(client)],
      [0.97, maybeSynchronise],
      [1, () => replay(client)],
    ],
  };

  return {
    actor,
    replica: client.replica,
    step: async () => {
      const choice = random.next();
      await steps[options.mix].find(([upTo]) => choice < upTo)?.[1]();
    },
    settle: async () => {
      while (client.patch !== null) {
        await patch(client, 'none');
      }
      for (let isSettled = false; !isSettled;) {
        isSettled = await synchronise(client, 'none');
      }
    },
  };
};
