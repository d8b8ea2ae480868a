import { secretList } from '../fields.ts';
import { readers, type SettingRow } from './setting.ts';

/** What signs, hashes and encrypts. */
export const secretSettings = [
  {
    defaults: 'generated into `DATA_DIR`',
    about: 'sign run JWTs, the identity that services trust, and session cookies',
    settings: {
      RUN_TOKEN_SECRETS: {
        comment:
          'Secrets: lists separated by commas, 32 bytes or more each. The first signs, all verify, so a new one goes in front and the old one out when nothing is left that it signed. Tokens of runs.',
        field: secretList,
        isRequired: true,
        isSecret: true,
        readBy: ['gateway', 'auth'],
      },
      INTERNAL_IDENTITY_SECRETS: {
        comment: 'What the gateway and the services say to each other.',
        field: secretList,
        isRequired: true,
        isSecret: true,
        readBy: readers,
      },
      SESSION_SECRETS: {
        comment: 'Session cookies.',
        field: secretList,
        isRequired: true,
        isSecret: true,
        readBy: ['gateway', 'auth'],
      },
    },
  },
  {
    defaults: 'generated into `DATA_DIR`',
    about: 'hash API keys and passwords',
    settings: {
      API_KEY_PEPPERS: {
        comment:
          'API keys are stored as digests under these; without the one it was made under, a key is lost.',
        field: secretList,
        isRequired: true,
        isSecret: true,
        readBy: ['gateway', 'agents'],
      },
      PASSWORD_PEPPERS: {
        comment:
          'Passwords are hashed under these; without the one it was hashed under, a password is lost.',
        field: secretList,
        isRequired: true,
        isSecret: true,
        readBy: ['auth'],
      },
    },
  },
  {
    defaults: 'generated into `DATA_DIR`',
    about: 'encrypt the secrets of authenticator apps; without any, nobody can set one up',
    settings: {
      SECOND_FACTOR_SECRETS: {
        comment:
          'Secrets of authenticator apps are encrypted under these; without the one it was encrypted under, an app is lost.',
        field: secretList,
        isSecret: true,
        readBy: ['auth'],
      },
    },
  },
] as const satisfies readonly SettingRow[];
