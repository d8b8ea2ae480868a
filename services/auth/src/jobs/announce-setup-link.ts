/**
 * Shows the setup link: to the supervisor, which tells people itself and takes our output for a log,
 * where the token must not stand; without a supervisor on standard output.
 */
export const announceSetupLink = (url: string): void => {
  if (process.send) {
    process.send({ type: 'setup_link', url });
  } else {
    process.stdout.write(`Create the first operator here (the link works once): ${url}\n`);
  }
};
