import { pullFromOldCursor, replay } from './replay.ts';
import { background } from './background-sync.ts';
import type { NetworkFault } from './api-call.ts';
import { newClientState, type ClientOptions } from './client-state.ts';
import type { Replica } from './replica.ts';
import { edit } from './outbox.ts';
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

  const steps: readonly (readonly [upTo: number, step: () => unknown])[] = [
    [0.45, () => edit(client)],
    [0.85, maybeSynchronise],
    [0.9, () => put(client)],
    [0.94, () => replay(client)],
    [0.97, () => pullFromOldCursor(client)],
    [0.9995, () => background(client)],
    [1, () => mergeManyLines(client)],
  ];

  return {
    actor,
    replica: client.replica,
    step: async () => {
      const choice = random.next();
      await steps.find(([upTo]) => choice < upTo)?.[1]();
    },
    settle: async () => {
      for (let isSettled = false; !isSettled;) {
        isSettled = await synchronise(client, 'none');
      }
    },
  };
};
