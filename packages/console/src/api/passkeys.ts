import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Schema } from '@commonplace/client';
import { api } from './api.ts';

/** Loaded when a passkey is used, so that the sign-in page stays small. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** Lets a passkey of this device or a security key sign a challenge of the server. */
export const assertPasskey = async (): Promise<Schema<'AuthenticationResponse'>> => {
  const { data } = await api.post('/api/auth/login/passkey/options');
  const optionsJSON = data.options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await loadLibrary();
  const response = await startAuthentication({ optionsJSON });
  return response as unknown as Schema<'AuthenticationResponse'>;
};

/** Creates a passkey and registers it under a name. */
export const addPasskey = async (name: string): Promise<void> => {
  const { data } = await api.post('/api/auth/passkeys/options');
  const optionsJSON = data.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { startRegistration } = await loadLibrary();
  const created = await startRegistration({ optionsJSON });
  const response = created as unknown as Schema<'RegistrationResponse'>;
  await api.post('/api/auth/passkeys', { body: { name, response } });
};

/** Whether the browser makes passkeys for this page: not without TLS, and not for an address. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname);

/** Whether the operator closed the dialog of the browser, or it found no passkey. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Whether the device that was chosen holds a passkey of this account already. */
export const isAlreadyAdded = (error: unknown): boolean =>
  error instanceof Error && error.name === 'InvalidStateError';
