/** Runs `work` on each input in a process that `run-child` started, and sends its results back. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the caller knows the type of the input
export const asChild = <Input>(work: (input: Input) => Promise<unknown>): void => {
  process.once('disconnect', () => process.exit(0));
  process.on('message', (message) => {
    const { input } = message as { input: Input };
    work(input).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
};
