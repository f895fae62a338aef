import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../../src/build/bundles.ts';
import { packages } from '../../src/build/rewrite/packages.ts';

const ENTRIES: Readonly<Record<string, string>> = { ky: 'ky/distribution/index.js', jotai: 'jotai/esm/index.mjs' };

/** A package as the bundles have it, as one module. */
export async function bundledPackage(name: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(root, 'node_modules', ENTRIES[name]!)],
    bundle: true,
    format: 'esm',
    minifySyntax: true,
    define: { 'import.meta.env': 'true', 'import.meta.env.MODE': '"production"' },
    external: ['react'],
    write: false,
    plugins: [packages],
  });
  return outputFiles[0]!.text;
}
