import { pullFromOldCursor, replay } from './ask-again.ts';
import { background } from './background.ts';
import type { Mishap } from './call.ts';
import { newClientState, type ClientOptions } from './client-state.ts';
import type { Copy } from './copy.ts';
import { edit } from './outbox.ts';
import { mergeManyLines } from './merge-many-lines.ts';
import { put } from './put-note.ts';
import { synchronise } from './synchronise.ts';

/** A client with a store, an outbox and a cursor of its own, written only to judge the server by. */
export type ModelClient = {
  readonly who: string;
  readonly copy: Copy;
  /** Does one thing, chosen at random. */
  readonly step: () => Promise<void>;
  /** Sends and pulls until nothing is left. */
  readonly settle: () => Promise<void>;
};

const mishaps: readonly Mishap[] = [
  'none',
  'none',
  'none',
  'request lost',
  'answer lost',
  'cut midway',
  'sent twice',
];

/** Begins with nothing. */
export const createModelClient = (options: ClientOptions): ModelClient => {
  const { who, random } = options;
  const client = newClientState(options);
  let spellsOffline = 0;

  const maybeSynchronise = async (): Promise<void> => {
    spellsOffline =
      spellsOffline > 0 ? spellsOffline - 1 : random.chance(0.05) ? random.below(15) : 0;
    if (spellsOffline === 0) {
      await synchronise(client, random.pick(mishaps));
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
    who,
    copy: client.copy,
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
