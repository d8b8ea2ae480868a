import { expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { zipOf } from './zip-of.ts';

const zipWith = async (count: number): Promise<Uint8Array> => {
  const files = async function* () {
    for (let number = 1; number <= count; number += 1) {
      yield { name: `n/${number}.md`, input: String(number), lastModified: new Date(2026, 0, 9) };
    }
  };
  return new Uint8Array(await new Response(zipOf(files()) as BodyInit).arrayBuffer());
};

it.each([0, 1, 65_534, 65_536])('a zip of %d files has each of them', async (count) => {
  const files = unzipSync(await zipWith(count));
  expect(Object.keys(files).length).toBe(count);
  expect(files[`n/${count}.md`]).toEqual(
    count === 0 ? undefined : new TextEncoder().encode(String(count)),
  );
});

it('the number of files stands where programs that follow the format look for it', async () => {
  const zip = await zipWith(65_535);
  const view = new DataView(zip.buffer);
  const locator = zip.length - 22 - 20;
  expect(view.getUint32(locator, true)).toBe(0x07_06_4b_50);
  const end = Number(view.getBigUint64(locator + 8, true));
  expect(end).toBe(locator - 56);
  expect(view.getUint32(end, true)).toBe(0x06_06_4b_50);
  expect(view.getBigUint64(end + 32, true)).toBe(65_535n);
  const directory = Number(view.getBigUint64(end + 48, true));
  expect(view.getUint32(directory, true)).toBe(0x02_01_4b_50);
  expect(directory + Number(view.getBigUint64(end + 40, true))).toBe(end);
});
