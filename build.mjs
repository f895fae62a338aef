// Builds every bundle (hosts/* x country/*): `node build.mjs --help` lists the flags. The build itself is src/build/*.ts.
const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
  console.error(`
This needs Node ${NEEDED} or newer, and ${process.execPath} is ${process.version}.
\`npm ci\` installs a newer Node into node_modules, on Linux, Windows and macOS: start through npm (\`npm start\`, \`npm run build\`).
If \`npm ci\` was run with --omit=optional, install Node ${NEEDED} yourself first.
`);
  process.exit(1);
}
try {
  await import('esbuild');
} catch {
  console.error('\nThe packages are not installed: run `npm ci` first.\n');
  process.exit(1);
}
process.env.NODE_ENV ??= 'production';
await import('./src/build/main.ts');
