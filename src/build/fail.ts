/** Prints a message and ends the build with exit code 1. */
export function stop(message: string): never {
  console.error(`\n${message}\n`);
  process.exit(1);
}
