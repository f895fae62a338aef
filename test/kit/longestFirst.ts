import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more, small as they are: begun last, they would leave the other workers without work. */
const LONG = /\/(cluster|fuzz|kills|lanes|money|rolling|serverkills|typed)\.test\.tsx?$/;

/** Vitest's own order, by size where nothing is known of earlier runs, with the long files of each project at its head. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((one) => !isLong(one))];
    });
  }
}
