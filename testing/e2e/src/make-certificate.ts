import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Creates a self-signed certificate, valid for two days: `certificate.pem` and `key.pem` in a directory. */
export const makeCertificate = async (directory: string, hostName: string): Promise<string> => {
  const certificate = join(directory, 'certificate.pem');
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2`;
  const subject = ['-subj', `/CN=${hostName}`, '-addext', `subjectAltName=DNS:${hostName}`];
  const files = ['-keyout', join(directory, 'key.pem'), '-out', certificate];
  await promisify(execFile)('openssl', [...request.split(' '), ...subject, ...files]);
  return readFile(certificate, 'utf8');
};
