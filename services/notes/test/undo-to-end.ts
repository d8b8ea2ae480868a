import { setTimeout as sleep } from 'node:timers/promises';
import type { Undo } from '@commonplace/contracts';
import type { NotesWorld } from './notes-world.ts';

type Call = ReturnType<NotesWorld['as']>;

/** Waits until an undo is done, or as far as that. */
export const untilUndo = async (
  call: Call,
  id: string,
  isReached = ({ finishedAt }: Undo): boolean => finishedAt !== null,
): Promise<Undo> => {
  for (;;) {
    const { body } = await call.get(`/api/notes/undo/${id}?limit=200`).expect(200);
    const undo = body as Undo;
    if (isReached(undo)) {
      return undo;
    }
    await sleep(10);
  }
};

/** Undoes, waits for the end and returns the undo. */
export const undoToEnd = async (call: Call, request: object): Promise<Undo> => {
  const { body } = await call.post('/api/notes/undo').send(request).expect(202);
  return untilUndo(call, (body as { readonly id: string }).id);
};
