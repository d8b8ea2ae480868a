import { createAuthenticator } from '@commonplace/testkit/authenticator';
import { createApi, type Api } from '../call-api.ts';
import { bodyOf, headersOf, type Headers } from './response-of.ts';

/** A device with a passkey of an operator. */
export type Device = {
  readonly passkeyId: string;
  /** The response to the options of a sign-in, through a gateway; the first one may have moved. */
  readonly prove: (baseUrl: string, firstGateway?: string) => Promise<object>;
};

type Options = { readonly options: { readonly challenge: string } };

/** Adds a passkey for the operator of a session. Passkeys are for `localhost`, which names the first gateway. */
export const addPasskey = async (api: Api, firstGateway: string): Promise<Device> => {
  const device = createAuthenticator();
  const begun = bodyOf(await api('POST', '/api/auth/passkeys/options'), 200) as Options;
  const response = device.register(begun.options.challenge, {
    origin: originOf(firstGateway),
  });
  const body = { name: 'Laptop', response };
  const { id } = bodyOf(await api('POST', '/api/auth/passkeys', { body }), 201) as { id: string };
  const prove: Device['prove'] = async (baseUrl, gateway = firstGateway) => {
    const page = createApi({ baseUrl, headers: { origin: baseUrl } });
    const path = '/api/auth/login/passkey/options';
    const { options } = bodyOf(await page('POST', path), 200) as Options;
    return device.authenticate(options.challenge, { origin: originOf(gateway) });
  };
  return { passkeyId: id, prove };
};

const originOf = (gateway: string): string => gateway.replace('127.0.0.1', 'localhost');

/** Signs in with a passkey, and returns the headers a browser would send from then on. */
export const signInWithPasskey = async (
  baseUrl: string,
  device: Device,
  firstGateway?: string,
): Promise<Headers> => {
  const body = { response: await device.prove(baseUrl, firstGateway) };
  const page = createApi({ baseUrl, headers: { origin: baseUrl } });
  return headersOf(baseUrl, await page('POST', '/api/auth/login/passkey', { body }));
};
