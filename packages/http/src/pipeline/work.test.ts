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

const connected = { res: { closed: false }, recheck: async () => undefined };
const refused = { ...connected, recheck: () => Promise.reject(new Error('no longer')) };

describe('the work of a request', () => {
  it('waits, is checked again, and runs', async () => {
    const { limits, waited } = notedLimits();
    const work = workOf(limits, company, {
      ...connected,
      recheck: async () => void waited.push('checked'),
    });
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
    const work = workOf(limits, company, refused);
    expect(await work.read(10, async () => 'read')).toBe('read');
    expect(await work.read(11, async () => 'read', 11)).toBe('read');
    expect(waited).toEqual([]);
  });

  it('does nothing for a caller who lost access while it waited', async () => {
    const { limits } = notedLimits();
    const work = workOf(limits, company, refused);
    let hasRun = false;
    const run = async () => void (hasRun = true);
    await expect(work.read(11, run)).rejects.toThrow('no longer');
    await expect(work.heavy(run)).rejects.toThrow('no longer');
    await expect(work.stream(parts()).next()).rejects.toThrow('no longer');
    expect(hasRun).toBe(false);
  });

  it('is not begun when its client has gone while it waited, except reads in a slot that it has', async () => {
    const res = { closed: false };
    const { limits } = notedLimits();
    const { promise: slot, resolve: admit } = Promise.withResolvers<void>();
    const heavy: WorkLimits['heavy'] = (_companyId, _bytes, run) => slot.then(run);
    const work = workOf({ ...limits, heavy }, company, { ...connected, res });
    let hasRun = false;
    const waiting = work.heavy(async () => void (hasRun = true));
    res.closed = true;
    admit();
    await expect(waiting).rejects.toMatchObject({ code: 'busy' });
    await expect(work.read(11, async () => void (hasRun = true))).rejects.toMatchObject({
      code: 'busy',
    });
    await expect(work.stream(parts()).next()).rejects.toMatchObject({ code: 'busy' });
    expect(hasRun).toBe(false);
    res.closed = false;
    const begun = work.heavy(async (inSlot) => {
      res.closed = true;
      return inSlot.read(5, async () => 'read');
    });
    expect(await begun).toBe('read');
  });

  it('reads what the request has written without a check', async () => {
    const { limits, waited } = notedLimits();
    const work = workOf(limits, company, refused);
    expect(await work.readWritten(11, async () => 'written')).toBe('written');
    expect(waited).toEqual(['read 11']);
  });

  it('runs at once without limits or without a company', async () => {
    const { limits, waited } = notedLimits();
    for (const work of [workOf(undefined, company, connected), workOf(limits, null, connected)]) {
      expect(await work.read(11, async () => 'read')).toBe('read');
      expect(await work.heavy(async () => 'heavy')).toBe('heavy');
    }
    expect(waited).toEqual([]);
  });
});
