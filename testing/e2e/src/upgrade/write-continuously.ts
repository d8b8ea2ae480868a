import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPatientClient,
  type PatientClient,
  type PatientOptions,
  type Waits,
} from './patient-client.ts';

type WritersOptions = PatientOptions & {
  /** Notes that were there before, each at revision 1 with its content. */
  readonly stored: readonly StoredNote[];
  readonly writers: number;
};

type StoredNote = { readonly id: string; readonly content: string };

/** Writers that retry each write until it is acknowledged. */
export type Writers = {
  /** The contents that the notes must have, by id. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** The number of notes they created. */
  readonly created: () => number;
  readonly waits: Waits;
  /** Responses other than success and unavailability. */
  readonly failures: readonly string[];
  /** Stops the writers after their current writes. */
  readonly stop: () => Promise<void>;
};

const pauseMs = 20;

/** Starts writers that create notes by PUT, and edit new and stored notes through sync. */
export const writeContinuously = (options: WritersOptions): Writers => {
  const { stored, writers } = options;
  const client = createPatientClient(options);
  const stopping = new AbortController();
  const acknowledged = new Map<string, string>();
  let created = 0;
  const writer = async (number: number): Promise<void> => {
    const own = stored.filter((_, index) => index % writers === number);
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const id = randomUUID();
      if (await create(client, { id, content: `Written during an upgrade: ${id}` })) {
        created += 1;
      }
      const old = own[turn];
      const edits = [
        { id, content: `Edited during an upgrade: ${id}` },
        ...(old ? [{ id: old.id, content: `${old.content}\nEdited during an upgrade.` }] : []),
      ];
      for (const note of edits) {
        if (await edit(client, note)) {
          acknowledged.set(note.id, note.content);
        }
      }
      await sleep(pauseMs);
    }
  };
  const working = Promise.all(Array.from({ length: writers }, (_, number) => writer(number)));
  return {
    acknowledged,
    created: () => created,
    waits: client.waits,
    failures: client.failures,
    stop: async () => {
      stopping.abort();
      await working;
    },
  };
};

const create = async ({ write }: PatientClient, { id, content }: StoredNote): Promise<boolean> => {
  const body = { title: `Written ${id}`, content, folder: 'written' };
  return (await write({ method: 'PUT', path: `/api/notes/${id}`, body })) !== null;
};

const edit = async (
  { write, failures }: PatientClient,
  { id, content }: StoredNote,
): Promise<boolean> => {
  const note = { title: `Edited ${id}`, content, folder: 'edited' };
  const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note };
  const body = { clientId: `writer-${id}`, limit: 1, changes: [change] };
  const result = await write({ method: 'POST', path: '/api/sync', body });
  const { results } = (result ?? { results: [] }) as { results: readonly { status: string }[] };
  const isApplied = results[0]?.status === 'applied';
  if (!isApplied) {
    failures.push(`edit of ${id}: ${JSON.stringify(results)}`);
  }
  return isApplied;
};
