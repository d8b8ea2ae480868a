/** The smallest block. It is charged to nobody: the limit on connections bounds these. */
const firstBytes = 16 * 1024;
const largestBytes = 256 * 1024;

/** Bytes as they arrive, copied into few large blocks. */
export type ByteBlocks = {
  readonly add: (chunk: Buffer) => void;
  readonly bytes: () => number;
  /** What was added, in order. */
  readonly filled: () => Buffer[];
};

/**
 * Collects bytes. They are copied because a chunk may be a single byte, and yet each costs an object and
 * keeps the packet alive that it came in. Blocks grow with what is there, so that little is taken on
 * somebody's word (`expected`: so many bytes, 0: unknown); `onGrow` hears of every block but the first, before it is made, and may throw.
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
