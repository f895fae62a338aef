import path from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';

/** A line for each file, when its last test is over, and each failure as soon as it is known, that of a first try too. */
export default class Journeys implements Reporter {
  readonly #left = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  readonly #flaky = new Map<string, number>();
  readonly #seconds = new Map<string, number>();

  onBegin(_config: FullConfig, suite: Suite): void {
    for (const { location } of suite.allTests())
      this.#left.set(location.file, (this.#left.get(location.file) ?? 0) + 1);
    console.log(`${suite.allTests().length} journeys`);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const { file } = test.location;
    this.#seconds.set(file, (this.#seconds.get(file) ?? 0) + result.duration / 1000);
    const title = test.titlePath().slice(2).join(' > ');
    if (!test.ok()) {
      const isLast = result.retry === test.retries;
      console.log(isLast ? ` ✗ ${title}` : ` ? ${title}: failed, and is tried a second time`);
      for (const { message, stack } of result.errors) console.log(stack ?? message ?? '');
      for (const said of [...result.stdout, ...result.stderr]) process.stdout.write(said);
      if (!isLast) return;
      this.#failed.set(file, (this.#failed.get(file) ?? 0) + 1);
    }
    if (test.outcome() === 'flaky') {
      this.#flaky.set(file, (this.#flaky.get(file) ?? 0) + 1);
      console.log(` ~ ${title}: flaky: passed at the second try`);
    }
    const left = (this.#left.get(file) ?? 1) - 1;
    this.#left.set(file, left);
    if (left > 0) return;
    const failed = this.#failed.get(file) ?? 0;
    const flaky = this.#flaky.get(file) ?? 0;
    const words = [
      failed === 0 ? '✓' : '✗',
      path.relative(process.cwd(), file),
      ...(failed === 0 ? [] : [`${failed} failed`]),
      ...(flaky === 0 ? [] : [`${flaky} flaky`]),
    ];
    console.log(` ${words.join(' ')}  ${this.#seconds.get(file)!.toFixed(0)} s`);
  }

  onError(error: { readonly message?: string; readonly stack?: string }): void {
    console.log(error.stack ?? error.message ?? '');
  }

  onEnd(result: FullResult): void {
    if (result.status !== 'passed') console.log(`The journeys ended as ${result.status}.`);
  }

  printsToStdio(): boolean {
    return true;
  }
}
