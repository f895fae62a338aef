import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countries } from '../../country/index.ts';
import { logoFolder, logosOf } from '../../src/build/pictures/logos.ts';

test('logos of payment services are the files of a folder, by id, and this project brings none', () => {
  for (const { COUNTRY_CODE } of countries) expect(logosOf(logoFolder(COUNTRY_CODE.toLowerCase()))).toEqual([]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'logos-'));
  try {
    writeFileSync(path.join(folder, 'phonepe.svg'), '<svg/>');
    writeFileSync(path.join(folder, 'HDFC.png'), 'png');
    writeFileSync(path.join(folder, 'README.md'), 'whose they are');
    const found = logosOf(folder);
    expect(found.map(({ id }) => id)).toEqual(['HDFC', 'phonepe']);
    expect(found[1]!.name).toMatch(/^logo-phonepe-\w{8,}\.svg$/);
    expect(String(found[1]!.content)).toBe('<svg/>');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
