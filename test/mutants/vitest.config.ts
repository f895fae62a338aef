import { defineConfig } from 'vitest/config';
import whole from '../vitest.config.ts';

const names = (process.env['MUTANTS_PROJECTS'] ?? 'unit').split(',');
const include = (process.env['MUTANTS_TESTS'] ?? 'test/**/*.test.ts').split(' ');
export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    // Code with all its mutants in it is larger than what customers load.
    testNamePattern: /^(?!.*\bweighs\b)/,
    projects: (whole.test?.projects ?? []).flatMap((project) =>
      typeof project === 'object' && 'test' in project && names.includes(String(project.test?.name))
        ? [{ ...project, test: { ...project.test, retry: 0, include } }]
        : [],
    ),
  },
});
