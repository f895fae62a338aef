import { globSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import whole from '../vitest.config.ts';

const names = (process.env['MUTANTS_PROJECTS'] ?? 'unit').split(',');
const asked = globSync((process.env['MUTANTS_TESTS'] ?? 'test/**/*.test.ts').split(' '), {
  cwd: path.resolve(import.meta.dirname, '../..'),
});
const isOf = (file: string, patterns: readonly string[] = []) => patterns.some((one) => path.matchesGlob(file, one));
export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    // Code with all its mutants in it is larger than what customers load; a rider comes nearer later than a page is waited for;
    // and a journey needs its second try where one process plays all pages, which the tool has not.
    testNamePattern: /^(?!.*\b(weighs|rider moves without|waits for its payment says|reads no reply by a schema)\b)/,
    projects: (whole.test?.projects ?? []).flatMap((project) => {
      if (typeof project !== 'object' || !('test' in project) || !names.includes(String(project.test?.name))) return [];
      const { include, exclude } = project.test ?? {};
      // Each file in its own project alone.
      const files = asked.filter((file) => isOf(file, include) && !isOf(file, exclude));
      return files.length === 0 ? [] : [{ ...project, test: { ...project.test, retry: 0, include: files } }];
    }),
  },
});
