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

type Message = 'confirmed' | 'received';

/** Calls the listener for messages of other windows of this origin; returns what sends one, and what ends that. */
const openChannel = (listener: (message: Message) => void) => {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    send: (message: Message) => channel.postMessage(message),
    close: () => channel.close(),
  };
};

/**
 * Reports that the sign-in in this window is complete, and calls the listener if a page waited for it.
 * Returns what ends that.
 */
export const reportConfirmed = (onReceived: () => void): (() => void) => {
  const channel = openChannel((message) => message === 'received' && onReceived());
  channel.send('confirmed');
  return channel.close;
};

/** Calls the listener when a sign-in in another window is complete; returns what ends that. */
export const onConfirmed = (listener: () => void): (() => void) => {
  const channel = openChannel((message) => {
    if (message === 'confirmed') {
      channel.send('received');
      listener();
    }
  });
  return channel.close;
};
