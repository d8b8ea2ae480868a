import { describe, expect, it } from '@jest/globals';
import { TextsNotEmbeddedError, type Embed } from './create-client.ts';
import { createQueryVectors } from './query-vectors.ts';

describe('the vector of a query', () => {
  it('is not waited for from a silent service, which then is not requested for ten seconds', async () => {
    let [requests, nowMs] = [0, 0];
    const silent: Embed = () => {
      requests += 1;
      return new Promise(() => undefined);
    };
    const vectorOfQuery = createQueryVectors(silent, () => nowMs);
    expect(await vectorOfQuery('first')).toBeNull();
    expect(await vectorOfQuery('second')).toBeNull();
    expect(requests).toBe(1);
    nowMs = 10_001;
    expect(await vectorOfQuery('third')).toBeNull();
    expect(requests).toBe(2);
  });

  it('that the service refuses pauses no other query', async () => {
    const vectorOfQuery = createQueryVectors(async ({ texts: [text] }) => {
      if (text === 'refused') {
        throw new TextsNotEmbeddedError('status 400', 'refused');
      }
      return [Int8Array.of(1, 2)];
    });
    expect(await vectorOfQuery('refused')).toBeNull();
    expect(await vectorOfQuery('other')).toEqual(Int8Array.of(1, 2));
  });

  it('is requested once and remembered', async () => {
    let requests = 0;
    const vectorOfQuery = createQueryVectors(async () => {
      requests += 1;
      return [Int8Array.of(1, 2)];
    });
    const both = await Promise.all([vectorOfQuery('query'), vectorOfQuery('query')]);
    expect([...both, await vectorOfQuery('query')]).toEqual(Array(3).fill(Int8Array.of(1, 2)));
    expect(requests).toBe(1);
  });
});
