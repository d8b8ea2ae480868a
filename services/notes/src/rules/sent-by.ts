/** A version that is stored exactly as a client sent it. */
type SentVersion = { readonly revision: number; readonly sentBy: string | null };

/** The name of the client that sent a version exactly as it is stored. */
export const sentByOf = (revision: number, clientId: string): string => `${revision}:${clientId}`;

/** Whether a client sent the version as it is stored; null: any client. */
export const wasSentBy = ({ revision, sentBy }: SentVersion, clientId: string | null): boolean =>
  sentBy !== null &&
  (clientId === null
    ? sentBy.startsWith(sentByOf(revision, ''))
    : sentBy === sentByOf(revision, clientId));
