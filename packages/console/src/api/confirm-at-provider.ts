const channelName = 'commonplace-confirmed';

/** The page where a sign-in in a window of its own ends. */
const confirmedPath = '/confirmed';

/** The address that requests a new sign-in at the provider, even with a session there. */
const startAt = (returnTo: string): string =>
  `/api/auth/oidc/start?${new URLSearchParams({ reauthenticate: 'true', returnTo }).toString()}`;

/** Begins a new sign-in at the provider in this window, which then opens this path. */
export const signInAgain = (returnTo: string): void => {
  location.assign(startAt(returnTo));
};

/**
 * Begins a new sign-in at the provider in a window of its own, so that this page keeps what is being done;
 * in this window where the browser opens no other. The page cannot see the other window: it has another
 * origin, and the console isolates itself from those.
 */
export const confirmAtProvider = (): void => {
  if (!window.open(startAt(confirmedPath), '_blank', 'popup,width=520,height=720')) {
    signInAgain(`${location.pathname}${location.search}`);
  }
};

/** Reports to the page that waits that the sign-in in this window is complete. */
export const reportConfirmed = (): void => {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage(true);
  channel.close();
};

/** Calls the listener when a sign-in in another window is complete; returns what ends that. */
export const onConfirmed = (listener: () => void): (() => void) => {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', listener);
  return () => channel.close();
};
