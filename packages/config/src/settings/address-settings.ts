import { z } from 'zod';
import { listOf, network, origin, port } from '../fields.ts';
import type { SettingRow } from './setting.ts';

/** Where the system is reached, and by whom. */
export const addressSettings = [
  {
    about:
      "the gateway's address. A taken port is an error naming it, never another port. Internal services use free loopback ports",
    settings: {
      HOST: {
        comment:
          'Address and port at which the gateway is published on this host. Leave the address at loopback and put a proxy that ends TLS in front of it: infra/nginx has an example.',
        field: z.string(),
        default: '127.0.0.1',
        readBy: [],
      },
      PORT: { field: port, default: '8080', readBy: [] },
    },
  },
  {
    defaults: '`http://127.0.0.1:PORT` and `http://localhost:PORT`',
    about: 'the origin browsers use; decides allowed `Origin`, cookie `Secure` and `__Host-`',
    settings: {
      PUBLIC_URL: {
        comment:
          'The origin browsers use, https://… behind that proxy. It decides links, allowed origins and whether cookies are for https only. Default: http://127.0.0.1:PORT and http://localhost:PORT.',
        field: origin,
        readBy: ['gateway', 'auth', 'agents'],
      },
    },
  },
  {
    about: 'the peer addresses or networks that may set `X-Forwarded-*`',
    settings: {
      TRUST_PROXY: {
        comment:
          "Addresses or networks of proxies that may set X-Forwarded-For, separated by commas: with a proxy on this host that is the gateway of Docker's network, for example 172.16.0.0/12. Without it all who come through a proxy count as one address, and one client's wrong credentials slow down everybody behind it.",
        field: listOf(network),
        default: '',
        readBy: ['gateway'],
      },
    },
  },
  {
    about:
      'origins from which browsers may call with a bearer, never with cookies. By default there are no CORS headers',
    settings: {
      CORS_ORIGINS: {
        comment:
          'Origins of web pages that may call with a bearer, separated by commas. Never with cookies.',
        field: listOf(origin),
        default: '',
        readBy: ['gateway'],
      },
    },
  },
] as const satisfies readonly SettingRow[];
