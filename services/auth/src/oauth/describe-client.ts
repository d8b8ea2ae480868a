import type { Consent } from '@commonplace/contracts/auth';
import { isOnThisMachine } from './client-metadata.ts';

type NamedClient = {
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly redirectUri: string;
};

const nameCharactersMax = 100;

/** Control and formatting characters, which could make a name look like another text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Who an app is, as far as anybody can know: by the host that published its metadata, or where it is sent back to. */
export const describeClient = ({
  clientId,
  clientName,
  redirectUri,
}: NamedClient): Consent['client'] => {
  const { protocol, host } = new URL(redirectUri);
  const redirectHost = /^https?:$/.test(protocol) ? host : `${protocol}//${host}`;
  const isNamedByHost = clientId.startsWith('https://');
  const line = (clientName ?? '').replaceAll(invisible, ' ').replaceAll(/\s+/g, ' ').trim();
  // By code points, and again without a blank at the end: half a character or a blank there is no name of a connection.
  const name = [...line].slice(0, nameCharactersMax).join('').trim();
  return {
    name: name === '' ? null : name,
    host: isNamedByHost ? new URL(clientId).host : redirectHost,
    redirectHost,
    isLoopback: isOnThisMachine(redirectUri),
    isNamedByHost,
  };
};
