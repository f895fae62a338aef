import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Phone } from '../../../contract/simulator.ts';
import { trimmedEnd } from '../../../domain/trimmedEnd.ts';
import type { Proxies } from '../../proxies.ts';
import type { Findable, ShopOf } from './seo.ts';

/** The part of a bundle's meta.json, written by build.mjs, that serving needs. */
export interface BundleMeta {
  readonly host: string;
  readonly language: string;
  readonly mount: string;
  readonly files: Readonly<Record<string, unknown>>;
  readonly fake: string | null;
  readonly policy: Readonly<Record<string, readonly string[]>>;
  /**
   * Hashes for the content security policy, by page name: of the style elements, the early scripts and the style
   * attributes.
   */
  readonly pages?: Readonly<
    Record<
      string,
      { readonly inline: readonly string[]; readonly early?: readonly string[]; readonly styles: readonly string[] }
    >
  >;
  /** Of `npm run dev`: when its files were written, and why the newest edit is not among them. Its pages follow it. */
  readonly changes?: { readonly built: number; readonly failed: string | null };
  readonly country: string;
  /** For bundles that search engines read. */
  readonly seo?: Findable['seo'];
  readonly paths?: Findable['paths'];
}

export interface PagesOptions {
  /** The folder that build.mjs writes to. */
  readonly dist?: string;
  /** In production there is no simulator, no imitated host, and our own pages may not frame a bundle. */
  readonly production: boolean;
  /** The proxies that may say below which path a page was asked for. */
  readonly proxies: Proxies;
  /** False replaces every sw.js with a script that removes the service worker and its caches. */
  readonly serviceWorker?: boolean;
  /**
   * Other origins that a standalone page may contact: those of payment sheets, when the shop is registered for them.
   */
  readonly connect?: readonly string[];
  /**
   * What others reach us by, `https://shop.example`. Never what a page was asked at: whoever asks writes that, and a
   * cache would keep a stranger's address in our pages.
   */
  readonly origin: () => string;
  /** Address of the bank's page with its fields for a card, which pages show in a frame; null: there is none. */
  readonly cardFields?: () => string | null;
  readonly shopOf: ShopOf;
  /** Hears why a page had to go without what search engines read beside its texts. */
  readonly onUntold?: (error: unknown) => void;
  /** The one page that others may show in a frame, and the origins that may. */
  readonly framed?: { readonly page: string; readonly by: readonly string[] };
  /** Pages of what this server has no provider for, with all below them: nobody is told of them. */
  readonly hidden?: readonly string[];
  /** All phones that the simulator could show; it shows only those whose bundle is built. */
  readonly phones?: readonly Phone[];
  /** The addresses of bundles that several hosts share, by folder ('in/gpay'); such a bundle is served at these alone. */
  readonly shared?: ReadonlyMap<string, readonly Address[]>;
}

export interface Address {
  /** Without the first slash, with the last. */
  readonly mount: string;
  readonly page: { readonly ancestors: readonly string[]; readonly settings: Readonly<Record<string, string>> };
}

export const BASE_TOKEN = '/-base-';

/**
 * The path prefix that a proxy removed. Only plain segments are accepted, because the prefix is written into the page.
 */
export function forwardedPrefix(c: Context, { proxies }: PagesOptions): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!proxies.isOne(incoming?.socket.remoteAddress ?? '')) return '';
  const prefix = trimmedEnd(c.req.header('x-forwarded-prefix') ?? '', /\//);
  return /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(prefix) ? prefix : '';
}
