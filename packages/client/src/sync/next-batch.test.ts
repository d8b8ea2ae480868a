import { expect, it } from '@jest/globals';
import { editNote } from './edit-note.ts';
import { unknownNote } from './local-note.ts';
import { noteText } from './note-text.ts';
import { openReplica } from './replica.ts';
import { createMemoryStore } from './sync-store.ts';
import { foregroundLimits, nextBatch } from './next-batch.ts';

it('the size of a batch is measured in bytes, not in characters', async () => {
  const replica = await openReplica(createMemoryStore());
  for (let count = 0; count < 500; count += 1) {
    const text = noteText({ content: '記'.repeat(7_000) });
    replica.setNote(editNote(unknownNote(crypto.randomUUID()), text, { revision: null }));
  }
  const { batch } = nextBatch(replica, foregroundLimits);
  const bytes = new TextEncoder().encode(JSON.stringify(batch)).length;
  expect(bytes).toBeLessThan(foregroundLimits.bytes * 1.01);
  expect(bytes).toBeGreaterThan(foregroundLimits.bytes * 0.9);
});
