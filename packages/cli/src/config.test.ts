import { describe, expect, it } from '@jest/globals';
import { isAgent, readAccess, readBaseUrl, readMcpAccess, readRunId } from './config.ts';

const ofRun = {
  SERVICE_API_KEY: 'token-of-the-run',
  SERVICE_BASE_URL: 'http://gateway',
  SERVICE_RUN_ID: 'run',
};
const emptyKey = { COMMONPLACE_API_KEY: '', COMMONPLACE_API_KEY_FILE: '', COMMONPLACE_URL: '' };

describe('an empty variable', () => {
  it('of a key does not hide the token of the run', () => {
    const { baseUrl, credential } = readAccess({ ...ofRun, ...emptyKey });
    expect([baseUrl, credential()]).toEqual(['http://gateway', 'token-of-the-run']);
    expect(readBaseUrl({ ...ofRun, ...emptyKey })).toBe('http://gateway');
  });

  it('of a session does not make an agent an operator without a credential', () => {
    const empty = { COMMONPLACE_SESSION: '', COMMONPLACE_SESSION_FILE: '' };
    expect(isAgent({ COMMONPLACE_API_KEY: 'key', ...empty })).toBe(true);
    expect(isAgent({ COMMONPLACE_API_KEY: 'key', COMMONPLACE_SESSION: 's' })).toBe(false);
    expect(isAgent({ ...emptyKey, SERVICE_API_KEY: '' })).toBe(false);
  });

  it('of a run is none, for MCP too', () => {
    const empty = { SERVICE_API_KEY: '', SERVICE_TOKEN_FILE: '', SERVICE_BASE_URL: '' };
    expect(readRunId({ SERVICE_RUN_ID: '' })).toBeUndefined();
    for (const read of [readAccess, readMcpAccess]) {
      expect(() => read(empty)).toThrow('COMMONPLACE_API_KEY: is required');
    }
    const inRun = readMcpAccess({ ...ofRun, SERVICE_TOKEN_FILE: '' });
    expect(inRun.credential()).toBe('token-of-the-run');
  });
});
