/** What takes the lines in the end, as `pino.destination` does. */
type Destination = { readonly write: (text: string) => unknown; readonly flushSync: () => void };

/**
 * As long as what one write of the destination takes. A write for every line was a tenth of what the gateway
 * did; the destination's own buffer measures all it holds again with each line.
 */
const blockLengthMin = 16 * 1_024;
const heldMsMax = 100;

/**
 * Hands lines on in blocks, a tenth of a second late at most; those of a process that ends leave before it
 * does, and a fatal one, after which pino calls `flushSync`, at once.
 */
export const inBlocks = (destination: Destination): Destination => {
  let lines: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  let isUsed = false;

  const handOn = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (length > 0) {
      const block = lines.join('');
      lines = [];
      length = 0;
      destination.write(block);
    }
  };

  return {
    write: (line) => {
      if (!isUsed) {
        isUsed = true;
        // Before the listeners of the destination, which write out what it has been given.
        process.prependListener('beforeExit', handOn).prependListener('exit', handOn);
      }
      lines.push(line);
      length += line.length;
      if (length >= blockLengthMin) {
        handOn();
      } else {
        timer ??= setTimeout(handOn, heldMsMax).unref();
      }
    },
    flushSync: () => {
      handOn();
      destination.flushSync();
    },
  };
};
