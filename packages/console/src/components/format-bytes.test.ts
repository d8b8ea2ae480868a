import { expect, it } from '@jest/globals';
import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 KB'],
  [99_949, '99.9 KB'],
  [99_950, '100 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [12_345_678_901, '12.3 GB'],
  [5e15, '5000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
