// Starts test/run.ts, or says what is missing: an older Node could not read it.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `The tests need Node 24 or newer, and this is ${process.version}. \`npm ci\` brings one along on Linux, Windows and macOS; without its optional packages install it yourself.`,
  );
  process.exit(2);
}
await import('./run.ts');
