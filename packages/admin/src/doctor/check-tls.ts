import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { failure, ok, skipped, warning, type Finding } from '@commonplace/checks';
import type { Deployment } from './deployment.ts';

const daysMin = 14;

/** Checks that browsers use https, with a certificate that is trusted and does not expire soon. */
export const checkTls = async ({ env }: Deployment): Promise<Finding[]> => {
  const publicUrl = env['PUBLIC_URL'];
  if (!publicUrl) {
    return [skipped('TLS', 'PUBLIC_URL is not set: this deployment is for this machine only')];
  }
  const url = new URL(publicUrl);
  if (url.protocol !== 'https:') {
    return [
      warning(
        'TLS',
        `${publicUrl} is not https: session cookies are sent unencrypted, without the __Host- prefix`,
        'Put a TLS proxy in front (infra/nginx) and set PUBLIC_URL to its https origin.',
      ),
    ];
  }
  const found = await certificateOf(url);
  if ('problem' in found) {
    return [findingOf(publicUrl, found)];
  }
  const days = Math.floor((Date.parse(found.valid_to) - Date.now()) / 86_400_000);
  return [
    days < daysMin
      ? warning('TLS', `the certificate expires in ${days} days`, 'Renew it now.')
      : ok('TLS', `the certificate is valid for ${days} days`),
    env['TRUST_PROXY']
      ? ok('TRUST_PROXY', `trusts ${env['TRUST_PROXY']}`)
      : warning(
          'TRUST_PROXY',
          'is not set behind a proxy: all clients count as one address',
          'Set it to the address or network of the proxy.',
        ),
  ];
};

/** From its own network a proxy may be out of reach; what is wrong with its certificate holds everywhere. */
const findingOf = (publicUrl: string, { problem, isReached }: Unchecked): Finding =>
  isReached
    ? failure('TLS', `${publicUrl}: ${problem}`, 'Renew or fix the certificate of the proxy.')
    : warning(
        'TLS',
        `${publicUrl} cannot be reached from here: ${problem}`,
        'Open it from outside. If that fails too, see whether its name leads to the proxy, and whether that runs.',
      );

type Unchecked = { readonly problem: string; readonly isReached: boolean };

const certificateOf = (url: URL): Promise<{ readonly valid_to: string } | Unchecked> =>
  new Promise((resolve) => {
    let isReached = false;
    const port = Number(url.port) || 443;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An address is never sent as the name of the server.
    const named = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...named }, () => {
      resolve(socket.getPeerCertificate());
      socket.end();
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error('no response within 5 s')));
    socket.once('connect', () => {
      isReached = true;
    });
    socket.once('error', ({ message }) => resolve({ problem: message, isReached }));
  });
