import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../bundles.ts';
import { shortHash } from '../hash.ts';

const PICTURE = /^([\w-]+)\.(svg|png|webp)$/;

export interface LogoFile {
  /** Of a way to pay, a bank, a wallet or an app, as in `country/xx/seed/payments.json`. */
  readonly id: string;
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Pictures of payment services that a chain may show: square files of `country/xx/logos`, named by the service's id. We
 * bring none, since they are their owners' marks; without one a service is named in words.
 */
export function logosOf(folder: string): readonly LogoFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((file): LogoFile[] => {
      const [, id, ending] = PICTURE.exec(file) ?? [];
      if (id === undefined) return [];
      const content = readFileSync(path.join(folder, file));
      return [{ id, name: `logo-${id}-${shortHash(content)}.${ending}`, content }];
    });
}

export const logoFolder = (cc: string): string => path.join(root, 'country', cc, 'logos');
