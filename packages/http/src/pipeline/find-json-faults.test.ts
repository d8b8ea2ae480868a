import { describe, expect, it } from '@jest/globals';
import { findJsonFaults } from './find-json-faults.ts';

const pathsOf = (text: string) => findJsonFaults(text, JSON.parse(text)).map(({ path }) => path);

describe('what JSON.parse drops in silence has its place', () => {
  it.each<[string, string[]]>([
    ['{"a":1,"a":2}', ['/a']],
    ['{"a":[0,{"b":1,"c":{},"b":2}]}', ['/a/1/b']],
    ['{"a":1,"\\u0061":2}', ['/a']],
    ['{"x":[{"a":":"},{"a/b":1,"a/b":"}"}]}', ['/x/1/a~1b']],
    ['{"a":1,"a":2,"a":3}', ['/a', '/a']],
    ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
    ['{"n":9007199254740993}', ['/n']],
    ['{"n":[1, -12345678901234567890]}', ['/n/1']],
    ['{"n":18446744073709551616}', ['/n']],
    ['{"n":1e-400}', ['/n']],
    [`{"n":1${'0'.repeat(400)}}`, ['/n']],
  ])('%s', (text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it.each([
    '{}',
    '5',
    '"a:b"',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":1,","b":"\\\\","c":": 9007199254740993"}',
    '{"n":9007199254740992,"m":-9007199254740991,"o":1000000000000000000000}',
    '{"n":0.1000000000000000055,"m":3.14159265358979323846,"o":9.9999999999999992e22}',
    '{"n":0e-999,"m":-0,"o":5e-324,"p":1152921504606847000}',
  ])('%s loses nothing', (text) => {
    expect(pathsOf(text)).toEqual([]);
  });
});
