import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, sources } from './sources.ts';

const FOLDER = 'test/hosts/sixpay';
const files = readdirSync(path.join(root, FOLDER));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('a new host', () => {
  it('is the files of a host and nothing else: no source of the product knows it [MINI-X01]', () => {
    expect(files.toSorted()).toEqual(readdirSync(path.join(root, 'hosts/gpay')).toSorted());
    expect(sources.filter(({ file }) => /sixpay/i.test(read(file))).map(({ file }) => file)).toEqual([]);
  });

  it('keeps to the fence that every host keeps to', () => {
    const breaches = files.filter((name) => /\.tsx?$/.test(name)).flatMap((name) => [...read(`${FOLDER}/${name}`).matchAll(/(?:from |import |import\()'([^']+)'/g)]
      .map(([, to = '']) => (to.startsWith('.') ? path.posix.join(FOLDER, to) : to))
      .filter((to) => !(to.startsWith(`${FOLDER}/`) || /^src\/(bridge|contract|domain)\//.test(to) || to === 'zod/mini'
        || (name === 'main.tsx' && (to === '#country' || /^src\/(shell\/|ui\/(base|tokens)\.css)/.test(to)))
        || (name === 'fake.ts' && to === 'hosts/browser/device.ts') || (name === 'server.ts' && to.startsWith('src/server/'))))
      .map((to) => `${name} imports ${to}`));
    expect(breaches).toEqual([]);
  });
});
