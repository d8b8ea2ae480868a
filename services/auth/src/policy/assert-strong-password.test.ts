import { describe, expect, it } from '@jest/globals';
import { assertStrongPassword } from './assert-strong-password.ts';

const judge = (password: string, email = 'olga@example.org') => {
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
  ])('takes %s', (password) => {
    expect(judge(password)).toBe('strong');
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
  ])('refuses %s', (_what, password) => {
    expect(judge(password)).toBe('weak_password');
  });

  it('refuses the own e-mail with little around it, and takes it inside a longer password', () => {
    expect(judge('olga@example.org')).toBe('weak_password');
    expect(judge('Olga.Example.99!')).toBe('weak_password');
    expect(judge('what olga saw in the fog')).toBe('strong');
  });

  it('counts characters after NFKC, as people see them', () => {
    expect(judge('ﬃﬃﬃkettle')).toBe('strong');
    expect(judge('🦊🐢🦉🐝🦎🐙🦀🐳🦜🐌🦔🐧🦩🐡')).toBe('weak_password');
    expect(judge('🦊🐢🦉🐝🦎🐙🦀🐳🦜🐌🦔🐧🦩🐡🦋')).toBe('strong');
  });
});
