/**
 * Sends the setup link to the supervisor, if there is one, because it logs our output and the token
 * must not be logged. Prints it to standard output otherwise.
 */
export const announceSetupLink = (url: string): void => {
  if (process.send) {
    process.send({ type: 'setup_link', url });
  } else {
    process.stdout.write(`Create the first operator here (the link works once): ${url}\n`);
  }
};
