/** In a process that `run-child` started: reads the input, and sends back what `work` makes of it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the caller knows what crosses to its process
export const asChild = <Input>(work: (input: Input) => Promise<unknown>): void => {
  process.once('disconnect', () => process.exit(0));
  process.once('message', (message) => {
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
