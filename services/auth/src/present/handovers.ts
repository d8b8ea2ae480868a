/** The link that takes an account. The token is in the fragment, which browsers do not send. */
export const handoverUrl = (consoleUrl: string, token: string): string =>
  `${consoleUrl}/handover#token=${token}`;
