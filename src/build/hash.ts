import { createHash } from 'node:crypto';

export const hash = (...parts: readonly (string | Uint8Array)[]): string =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest('hex');

/** The first eight characters of a content's digest, for file names. */
export const shortHash = (content: string | Uint8Array): string => hash(content).slice(0, 8).toUpperCase();

/** The hash by which a content security policy allows an inline script or style. */
export const policyHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
