import { makeZip } from 'client-zip';
import type { ExportedFile } from './file-of-note.ts';

/**
 * Returns a zip of any number of files. client-zip writes a number above 65,534 where programs look for it (zip64) only
 * in a zip of more than 4 GiB: without it they report a damaged zip, or leave the others out.
 */
export const zipOf = (files: AsyncIterable<ExportedFile>): ReadableStream<Uint8Array> => {
  let count = 0;
  const counted = async function* () {
    for await (const file of files) {
      count += 1;
      yield file;
    }
  };
  let last: Uint8Array | null = null;
  const completed = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (last !== null) {
        controller.enqueue(last);
      }
      last = chunk;
    },
    flush: (controller) => {
      if (last !== null) {
        controller.enqueue(withCount(last, count));
      }
    },
  });
  return makeZip(counted()).pipeThrough(completed);
};

const end = { signature: 0x06_05_4b_50, bytes: 22 };
const end64 = { signature: 0x06_06_4b_50, bytes: 56 };
const locator = { signature: 0x07_06_4b_50, bytes: 20 };
/** Stands for a value that is at the end of zip64. */
const beyond32Bits = 0xff_ff_ff_ff;

/** Puts the end of zip64 before that of a zip with at least 65,535 files, unless it is there. All numbers are little-endian. */
const withCount = (record: Uint8Array, count: number): Uint8Array => {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  if (count < 0xff_ff || view.byteLength !== end.bytes) {
    return record;
  }
  const size = view.getUint32(12, true);
  const offset = view.getUint32(16, true);
  if (view.getUint32(0, true) !== end.signature || offset === beyond32Bits) {
    return record;
  }
  const bytes = new Uint8Array(end64.bytes + locator.bytes + end.bytes);
  const out = new DataView(bytes.buffer);
  out.setUint32(0, end64.signature, true);
  out.setBigUint64(4, BigInt(end64.bytes - 12), true);
  // Made and read by version 4.5 of the format or later.
  out.setUint16(12, 45, true);
  out.setUint16(14, 45, true);
  out.setBigUint64(24, BigInt(count), true);
  out.setBigUint64(32, BigInt(count), true);
  out.setBigUint64(40, BigInt(size), true);
  out.setBigUint64(48, BigInt(offset), true);
  out.setUint32(end64.bytes, locator.signature, true);
  out.setBigUint64(end64.bytes + 8, BigInt(offset + size), true);
  out.setUint32(end64.bytes + 16, 1, true);
  bytes.set(record, end64.bytes + locator.bytes);
  return bytes;
};
