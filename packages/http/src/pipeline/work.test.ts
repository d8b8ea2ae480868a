import { describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { workOf, type WorkLimits } from './work.ts';

const company = companyId.parse(newId());

/** Limits that note what waits in them. */
const notedLimits = () => {
  const waited: string[] = [];
  const limits: WorkLimits = {
    heavy: (_companyId, heldBytes, work) => {
      waited.push(`heavy ${heldBytes}`);
      return work();
    },
    read: (_companyId, bytes, read) => {
      waited.push(`read ${bytes}`);
      return read();
    },
    readInSlot: (bytes, read) => {
      waited.push(`in slot ${bytes}`);
      return read();
    },
    freeBytes: 10,
  };
  return { limits, waited };
};

const parts = async function* () {
  yield 1;
  yield 2;
};

describe('the work of a request', () => {
  it('waits, is checked again, and runs', async () => {
    const { limits, waited } = notedLimits();
    const work = workOf(limits, company, async () => void waited.push('checked'));
    const note = async () => void waited.push('ran');
    await work.read(11, note);
    await work.heavy((inSlot) => inSlot.read(5, note), 7);
    for await (const part of work.stream(parts())) {
      waited.push(`part ${part}`);
    }
    expect(waited.join(', ')).toBe(
      'read 11, checked, ran, heavy 7, checked, in slot 5, checked, ran, heavy 0, checked, part 1, part 2',
    );
  });

  it('of few bytes neither waits nor is checked', async () => {
    const { limits, waited } = notedLimits();
    const work = workOf(limits, company, () => Promise.reject(new Error('no longer')));
    expect(await work.read(10, async () => 'read')).toBe('read');
    expect(await work.read(11, async () => 'read', 11)).toBe('read');
    expect(waited).toEqual([]);
  });

  it('does nothing for a caller who lost access while it waited', async () => {
    const { limits } = notedLimits();
    const work = workOf(limits, company, () => Promise.reject(new Error('no longer')));
    let hasRun = false;
    const run = async () => void (hasRun = true);
    await expect(work.read(11, run)).rejects.toThrow('no longer');
    await expect(work.heavy(run)).rejects.toThrow('no longer');
    await expect(work.stream(parts()).next()).rejects.toThrow('no longer');
    expect(hasRun).toBe(false);
  });

  it('reads what the request has written without a check', async () => {
    const { limits, waited } = notedLimits();
    const work = workOf(limits, company, () => Promise.reject(new Error('no longer')));
    expect(await work.readWritten(11, async () => 'written')).toBe('written');
    expect(waited).toEqual(['read 11']);
  });

  it('runs at once without limits or without a company', async () => {
    const { limits, waited } = notedLimits();
    for (const work of [
      workOf(undefined, company, async () => undefined),
      workOf(limits, null, async () => undefined),
    ]) {
      expect(await work.read(11, async () => 'read')).toBe('read');
      expect(await work.heavy(async () => 'heavy')).toBe('heavy');
    }
    expect(waited).toEqual([]);
  });
});
