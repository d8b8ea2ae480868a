/**
 * Goes on when nobody reads what is said any more: the terminal or the program behind a pipe is gone (EPIPE), or
 * the file is on a full disk. Without a listener the first such line would end the process amid its work.
 */
export const surviveLostOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => undefined);
  }
};
