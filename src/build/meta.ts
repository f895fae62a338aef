import type { SeoEntry } from '../domain/seo.ts';
import type { Size, Sizes } from './files.ts';
import type { Policy } from './pages.ts';

/** The meta.json beside every built bundle: the server decides by it what to serve, and tests and benches read it. */
export interface Meta {
  readonly country: string;
  readonly host: string;
  readonly language: string;
  readonly mount: string;
  readonly version: string;
  readonly inputs: string;
  readonly entry: string;
  readonly css: string;
  readonly laterCss: string;
  readonly restCss: string;
  readonly menu: string;
  readonly fake: string | null;
  readonly policy: Policy;
  readonly pages: Readonly<Record<string, MetaPage>>;
  readonly seo?: Readonly<Record<string, SeoEntry>>;
  /** Every path that its pages have. */
  readonly paths?: readonly string[];
  readonly files: Sizes;
  /** Load units by name. */
  readonly units: Readonly<Record<string, MetaUnit>>;
  readonly firstLoad: Size;
  readonly total: Size;
  readonly styles: Size;
  readonly libraries: Libraries;
}

interface MetaUnit {
  readonly file: string;
  readonly sources: readonly string[];
  /** What each of these has in it, before names are shortened. */
  readonly bytes: readonly number[];
  /** The other later units that have to be there before it runs. */
  readonly needs: readonly string[];
}

export interface MetaPage {
  readonly path: string | null;
  readonly scripts: readonly string[];
  readonly inline: readonly string[];
  readonly early: readonly string[];
  readonly styles: readonly string[];
  readonly firstLoad: Size;
}

/** Sizes of the libraries as published. */
export interface Libraries extends Size {
  readonly names: readonly string[];
  /** Sizes after the same steps that the first load goes through. */
  readonly built: Size;
}
