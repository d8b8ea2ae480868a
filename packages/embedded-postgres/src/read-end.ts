import { open } from 'node:fs/promises';

type Part = {
  /** The first byte; default: the beginning of the file. */
  readonly from?: number;
  readonly bytesMax: number;
};

/** The end of a file from a byte on, and of that at most so many bytes: a log may have grown to gigabytes. */
export const readEnd = async (path: string, { from = 0, bytesMax }: Part): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(Math.min(from, size), size - bytesMax);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), { position: start });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
