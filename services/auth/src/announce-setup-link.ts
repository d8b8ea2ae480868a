/**
 * Sends the setup link to the supervisor, if there is one, because it logs our output and the token
 * must not be logged. Prints it to standard output otherwise. Each auth process makes a link, which ends those of the others.
 */
export const announceSetupLink = (url: string): void => {
  if (process.send) {
    process.send({ type: 'setup_link', url });
  } else {
    process.stdout.write(
      `Create the first operator here (works once; of several links only the newest): ${url}\n`,
    );
  }
};
