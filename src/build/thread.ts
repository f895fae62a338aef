import { parentPort, workerData } from 'node:worker_threads';
import type * as esbuild from 'esbuild';
import { buildBundle } from './bundle.ts';
import type { Meta } from './meta.ts';
import { bundlesAsked, type BundleSelection } from './bundles.ts';

/** What a thread of the build is started with. */
export interface ThreadData {
  readonly asked: BundleSelection;
  readonly dist: string;
  readonly inputs: string;
  readonly base?: string | undefined;
}

/** What it is sent: the number of a bundle in the order of bundlesAsked. Its answer is the bundle's meta, or what went wrong. */
export type Built =
  | { readonly at: number; readonly meta: Meta }
  | { readonly at: number; readonly stack: string; readonly errors?: esbuild.Message[] };

if (parentPort !== null) {
  const port = parentPort;
  const { asked, dist, inputs, base } = workerData as ThreadData;
  const bundles = bundlesAsked(asked);
  const make = async (at: number): Promise<Built> => {
    try {
      const bundle = (await bundles)[at];
      if (!bundle) throw new Error(`There is no bundle ${at}.`);
      return { at, meta: await buildBundle(bundle, { dist, inputs, base }) };
    } catch (error) {
      // An error's own fields do not pass between threads.
      const { stack, errors } = error as Partial<esbuild.BuildFailure>;
      const plain = errors && (JSON.parse(JSON.stringify(errors)) as esbuild.Message[]);
      return { at, stack: stack ?? String(error), ...(plain ? { errors: plain } : {}) };
    }
  };
  port.on('message', (at: number) => void make(at).then((built) => port.postMessage(built)));
}
