import { z } from 'zod';
import { deploymentMode, listOf, onOrOff } from '../fields.ts';
import { isLoopback } from '../is-loopback.ts';
import type { SettingRow } from './setting.ts';

const password = z
  .string()
  .refine((text) => lengthOf(text) >= 15 && lengthOf(text) <= 128, 'needs 15 to 128 characters');
const lengthOf = (text: string): number => [...text.normalize('NFKC')].length;

/** https, or http on this machine. The specification allows neither query nor fragment. */
const issuerUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https:// URL' })
  .refine((text) => {
    const url = URL.parse(text);
    const isSafe = url?.protocol === 'https:' || isLoopback(url?.hostname ?? '');
    return isSafe && !/[?#]/.test(text);
  }, 'must be an https:// URL without query and fragment (http:// only on loopback)');

const scopeList = z
  .string()
  .max(1024)
  .refine((text) => text.split(' ').includes('openid'), 'must contain the scope openid');

const domain = z
  .string()
  .toLowerCase()
  .regex(
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/,
    'must be domains such as example.org, separated by commas',
  );

/** How operators and apps sign in. */
export const signInSettings = [
  {
    defaults: '`local_trusted` (docker-compose: `authenticated`)',
    about:
      '`local_trusted` or `authenticated`; an empty value is an error. In `authenticated` mode operators sign in',
    settings: {
      DEPLOYMENT_MODE: {
        comment:
          'authenticated: operators sign in. (local_trusted cannot run in containers: it insists on loopback.)',
        field: deploymentMode,
        default: 'local_trusted',
        containerDefault: 'authenticated',
        readBy: ['gateway', 'auth', 'agents'],
      },
    },
  },
  {
    about:
      'creates the first operator, an instance administrator, if there is none. The password needs 15 to 128 characters. Without them `authenticated` mode prints a one-time setup link; with several auth processes that start at once, each prints one, and only the newest works. The first operator takes over the memberships of the local board operator',
    settings: {
      BOOTSTRAP_OPERATOR_EMAIL: {
        comment:
          'The first operator, made when there is none; empty both afterwards. The password needs 15 to 128 characters, and not the email address in it. Without them `docker-compose logs auth` shows a one-time setup link.',
        field: z.email('must be an email address'),
        readBy: ['auth'],
      },
      BOOTSTRAP_OPERATOR_PASSWORD: { field: password, isSecret: true, readBy: ['auth'] },
    },
  },
  {
    about:
      'the OpenID Connect provider of single sign-on, see [Sign-in](sign-in.md). `https://`, or `http://` on loopback; without a secret a public client',
    settings: {
      OIDC_ISSUER: {
        comment:
          'Single sign-on by OpenID Connect, see docs/sign-in.md. The redirect URI to register at the provider is PUBLIC_URL/api/auth/oidc/callback.',
        field: issuerUrl,
        readBy: ['auth'],
      },
      OIDC_CLIENT_ID: { field: z.string().min(1).max(512), readBy: ['auth'] },
      OIDC_CLIENT_SECRET: { field: z.string().min(1).max(4096), isSecret: true, readBy: ['auth'] },
    },
  },
  {
    about: 'the label of its button, and the scopes requested',
    settings: {
      OIDC_NAME: {
        comment: 'The label of its button, and the scopes requested.',
        field: z.string().min(1).max(60),
        default: 'Single sign-on',
        readBy: ['auth'],
      },
      OIDC_SCOPES: { field: scopeList, default: 'openid email profile', readBy: ['auth'] },
    },
  },
  {
    about:
      'verified emails of these domains get an operator without any company at the first sign-in',
    settings: {
      OIDC_ALLOWED_DOMAINS: {
        comment:
          'Domains whose verified emails get an operator without any company at the first sign-in, separated by commas.',
        field: listOf(domain),
        default: '',
        readBy: ['auth'],
      },
    },
  },
  {
    about:
      '`off`: passwords, setup and invites by password are 403 `local_login_disabled`; needs `OIDC_ISSUER`',
    settings: {
      LOCAL_LOGIN: {
        comment: 'off: no passwords, only single sign-on.',
        field: z.enum(['on', 'off'], 'must be on or off'),
        default: 'on',
        readBy: ['auth'],
      },
    },
  },
  {
    about: '`on`: operators without a second factor may only set one up ([signing in](sign-in.md))',
    settings: {
      REQUIRE_SECOND_FACTOR: {
        comment: 'on: operators without a second factor may only set one up.',
        field: onOrOff,
        default: 'off',
        readBy: ['auth'],
      },
    },
  },
  {
    about:
      'with `REQUIRE_SECOND_FACTOR=on`: a list of methods (`amr`) of which an OpenID Connect provider must have used one',
    settings: {
      OIDC_REQUIRE_AMR: {
        comment:
          'Methods (amr) of which an OpenID Connect provider must have used one, if a second factor is required. Empty: any.',
        field: listOf(z.string().max(64)),
        default: '',
        readBy: ['auth'],
      },
    },
  },
  {
    about:
      '`off`: apps that [connect](connect.md) by OAuth cannot register themselves (404), which most need',
    settings: {
      OAUTH_REGISTRATION: {
        comment: 'off: apps that connect by OAuth cannot register themselves; some need it.',
        field: onOrOff,
        default: 'on',
        readBy: ['auth'],
      },
    },
  },
  {
    about:
      '`off`: the auth service reads no [metadata documents](connect.md#for-developers) of apps, and those that have one register themselves. For an instance that cannot call the internet',
    settings: {
      OAUTH_CLIENT_DOCUMENTS: {
        comment:
          'off: apps that name themselves by the https address of a document (Claude Code, Codex) register themselves in its place. For an auth service that cannot call the internet.',
        field: onOrOff,
        default: 'on',
        readBy: ['auth'],
      },
    },
  },
  {
    about:
      'a list of hosts: of apps that name themselves by the address of a metadata document, only those of these hosts can connect',
    settings: {
      OAUTH_CLIENT_HOSTS: {
        comment:
          'Hosts whose apps may connect by a metadata document of theirs, separated by commas. Empty: any.',
        field: listOf(z.string().max(255)),
        default: '',
        readBy: ['auth'],
      },
    },
  },
  {
    about:
      '`on`: access tokens of [connections](contract.md#mcp-notes-service) are credentials at `/mcp` too, not only at `/connect/mcp`, and a 401 there names the OAuth server. For hosts that call no path but `/mcp`; some others then ignore a key that is configured for it',
    settings: {
      OAUTH_AT_MCP: {
        comment:
          'on: access tokens of OAuth are credentials at /mcp too, not only at /connect/mcp. For hosts that call no path but /mcp; some others then ignore a key that is configured for it.',
        field: onOrOff,
        default: 'off',
        readBy: ['gateway', 'auth'],
      },
    },
  },
] as const satisfies readonly SettingRow[];
