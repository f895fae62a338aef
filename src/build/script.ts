import * as esbuild from 'esbuild';
import type { Bundle } from './bundles.ts';
import { clientOptions, TARGET } from './graph.ts';
import { squeezed } from './units.ts';

/** What browsers read that are too old for the app: a page says so by the script at its end. */
export const TOO_OLD_TARGET = ['es2018'];

/**
 * Builds one self-contained classic script: a host's fake, the service worker, or an inline script of the page. `constants`
 * replace identifiers. @param target the syntax it may have; that of the app, unless given
 */
export async function script(
  file: string,
  bundle: Pick<Bundle, 'cc'>,
  constants: Readonly<Record<string, unknown>> = {},
  target = TARGET,
): Promise<string> {
  const { tsconfig: _tsconfig, ...options } = clientOptions(bundle, '.');
  const result = await esbuild.build({
    ...options,
    target,
    ...(target === TARGET ? {} : { supported: {} }),
    entryNames: '[name]',
    entryPoints: [file],
    format: 'iife',
    minify: true,
    metafile: false,
    // Without the words 'use strict' at its beginning.
    tsconfigRaw: { compilerOptions: { strict: false } },
    define: {
      ...options.define,
      ...Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    },
  });
  return squeezed(file, result.outputFiles[0]!.text, target).text;
}
