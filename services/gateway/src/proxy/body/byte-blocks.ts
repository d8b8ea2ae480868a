/** The first block. It is not charged, because the limit on connections bounds these. */
const firstBytes = 16 * 1024;
const largestBytes = 256 * 1024;

/** Bytes that are copied into few large blocks as they arrive. */
export type ByteBlocks = {
  readonly add: (chunk: Buffer) => void;
  readonly bytes: () => number;
  /** The bytes added so far, in order. */
  readonly filled: () => Buffer[];
};

/**
 * Collects bytes. They are copied, because a chunk can be a single byte and still keep the packet in memory
 * that it came in. Blocks grow with the bytes that have arrived and not with `expected`, the announced length
 * (0: unknown). `onGrow` is called before each block but the first is allocated, and may throw.
 */
export const byteBlocks = (expected: number, onGrow: (bytes: number) => void): ByteBlocks => {
  const full: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  let total = 0;

  const grow = (): void => {
    const missing = expected > total ? expected - total : Infinity;
    const size = Math.min(Math.max(firstBytes, total), largestBytes, missing);
    if (total > 0) {
      onGrow(size);
      full.push(block);
    }
    block = Buffer.allocUnsafeSlow(size);
    used = 0;
  };

  return {
    add: (chunk) => {
      for (let from = 0; from < chunk.length;) {
        if (used === block.length) {
          grow();
        }
        const copied = chunk.copy(block, used, from);
        from += copied;
        used += copied;
        total += copied;
      }
    },
    bytes: () => total,
    filled: () => [...full, block.subarray(0, used)],
  };
};
