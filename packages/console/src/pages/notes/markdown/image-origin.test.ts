import { expect, it } from '@jest/globals';
import { imageOrigin } from './image-origin.ts';

const own = 'https://notes.example.org';

it('an image is of this server only if its path is that of an image', () => {
  const paths = [
    '/favicon.svg',
    `${own}/a/b.PNG`,
    '/api/auth/logout',
    '/api/notes?q=.png',
    '/x.png/..',
  ];
  expect(paths.map((path) => imageOrigin(path, own))).toEqual(['own', 'own', null, null, null]);
});

it('no path of the API is an image, whatever it ends with', () => {
  const paths = [
    '/api/notes/x.png',
    `${own}/api/notes/x.png`,
    '/API/notes/x.png',
    '/%61pi/notes/x.png',
    '/a/../api/x.png',
    '/internal/x.png',
    '/mcp/x.png',
    '/connect/mcp/x.svg',
    '/packages/x.webp',
    '/.well-known/x.gif',
    '/%zz.png',
  ];
  expect(paths.map((path) => imageOrigin(path, own))).toEqual(paths.map(() => null));
  expect(imageOrigin('/apiary/x.png', own)).toBe('own');
});

it('an image of another server has to be there over HTTPS', () => {
  const urls = [
    'https://example.org/p.png',
    'https://example.org/draw?id=1',
    'http://example.org/p.png',
    '//example.org/p.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'https://',
    undefined,
  ];
  expect(urls.map((url) => imageOrigin(url, own))).toEqual([
    'foreign',
    'foreign',
    null,
    'foreign',
    null,
    null,
    null,
    null,
  ]);
});
