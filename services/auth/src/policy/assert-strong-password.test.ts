import { describe, expect, it } from '@jest/globals';
import { assertStrongPassword } from './assert-strong-password.ts';

const check = (password: string, email = 'olga@example.org') => {
  try {
    assertStrongPassword(password, email);
    return 'strong';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('assertStrongPassword', () => {
  it.each([
    'tall ships in the fog',
    'owner-password-123456',
    'Tr0mbone&kettle%marsh',
    '9F2b7c1d8e3a6450',
    'über die Straße geht',
    'пароль из многих слов',
    '山川異域風月同天寄諸仏子共結来縁',
  ])('accepts %s', (password) => {
    expect(check(password)).toBe('strong');
  });

  it.each([
    ['fewer than 15 characters', 'kettle-marsh-9'],
    ['more than 128 characters', 'tall ships in the fog '.repeat(6)],
    ['one word twice', 'passwordpassword'],
    ['a word and a row of digits', 'Password1234567'],
    ['the row of digits', '123456789012345'],
    ['signs for letters', 'P@ssw0rd!P4$$word'],
    ['a row of the keyboard', 'qwertyuiopasdfghjkl'],
    ['the alphabet', 'abcdefghijklmnopq'],
    ['the alphabet backwards', 'zyxwvutsrqponmlkj'],
    ['one character', 'aaaaaaaaaaaaaaaaaaa'],
    ['few characters', 'ababbabaabbabaab'],
    ['something over and over', 'kettle7kettle7ket'],
    ['common words in a row', 'welcome-admin-2026'],
    ['a common wish', 'letmeinletmein123'],
  ])('rejects %s', (_what, password) => {
    expect(check(password)).toBe('weak_password');
  });

  it('rejects an email with little around it, and accepts it inside a longer password', () => {
    expect(check('olga@example.org')).toBe('weak_password');
    expect(check('Olga.Example.99!')).toBe('weak_password');
    expect(check('what olga saw in the fog')).toBe('strong');
  });

  it('counts characters after NFKC, as users see them', () => {
    expect(check('ﬃﬃﬃkettle')).toBe('strong');
    expect(check('🦊🐢🦉🐝🦎🐙🦀🐳🦜🐌🦔🐧🦩🐡')).toBe('weak_password');
    expect(check('🦊🐢🦉🐝🦎🐙🦀🐳🦜🐌🦔🐧🦩🐡🦋')).toBe('strong');
  });
});
